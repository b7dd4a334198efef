// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// Five successive values of a sequence, whose fourth difference shows the sequence's white noise.
/// It suppresses motion: at a twentieth of the sampling rate, only a hundredth of the amplitude
/// remains.
struct FourthDifference: Sendable {
  private var sum = Vector3.zero

  /// Adds the value number `place`, from 0 to 4.
  @inline(__always)
  mutating func add(_ value: Vector3, at place: UInt8) {
    switch place {
    case 0: sum = value
    case 2: sum += value * 6
    case 4: sum += value
    default: sum -= value * 4
    }
  }

  /// The variance of the white noise that would cause this fourth difference, summed over all axes.
  var noise: Scalar {
    // 70 is the sum of the squares of the coefficients 1, -4, 6, -4 and 1.
    sum.dot(sum) * (1 / 70)
  }
}

/// An upper bound of the variance of a sequence's white noise, in each axis. It is a bound because
/// motion and glitches in the sequence count as noise too.
struct Roughness: Sendable {
  private(set) var bound: Scalar
  private var values = FourthDifference()
  private var place: UInt8 = 0

  init(_ expected: Scalar) { bound = expected }

  /// Starts a new sequence, because the next value follows a gap.
  mutating func interrupt() { place = 0 }

  /// Adds the next value, `seconds` after the previous one.
  @inline(__always)
  mutating func add(_ value: Vector3, after seconds: Scalar, axes: Scalar) {
    values.add(value, at: place)
    place += 1
    guard place == 5 else { return }
    place = 0
    bound += memoryShare(5 * seconds) * (values.noise / axes - bound)
  }
}

/// The variance of the white noise in a member's difference from the member that leads.
struct PairNoise: Sendable {
  /// The variance in each axis. Glitches are limited, and the part that motion explains is
  /// subtracted.
  private(set) var difference: Scalar
  /// An upper bound of the leading member's part in this variance, from the leading member's values
  /// at the times of the member's samples.
  private(set) var lead: Scalar
  private let expected: Scalar
  /// The smaller of the two variances from the traits.
  private let least: Scalar
  private var differences = FourthDifference()
  private var leads = FourthDifference()
  private var place: UInt8 = 0
  /// The sum of `known` of the values so far.
  private var known = 0.0

  /// Creates mean values that start with the variances from the traits.
  init(member: Scalar, lead: Scalar) {
    expected = member + lead
    least = min(member, lead)
    difference = expected
    self.lead = lead
  }

  mutating func interrupt() { (place, known) = (0, 0) }

  /// Adds the next difference and the leading member's value at that time, `seconds` after the
  /// previous ones. `known` is the variance of the difference that motion explains.
  @inline(__always)
  mutating func add(
    _ difference: Vector3, lead: Vector3, after seconds: Scalar, axes: Scalar, known: Scalar
  ) {
    differences.add(difference, at: place)
    leads.add(lead, at: place)
    self.known += known
    place += 1
    guard place == 5 else { return }
    let share = memoryShare(5 * seconds)
    self.lead += share * (leads.noise / axes - self.lead)
    // A single step, as at the beginning of another fault, must not make the quieter of the two
    // noisy.
    let most = min(
      GroupParams.shock * max(self.difference, expected),
      GroupParams.noisy * least * max(0.5 / share, 2))
    let noise = max(0, differences.noise / axes - 0.2 * self.known)
    self.difference += share * (min(noise, most) - self.difference)
    interrupt()
  }
}

/// Returns the weight of a new value in a mean over `GroupParams.memory`.
@inline(__always)
func memoryShare(_ seconds: Scalar) -> Scalar {
  seconds < GroupParams.memory ? seconds / GroupParams.memory : 1
}
