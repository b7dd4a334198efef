// SPDX-License-Identifier: Apache-2.0

/// The size of one count of a chip's 16-bit converters for each channel, in the channel's unit; 0
/// if unknown.
package struct CountSizes: Equatable, Sendable, BitwiseCopyable {
  package var acceleration: Scalar = 0
  package var rotationRate: Scalar = 0
  package var magneticField: Scalar = 0
  /// The smallest raw value of a measurement.
  package var lowestCode: Scalar = -32768

  package init() {}
}

/// A counter of samples at the end of a sensor's range. If the size of one count is known, these
/// are the samples with the largest or the smallest code. Otherwise an axis is considered to be at
/// the end of its range while it stays at exactly its largest value.
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
    /// The number of samples whose value equals the value of the previous sample.
    var repeats = 0
    /// The number of samples in which this axis kept its value while another axis of the sensor
    /// changed.
    var alone = 0
    /// The second largest value and its count. Near a peak, a sensor with coarse resolution reaches
    /// its two largest values about equally often; a sensor at the end of its range does not.
    var second = -Scalar.infinity
    var seconds = 0

    mutating func add(_ value: Scalar, isRepeat: Bool, isAlone: Bool) {
      if value == self.value {
        count &+= 1
        if isRepeat { repeats &+= 1 }
        if isRepeat, isAlone { alone &+= 1 }
      } else if value > self.value {
        (second, seconds) = (self.value, count)
        (self.value, count, repeats, alone) = (value, 1, 0, 0)
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
  /// The size of one count of each channel; 0 if unknown.
  private var sizes = InlineArray<3, Scalar>(repeating: 0)
  private let lowestCode: Scalar
  /// The number of samples at each end of the range, for the channels whose size of one count is
  /// known.
  private var clipped = InlineArray<18, Int>(repeating: 0)

  package init(_ sizes: CountSizes = CountSizes()) {
    lowestCode = sizes.lowestCode
    self.sizes[0] = sizes.acceleration
    self.sizes[1] = sizes.rotationRate
    self.sizes[2] = sizes.magneticField
  }

  private static func number(of channel: Channel) -> Int? {
    switch channel {
    case .acceleration: 0
    case .rotationRate: 1
    case .magneticField: 2
    default: nil
    }
  }

  /// Adds a sample, given in the sensor's axes.
  package mutating func add(_ value: Vector3, of channel: Channel) {
    guard let channel = Self.number(of: channel) else { return }
    counts[channel] &+= 1
    guard sizes[channel] == 0 else { return addCodes(value, of: channel) }
    let isAnotherValue =
      value.x != last[3 * channel] || value.y != last[3 * channel + 1]
      || value.z != last[3 * channel + 2]
    for axis in 0..<3 {
      let number = axis == 0 ? value.x : axis == 1 ? value.y : value.z
      let place = 3 * channel + axis
      let isRepeat = number == last[place]
      last[place] = number
      extremes[2 * place].add(number, isRepeat: isRepeat, isAlone: isAnotherValue)
      extremes[2 * place + 1].add(-number, isRepeat: isRepeat, isAlone: isAnotherValue)
    }
  }

  /// Counts the axes whose code is 32767 or the lowest code.
  private mutating func addCodes(_ value: Vector3, of channel: Int) {
    let (high, low) = (32766.5 * sizes[channel], (lowestCode + 0.5) * sizes[channel])
    for axis in 0..<3 {
      let number = axis == 0 ? value.x : axis == 1 ? value.y : value.z
      let place = 2 * (3 * channel + axis)
      if number >= high { clipped[place] &+= 1 } else if number <= low { clipped[place + 1] &+= 1 }
    }
  }

  /// Returns the end of the range at which an axis stays in one direction; `nil` if the axis does
  /// not stay at one value. `place`, from 0 to `places`, numbers the axes and directions. `range`
  /// returns the full scale of a channel, or `nil` if unknown. If the full scale is known, the
  /// function also recognises an axis that is always at the end of its range, even if the whole
  /// sensor is stuck.
  package func end(at place: Int, range: (Channel) -> Scalar? = { _ in nil }) -> End? {
    guard place >= 0, place < Self.places else { return nil }
    guard sizes[place / 6] == 0 else { return codeEnd(at: place) }
    let (channel, least): (Channel, Scalar) =
      switch place / 6 {
      // `least` is the smallest value of the channel at which any sensor can reach the end of its
      // range.
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
    // An axis that keeps one value for most of the time is at the end of its range if the other
    // axes keep changing; otherwise the whole sensor may be stuck.
    guard extreme.count < all - all / 2 || isBeyond || extreme.alone > extreme.count / 2 else {
      return nil
    }
    return End(
      channel: channel, axis: place / 2 % 3,
      value: place % 2 == 0 ? extreme.value : -extreme.value, count: extreme.count)
  }
  private func codeEnd(at place: Int) -> End? {
    guard clipped[place] > 0 else { return nil }
    let channel: Channel =
      switch place / 6 {
      case 0: .acceleration
      case 1: .rotationRate
      default: .magneticField
      }
    return End(
      channel: channel, axis: place / 2 % 3,
      value: sizes[place / 6] * (place % 2 == 0 ? 32767 : lowestCode), count: clipped[place])
  }
}
