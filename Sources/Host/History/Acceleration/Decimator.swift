// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Quantities

/// A reduction of the sample rate: the decimator makes evenly timed samples from faster samples.
/// Each new sample is a weighted average around its time, so that vibrations above half of the new
/// rate do not alias.
///
/// The weights are a sinc with Kaiser's window (Oppenheim and Schafer, Discrete-Time Signal
/// Processing, 3rd ed., section 7.5.3). Frequencies above half of the new rate are attenuated by at
/// least 60 dB, and frequencies below a third of that rate are unchanged. At 50 Hz the filter
/// extends over 0.23 s in both directions, so samples are delayed by 0.23 s. There are no samples
/// within this time of a gap that is longer than two and a half periods.
public struct Decimator: Sendable {
  /// The nanoseconds between two output samples of the decimator.
  public let period: Int64
  private let reach: Int64
  /// The weights of the decimator's filter from the centre to the end of the filter, at even
  /// distances.
  private let weights: [Double]
  /// The decimator's newest input samples, in a ring buffer.
  private var inputs: [TimedAcceleration]
  private var head = 0
  private var count = 0
  private var due = Int64.min

  /// The reach of the filter is half of equation 7.76: (A - 7.95) / 14.36 over the transition from
  /// 0.34 to 0.5 of the new rate, with A = 60 dB.
  private static let reachInPeriods = 11.5
  /// Kaiser's beta for 60 dB, from equation 7.75.
  private static let beta = 5.653

  /// Creates a decimator from about `inputRate` to `rate`, both in Hz. `inputRate` must be higher
  /// than `rate`, and both must be above zero.
  public init(from inputRate: Double, to rate: Double) {
    period = Int64(saturating: 1e9 / rate)
    reach = Int64(saturating: Self.reachInPeriods * 1e9 / rate)
    let steps = 2048
    weights = (0...steps).map { step in
      let place = Double(step) / Double(steps)
      let x = Double.pi * 2 * 0.42 * Self.reachInPeriods * place
      let sinc = x == 0 ? 1 : sin(x) / x
      return sinc * Self.bessel(Self.beta * (1 - place * place).squareRoot())
    }
    // The buffer has twice the span of the filter, because a chip may be faster than its nominal
    // rate and give samples in batches.
    let capacity = max(64, Int(4 * Self.reachInPeriods * inputRate / rate))
    inputs = Array(
      repeating: TimedAcceleration(timestamp: .zero, acceleration: .zero), count: capacity)
  }

  /// Adds the next sample and calls `emit` for the output samples that are complete.
  public mutating func add(
    _ sample: TimedAcceleration, _ emit: (TimedAcceleration) -> Void
  ) {
    let time = sample.timestamp.nanoseconds
    if count > 0 {
      let step = time - input(count - 1).timestamp.nanoseconds
      guard step > 0 else { return }
      if step > period * 5 / 2 { count = 0 }
    }
    if count == 0 {
      // After a gap the output continues on the same time grid, so that sample times stay evenly
      // spaced.
      let first = time + reach
      due = due == .min ? first : due + max(0, (first - due + period - 1) / period) * period
    }
    if count == inputs.count {
      head = (head + 1) % inputs.count
      count -= 1
    }
    inputs[(head + count) % inputs.count] = sample
    count += 1
    while time >= due + reach {
      if let value = average(due) {
        emit(TimedAcceleration(timestamp: Timestamp(nanoseconds: due), acceleration: value))
      }
      due += period
      while count > 0, input(0).timestamp.nanoseconds < due - reach - period {
        head = (head + 1) % inputs.count
        count -= 1
      }
    }
  }

  private func input(_ index: Int) -> TimedAcceleration { inputs[(head + index) % inputs.count] }

  /// Returns the weighted average of the samples at `time`. The weight of each sample includes the
  /// time between its neighbours, so that uneven spacing does not bias the average.
  private func average(_ time: Int64) -> Vector3? {
    var sum = Vector3.zero
    var total = 0.0
    for index in 0..<count {
      let sample = input(index)
      let distance = abs(sample.timestamp.nanoseconds - time)
      guard distance < reach else { continue }
      let before = input(max(0, index - 1)).timestamp
      let after = input(min(count - 1, index + 1)).timestamp
      let weight = weight(distance) * Double((after - before).nanoseconds)
      sum += weight * sample.acceleration
      total += weight
    }
    return total > 0 ? sum / total : nil
  }

  private func weight(_ distance: Int64) -> Double {
    let place = Double(distance) / Double(reach) * Double(weights.count - 1)
    let index = min(Int(place), weights.count - 2)
    let part = place - Double(index)
    return weights[index] * (1 - part) + weights[index + 1] * part
  }

  /// Returns the modified Bessel function of the first kind and order zero, computed by its power
  /// series.
  private static func bessel(_ x: Double) -> Double {
    var sum = 1.0
    var term = 1.0
    var index = 1.0
    while term > sum * 1e-17 {
      term *= (x / (2 * index)) * (x / (2 * index))
      sum += term
      index += 1
    }
    return sum
  }
}
