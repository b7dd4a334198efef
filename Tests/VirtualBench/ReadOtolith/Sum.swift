// SPDX-License-Identifier: Apache-2.0
import Quantities
import Registers
import Sampling
import Synchronization

/// Adds up the values that arrive, as the C programs in this folder do, so that the compiler cannot
/// remove the reading from either. Only the reader thread adds; `count`, `missing` and `failure`
/// may be read meanwhile.
///
/// The conformance is unchecked because of `total`, which only the reader thread uses.
final class Sum: SampleConsumer, @unchecked Sendable {
  private let counter = Atomic<Int>(0)
  private let lost = Atomic<Int>(0)
  private let error = Mutex<ChipError?>(nil)
  private(set) var total = 0.0

  var count: Int { counter.load(ordering: .relaxed) }
  /// The number of samples known to be lost.
  var missing: Int { lost.load(ordering: .relaxed) }
  var failure: ChipError? { error.withLock { $0 } }

  func receive(_ sample: Sample, from source: Int) {
    let acceleration = sample.acceleration
    let rotation = sample.rotationRate
    total += acceleration.x + acceleration.y + acceleration.z
    total += rotation.x + rotation.y + rotation.z + sample.temperature
    if sample.missing > 0 {
      lost.store(lost.load(ordering: .relaxed) + Int(sample.missing), ordering: .relaxed)
    }
    counter.store(counter.load(ordering: .relaxed) + 1, ordering: .relaxed)
  }

  func chip(_ source: Int, failed error: ChipError) { self.error.withLock { $0 = error } }

  func chipRecovered(_ source: Int) {}
}
