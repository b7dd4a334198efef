// SPDX-License-Identifier: Apache-2.0
package import Otolith
internal import Synchronization

/// Keeps account of a stream whose samples are numbered by their times: 1 ms, 2 ms, 3 ms and so on.
/// Fusion makes a motion from each sample.
package final class Ledger: MotionReceiver {
  package struct Account: Equatable, Sendable, CustomStringConvertible {
    /// The numbers of the first and the last of the samples that were received, and then those of
    /// the motions; 0 if there were none.
    package fileprivate(set) var samples = Span()
    package fileprivate(set) var motions = Span()
    /// How many samples and motions were received.
    package fileprivate(set) var got = 0
    /// How many samples and motions were reported as lost.
    package fileprivate(set) var missed = 0
    /// How many samples and motions came twice, or after a later one.
    package fileprivate(set) var disordered = 0
    /// How often a chip failed.
    package fileprivate(set) var failures = 0

    package struct Span: Equatable, Sendable {
      package fileprivate(set) var first = 0
      package fileprivate(set) var last = 0
      fileprivate var count: Int { first == 0 ? 0 : last - first + 1 }
    }

    init() {}

    /// Whether each number from the first to the last was either received or reported as lost.
    package var isComplete: Bool {
      got > 0 && disordered == 0 && got + missed == samples.count + motions.count
    }

    /// Returns whether samples and motions both end with this number.
    package func ends(with number: Int) -> Bool {
      samples.last == number && motions.last == number
    }

    package var description: String {
      "\(samples.first) \(samples.last) \(motions.first) \(motions.last) "
        + "\(got) \(missed) \(disordered) \(failures)"
    }

    /// Reads an account from the text that `description` gives.
    package init?(_ text: some StringProtocol) {
      let numbers = text.split(separator: " ").compactMap { Int($0) }
      guard numbers.count == 8 else { return nil }
      (samples.first, samples.last) = (numbers[0], numbers[1])
      (motions.first, motions.last) = (numbers[2], numbers[3])
      (got, missed) = (numbers[4], numbers[5])
      (disordered, failures) = (numbers[6], numbers[7])
    }

    fileprivate mutating func enter(_ time: Timestamp, _ span: WritableKeyPath<Account, Span>) {
      let number = Int(time.nanoseconds / 1_000_000)
      if self[keyPath: span].first == 0 { self[keyPath: span].first = number }
      if number <= self[keyPath: span].last { disordered += 1 }
      self[keyPath: span].last = number
      got += 1
    }
  }
  private let state = Mutex(Account())

  package init() {}

  package var account: Account { state.withLock { $0 } }

  /// Returns sample `number` of the stream.
  package static func sample(_ number: Int) -> Sample {
    var sample = Sample(
      timestamp: Timestamp(nanoseconds: Int64(number) * 1_000_000), channels: .pressure)
    sample.pressure = 100
    return sample
  }

  package func receive(_ sample: SourcedSample) {
    state.withLock { $0.enter(sample.sample.timestamp, \.samples) }
  }

  package func receive(_ motion: MotionSample) {
    state.withLock { $0.enter(motion.timestamp, \.motions) }
  }

  package func missed(_ count: UInt64) { state.withLock { $0.missed += Int(count) } }

  package func chipsChanged(_ chips: [ChipState]) {
    let isFailed = chips.contains { if case .failed = $0 { true } else { false } }
    if isFailed { state.withLock { $0.failures += 1 } }
  }
}
