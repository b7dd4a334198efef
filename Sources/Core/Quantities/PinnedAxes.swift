// SPDX-License-Identifier: Apache-2.0

/// Counts of samples at the end of a sensor's range, where an axis of acceleration, rotation rate
/// or magnetic field stays at exactly its largest value.
package struct PinnedAxes: Sendable, BitwiseCopyable {
  /// An axis whose value stays at one end of its range.
  package struct End: Equatable, Sendable, BitwiseCopyable {
    package let channel: Channel
    /// The axis that stays at an end of its range: 0, 1 and 2 for x, y and z.
    package let axis: Int
    /// The value at which the axis stays, with its sign, in the channel's unit.
    package let value: Scalar
    /// The number of samples in which the axis stayed at its end of the range.
    package let count: Int

    package init(channel: Channel, axis: Int, value: Scalar, count: Int) {
      self.channel = channel
      self.axis = axis
      self.value = value
      self.count = count
    }
  }

  /// The largest values of an axis in one direction, with their counts.
  private struct Extreme: Sendable, BitwiseCopyable {
    var value = -Scalar.infinity
    var count = 0
    /// The number of samples whose value equals that of the sample before.
    var repeats = 0
    /// The second largest value and its count. A coarse sensor near a peak reaches both values
    /// about equally often, whereas a sensor at its end of range does not.
    var second = -Scalar.infinity
    var seconds = 0

    mutating func add(_ value: Scalar, isRepeat: Bool) {
      if value == self.value {
        count &+= 1
        if isRepeat { repeats &+= 1 }
      } else if value > self.value {
        (second, seconds) = (self.value, count)
        (self.value, count, repeats) = (value, 1, 0)
      } else if value == second {
        seconds &+= 1
      } else if value > second {
        (second, seconds) = (value, 1)
      }
    }
  }

  /// The number of combinations that `end(at:)` distinguishes: three channels, three axes, two
  /// directions.
  package static var places: Int { 18 }

  private var extremes = InlineArray<18, Extreme>(repeating: Extreme())
  private var last = InlineArray<9, Scalar>(repeating: .nan)
  private var counts = InlineArray<3, Int>(repeating: 0)

  package init() {}

  private static func number(of channel: Channel) -> Int? {
    switch channel {
    case .acceleration: 0
    case .rotationRate: 1
    case .magneticField: 2
    default: nil
    }
  }

  /// Counts a sample, which is in the sensor's axes.
  package mutating func add(_ value: Vector3, of channel: Channel) {
    guard let channel = Self.number(of: channel) else { return }
    counts[channel] &+= 1
    for axis in 0..<3 {
      let number = axis == 0 ? value.x : axis == 1 ? value.y : value.z
      let place = 3 * channel + axis
      let isRepeat = number == last[place]
      last[place] = number
      extremes[2 * place].add(number, isRepeat: isRepeat)
      extremes[2 * place + 1].add(-number, isRepeat: isRepeat)
    }
  }

  /// Returns the end of the range at which an axis stays in one direction; `nil` if the axis does
  /// not stay at one value. `place`, from 0 to `places`, numbers the axes and directions. `range`
  /// returns the full scale of a channel if the full scale is known; an axis that is always at the
  /// end of its range is then recognised too.
  package func end(at place: Int, range: (Channel) -> Scalar? = { _ in nil }) -> End? {
    guard place >= 0, place < Self.places else { return nil }
    let (channel, least): (Channel, Scalar) =
      switch place / 6 {
      // `least` is the smallest end of range that any sensor has for the channel.
      case 0: (.acceleration, 1.9)
      case 1: (.rotationRate, 2.1)
      default: (.magneticField, 80)
      }
    let extreme = extremes[place]
    let all = counts[place / 6]
    guard extreme.value >= least, extreme.value.isFinite, extreme.count >= 3,
      extreme.repeats >= 1, extreme.count > 2 * extreme.seconds
    else { return nil }
    let isBeyond = range(channel).map { extreme.value >= $0 * 0.99 } ?? false
    guard extreme.count < all - all / 2 || isBeyond else { return nil }
    return End(
      channel: channel, axis: place / 2 % 3,
      value: place % 2 == 0 ? extreme.value : -extreme.value, count: extreme.count)
  }
}
