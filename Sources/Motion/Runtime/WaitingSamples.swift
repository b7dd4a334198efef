// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// Samples of slow streams that are newer than the newest sample of the fast stream. They wait,
/// because the batch of one bus or FIFO may arrive after later samples of other chips. The samples
/// stay in the order of their arrival. Memory is allocated only at creation.
struct WaitingSamples: Sendable {
  private var samples: [Sample]
  private var first = 0
  private(set) var count = 0

  init(capacity: Int) {
    samples = [Sample](repeating: Sample(timestamp: .zero, channels: []), count: capacity)
  }

  /// Adds a sample. If the buffer is full, the oldest sample is removed and returned.
  mutating func add(_ sample: Sample) -> Sample? {
    let oldest = count == samples.count ? removeFirst() : nil
    samples[(first + count) % samples.count] = sample
    count += 1
    return oldest
  }

  /// Removes and returns the next sample that is not newer than `time`.
  mutating func next(until time: Timestamp) -> Sample? {
    guard count > 0, samples[first].timestamp <= time else { return nil }
    return removeFirst()
  }

  mutating func removeAll() {
    first = 0
    count = 0
  }

  private mutating func removeFirst() -> Sample {
    let sample = samples[first]
    first = (first + 1) % samples.count
    count -= 1
    return sample
  }
}
