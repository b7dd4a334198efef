// SPDX-License-Identifier: Apache-2.0
import CAllocationCounter
import Foundation
import Quantities
import Redundancy
import Testing

struct SensorGroupsTests {
  static func sample(_ channels: ChannelSet, at milliseconds: Int64, x: Scalar) -> Sample {
    var sample = Sample(timestamp: .zero + .milliseconds(milliseconds), channels: channels)
    for channel in Channel.allCases where channels.contains(channel) {
      sample[channel] = Vector3(x, 0, 0)
    }
    return sample
  }

  @Test func `a channel that one chip samples passes to the last bit`() {
    var groups = SensorGroups()
    groups.add(chipWith: [.acceleration, .rotationRate, .temperature]) {
      SensorTraits($0, interval: 0.01)
    }
    groups.add(chipWith: [.magneticField, .pressure]) { SensorTraits($0, interval: 0.01) }
    let first = Self.sample([.acceleration, .rotationRate, .temperature], at: 3, x: 0.1)
    let second = Self.sample([.magneticField, .pressure], at: 4, x: 0.2)
    #expect(groups.add(first, from: 0) == first)
    #expect(groups.add(second, from: 1) == second)
    #expect(groups.shared.isEmpty)
  }

  @Test func `of two chips' rotation rates one sample comes out for each interval`() {
    var groups = SensorGroups()
    for _ in 0..<2 {
      groups.add(chipWith: [.rotationRate]) { SensorTraits($0, interval: 0.01) }
    }
    var count = 0
    for k in 0..<100 {
      for chip in 0..<2 {
        let sample = Self.sample(.rotationRate, at: Int64(10 * k + 3 * chip), x: 0)
        if groups.add(sample, from: chip) != nil { count += 1 }
      }
    }
    #expect(count == 100)
    #expect(groups.shared == .rotationRate)
  }

  static func twoIMUs(place: Vector3 = .zero) -> SensorGroups {
    var groups = SensorGroups()
    for k in 0..<2 {
      let alignment = SensorAlignment(leverArm: k == 0 ? .zero : place)
      groups.add(chipWith: [.acceleration, .rotationRate, .magneticField], alignment: alignment) {
        SensorTraits($0, interval: 0.005)
      }
    }
    return groups
  }

  @Test func `a sample of several chips allocates nothing`() {
    var groups = Self.twoIMUs()
    var count = 0
    // A set that is written as an array allocates where nothing is optimised.
    let channels: ChannelSet = [.acceleration, .rotationRate, .magneticField]
    func run(_ range: Range<Int>) {
      for k in range {
        for chip in 0..<2 {
          var sample = Sample(
            timestamp: Timestamp(nanoseconds: Int64(5_000_000 * k + 2_000_000 * chip)),
            channels: channels)
          sample.acceleration = Vector3(0, 0.001 * Scalar(k % 7), -1)
          sample.rotationRate = Vector3(0.01 * Scalar(k % 5), 0, 0)
          sample.magneticField = Vector3(20, 0.1 * Scalar(k % 3), -40)
          if groups.add(sample, from: chip) != nil { count += 1 }
        }
      }
    }
    run(0..<10)
    let before = otolith_allocations_of_thread()
    run(10..<2000)
    #expect(otolith_allocations_of_thread() - before == 0)
    #expect(count == 2000)
  }

  @Test func `accelerations are moved to the place of the first chip`() {
    // 10 rad/s about z: a chip 5 cm along x is pulled by r w^2 = 5 m/s^2.
    let place = Vector3(0.05, 0, 0)
    var groups = Self.twoIMUs(place: place)
    let pull = 0.05 * 100 / 9.80665
    var worst: Scalar = 0
    for k in 0..<400 {
      for chip in 0..<2 {
        var sample = Sample(
          timestamp: Timestamp(nanoseconds: Int64(5_000_000 * k + 2_000_000 * chip)),
          channels: [.acceleration, .rotationRate])
        sample.rotationRate = Vector3(0, 0, 10)
        // The force of the chip points inwards; Core Motion's sign turns it.
        sample.acceleration = Vector3(chip == 0 ? 0 : pull, 0, -1)
        guard let out = groups.add(sample, from: chip), out.channels.contains(.acceleration)
        else { continue }
        worst = max(worst, (out.acceleration - Vector3(0, 0, -1)).norm)
      }
    }
    #expect(worst < 0.001, "\(worst)")
    #expect(groups.condition(ofChip: 1, channel: .acceleration)?.isGood == true)
  }

  @Test func `the rotation of an alignment applies to channels that only its chip samples`() {
    var groups = SensorGroups()
    let quarter = Quaternion(angle: .pi / 2, axis: Vector3(0, 0, 1))
    groups.add(chipWith: .rotationRate) { SensorTraits($0, interval: 0.01) }
    groups.add(chipWith: .magneticField, alignment: SensorAlignment(rotation: quarter)) {
      SensorTraits($0, interval: 0.01)
    }
    let sample = Self.sample(.magneticField, at: 5, x: 30)
    let out = groups.add(sample, from: 1)
    #expect(out.map { abs($0.magneticField.y - 30) < 1e-6 } == true)
  }

  @Test func `of two gyroscopes that differ the one of a chip with another fault is named`() {
    var groups = Self.twoIMUs()
    for k in 0..<1200 {
      for chip in 0..<2 {
        let time = 0.005 * Scalar(k) + 0.002 * Scalar(chip)
        var sample = Sample(
          timestamp: Timestamp(seconds: Double(time)), channels: [.acceleration, .rotationRate])
        // The range is lost while nothing turns, so that no rate jumps.
        let factor: Scalar = chip == 1 && time >= 3 ? 8 : 1
        let turn = time < 3.5 ? 0 : time - 3.5
        sample.rotationRate = Vector3(0.5 * turn * turn * factor, 0.0003 * Scalar(k % 5), 0)
        sample.acceleration = Vector3(0, 0.0003 * Scalar(k % 3), -factor)
        _ = groups.add(sample, from: chip)
      }
    }
    #expect(groups.condition(ofChip: 1, channel: .acceleration)?.isUsed == false)
    #expect(groups.condition(ofChip: 1, channel: .rotationRate)?.isUsed == false)
    #expect(groups.condition(ofChip: 0, channel: .acceleration)?.isUsed == true)
    #expect(groups.condition(ofChip: 0, channel: .rotationRate)?.isUsed == true)
  }
}

extension SensorGroupsTests {
  /// A compass may be the first chip of the board; it has no axes for the gyroscopes.
  @Test(arguments: [false, true])
  func `a second chip that is turned does not turn the board`(hasCompass: Bool) {
    // Both parts have axes that are 0.7 degrees off, and the second one is mounted within 2 degrees.
    let turn = Quaternion(rotationVector: Vector3(0, 0, 3 * degree))
    for isFirstSooner in [true, false] {
      var groups = SensorGroups()
      if hasCompass {
        groups.add(chipWith: .magneticField) { SensorTraits($0, interval: 0.02) }
      }
      let first = groups.count
      for _ in 0..<2 {
        groups.add(chipWith: [.acceleration, .rotationRate, .magneticField]) {
          SensorTraits($0, interval: 0.005)
        }
      }
      var (sum, norm) = (Scalar(0), Scalar(0))
      for k in 0..<8000 {
        let time = Scalar(k) * 0.005
        let rate = Vector3(sin(2 * time), sin(2.7 * time), sin(3.1 * time))
        for chip in isFirstSooner ? [0, 1] : [1, 0] {
          var sample = Sample(
            timestamp: Timestamp(seconds: Double(time)), channels: .rotationRate)
          sample.rotationRate = chip == 0 ? rate : turn.rotate(rate)
          guard let combined = groups.add(sample, from: first + chip), time > 30 else { continue }
          sum += rate.cross(combined.rotationRate).z
          norm += rate.x * rate.x + rate.y * rate.y
        }
      }
      // The share of the rotation is that of the variances: 0.7 squared of 0.7, 0.7 and 2 squared.
      let share: Scalar = 0.7 * 0.7 / (2 * 0.7 * 0.7 + 2 * 2)
      let angle = sum / norm
      #expect(abs(angle - 3 * degree * share) < 0.1 * degree, "\(angle / degree)")
    }
  }
}
