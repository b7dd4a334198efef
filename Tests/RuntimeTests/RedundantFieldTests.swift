// SPDX-License-Identifier: Apache-2.0
import Boards
import MotionSources
import Quantities
import Runtime
import Testing

/// Tests of two magnetometers and of two barometers on a simulated board, from the board file to
/// the samples of motion.
///
/// The board lies flat with its top edge to magnetic north. The world's field is 20 microtesla to
/// the north and 45 down, so it is (0, 20, -45) in device axes; the pressure is 101.325 kPa. From 5
/// s to 15 s a motor runs near one magnetometer, whose field adds 30 microtesla on x; a draught adds
/// 20 Pa to one barometer.
@Suite struct RedundantFieldTests {
  private static let field = Vector3(0, 20, -45)
  private static let disturbance = TimeSpan.seconds(5)...TimeSpan.seconds(15)

  private static func board(_ chips: String, _ fault: String) throws -> Board {
    try Fixtures.board(
      """
      otolith-board: 1
      name: Two of a kind
      buses: { bus: { simulated: i2c } }
      chips:
        imu: { chip: mpu6050, on: bus, address: 0x68, rate-hz: 100 }
      \(chips)
      simulation:
        motion: still
        seed: 1
        faults: [{ fault: \(fault), at-s: 5, for-s: 10 }]

      """)
  }

  /// The course of a run of 25 s: the samples of motion with a channel, and the conditions of this
  /// channel in each chip during the disturbance and at the end, in the order of `chips`.
  private struct Course {
    var samples: [(seconds: Double, value: Vector3)] = []
    var own: [[(seconds: Double, value: Vector3)]] = [[], []]
    var during: [ChannelCondition] = []
    var end: [ChannelCondition] = []

    init(_ board: Board, _ channel: Channel, chips: [Int]) throws {
      let session = BoardSession(board)
      var samples = session.pipeline.samples.reader()
      var chipSamples = try #require(session.pipeline.chipSamples())
      var origin: Timestamp?
      func conditions() -> [ChannelCondition] {
        chips.compactMap { chip in
          session.pipeline.conditions(ofChip: chip).first { $0.channel == channel }
        }
      }
      var (course, own): ([(Double, Vector3)], [[(Double, Vector3)]]) = ([], [[], []])
      var during: [ChannelCondition] = []
      try session.runInstantly(for: .seconds(25)) {
        while let sourced = samples.read() {
          let first = origin ?? sourced.sample.timestamp
          origin = first
          let seconds = (sourced.sample.timestamp - first).seconds
          if sourced.sample.channels.contains(channel) {
            course.append((seconds, sourced.sample[channel]))
          }
          if seconds > 10, during.isEmpty { during = conditions() }
        }
        while let sourced = chipSamples.read() {
          guard let index = chips.firstIndex(of: Int(sourced.source)), let origin,
            sourced.sample.channels.contains(channel)
          else { continue }
          own[index].append(
            ((sourced.sample.timestamp - origin).seconds, sourced.sample[channel]))
        }
        return true
      }
      self.samples = course
      self.own = own
      self.during = during
      end = conditions()
    }

    func values(_ seconds: Range<Double>) -> [Vector3] {
      samples.filter { seconds.contains($0.seconds) }.map(\.value)
    }

    func values(ofChip index: Int, _ seconds: Range<Double>) -> [Vector3] {
      own[index].filter { seconds.contains($0.seconds) }.map(\.value)
    }
  }

  private func mean(_ values: [Vector3]) -> Vector3 {
    values.reduce(.zero, +) / Double(max(values.count, 1))
  }

  private func deviation(_ values: [Vector3]) -> Double {
    let mean = mean(values)
    let sum = values.reduce(0.0) { $0 + ($1 - mean).dot($1 - mean) }
    return (sum / Double(max(values.count, 1))).squareRoot()
  }

  @Test(arguments: [0, 1])
  func `of two magnetometers the one away from the motor wins`(_ near: Int) throws {
    let names = ["a", "b"]
    let board = try Self.board(
      """
        a: { chip: lis3mdl, on: bus, address: 0x1C, rate-hz: 80 }
        b: { chip: lis2mdl, on: bus, address: 0x1E, rate-hz: 100 }
      """, "motor-field, chip: \(names[near])")
    let course = try Course(board, .magneticField, chips: [1, 2])
    #expect(course.samples.count > 1900)
    // The motor's field is there: one chip measures (30, 20, -45), the other (0, 20, -45).
    let (disturbed, calm) = (
      mean(course.values(ofChip: near, 6..<15)), mean(course.values(ofChip: 1 - near, 6..<15))
    )
    #expect((disturbed - Vector3(30, 20, -45)).norm < 0.5 && (calm - Self.field).norm < 0.5)
    // Motion has the field without the motor; the mean of both would be off by 15 microtesla. The
    // noise of the parts is 0.3 to 0.4 microtesla in each axis. The verdict needs two samples of
    // each chip; what was wrong before is taken back over five time constants of five samples.
    let wrong = course.samples.filter { seconds, value in
      !(4.95..<5.35).contains(seconds) && (value - Self.field).norm > 3
    }
    #expect(wrong.isEmpty, "\(wrong.prefix(3))")
    #expect((mean(course.values(6..<15)) - Self.field).norm < 0.5)
    #expect(course.during.map(\.isUsed) == (near == 0 ? [false, true] : [true, false]))
    #expect(course.during[near].causes.map(\.rawValue) == ["disagreement"])
    #expect(course.during[near].faults.map(\.axis) == ["x"])
    // Ten seconds after the motor has stopped both are used again.
    #expect(course.end.allSatisfy { $0.isUsed && $0.causes.isEmpty }, "\(course.end)")
  }

  /// A draught of 20 Pa is within six standard deviations of two common barometers in moving air, so
  /// neither is left out, and the mean is off by half of it.
  @Test(arguments: [0, 1])
  func `of two barometers the mean is kept, with a draught on one`(_ near: Int) throws {
    let names = ["a", "b"]
    let board = try Self.board(
      """
        a: { chip: bmp280, on: bus, address: 0x76, rate-hz: 25 }
        b: { chip: bmp280, on: bus, address: 0x77, rate-hz: 25 }
      """, "draught, chip: \(names[near])")
    let course = try Course(board, .pressure, chips: [1, 2])
    #expect(course.samples.count > 500)
    #expect(abs(mean(course.values(ofChip: near, 6..<15)).x - 101.345) < 0.001)
    #expect(abs(mean(course.values(ofChip: 1 - near, 6..<15)).x - 101.325) < 0.001)
    #expect(abs(mean(course.values(1..<5)).x - 101.325) < 0.001)
    #expect(abs(mean(course.values(6..<15)).x - 101.335) < 0.001)
    #expect(abs(mean(course.values(16..<25)).x - 101.325) < 0.001)
    #expect((course.during + course.end).allSatisfy { $0.isUsed && $0.causes.isEmpty })
    // The noise of the mean of two equal parts is theirs over the square root of two; 225 samples
    // show it to 5 %.
    let together = deviation(course.values(16..<25))
    for chip in 0..<2 {
      let each = deviation(course.values(ofChip: chip, 16..<25))
      #expect(abs(together / each - 0.5.squareRoot()) < 0.1, "\(together) of \(each)")
    }
  }
}
