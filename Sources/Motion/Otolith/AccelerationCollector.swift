// SPDX-License-Identifier: Apache-2.0
internal import History
internal import Synchronization

/// Collects accelerations on the hub's thread. The writing thread takes them about once per second.
final class AccelerationCollector: MotionReceiver {
  struct Waiting: Sendable {
    var samples: [TimedAcceleration] = []
    var lost: UInt64 = 0
  }
  private let waiting: Mutex<Waiting>
  /// The largest number of samples that wait: ten seconds at 1.6 kHz. If the disk blocks for
  /// longer, samples are lost.
  private static let capacity = 16_384

  init() {
    var waiting = Waiting()
    waiting.samples.reserveCapacity(Self.capacity)
    self.waiting = Mutex(waiting)
  }

  func receive(_ sourced: SourcedSample) {
    let sample = sourced.sample
    guard sample.channels.contains(.acceleration) else { return }
    waiting.withLock { waiting in
      waiting.lost += UInt64(sample.missing)
      guard waiting.samples.count < Self.capacity else {
        waiting.lost += 1
        return
      }
      waiting.samples.append(
        TimedAcceleration(timestamp: sample.timestamp, acceleration: sample.acceleration))
    }
  }

  func receive(_ motion: MotionSample) {}
  func missed(_ count: UInt64) { waiting.withLock { $0.lost += count } }
  func chipsChanged(_ chips: [ChipState]) {}

  /// Request every sample. Averages are computed for the rate in the board file, and more samples
  /// reduce the noise.
  var demand: SampleDemand { SampleDemand(.acceleration) }

  /// Exchanges the collected samples for `taken`, whose memory is reused for the next samples.
  func exchange(_ taken: inout Waiting) {
    taken.samples.removeAll(keepingCapacity: true)
    taken.lost = 0
    if taken.samples.capacity < Self.capacity { taken.samples.reserveCapacity(Self.capacity) }
    waiting.withLock { swap(&$0, &taken) }
  }
}
