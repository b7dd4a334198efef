// SPDX-License-Identifier: Apache-2.0
import Foundation
import Quantities
@testable import Recordings
import Testing

/// MCAP files as other drivers write them: the topics that are read, and the times that are used.
@Suite struct MCAPTopicTests {
  private static let second: Int64 = 1_000_000_000
  /// A time in 2023.
  private static let epoch = 1_700_000_000 * second
  private static let imu = "sensor_msgs/msg/Imu"
  private static let still = [0.0, 0, 9.80665]

  /// Returns a file with IMU messages on `/imu`, 0.1 s apart by their log time.
  private static func file(_ messages: [[UInt8]]) -> [UInt8] {
    var builder = MCAPBuilder()
    builder.topic(1, "/imu", imu)
    for (number, data) in messages.enumerated() {
      builder.add(builder.message(1, log: epoch + Int64(number) * second / 10, data))
    }
    return builder.whole
  }

  @Test(arguments: [0, 5]) func `where stamps stand still the times of writing are read`(
    _ stamp: Int64
  ) {
    let reading = MCAPReading(
      Self.file(
        (1...3).map {
          MCAPBuilder.imu(
            rate: [0, 0, Double($0)], acceleration: Self.still, stamp: stamp * Self.second)
        }), .strict)
    #expect(reading.times == [1_700_000_000, 1_700_000_000.1, 1_700_000_000.2])
    #expect(
      reading.notes == [
        "a.mcap: the stamps of /imu are all \(stamp) s: read by the times at which its messages "
          + "were written"
      ])
  }

  @Test(arguments: [
    ("foxglove.Imu", "protobuf", "foxglove.Imu, protobuf"),
    ("sensor_msgs/Imu", "ros1", "sensor_msgs/Imu, ros1"),
    ("std_msgs/msg/String", "cdr", "std_msgs/msg/String"), ("", "json", "json"),
  ])
  func `where no topic has samples its type is said`(
    _ type: String, _ encoding: String, _ said: String
  ) {
    var builder = MCAPBuilder()
    builder.topic(1, "/imu", type, encoding: encoding)
    builder.add(builder.message(1, log: Self.epoch, [0, 1, 0, 0]))
    #expect(
      complaint(builder.whole)
        == "walk.csv: no topic has samples: /imu (\(said)), expected sensor_msgs such as "
        + "/imu/data_raw, as otolith record writes them")
  }

  /// Python's mcap-ros2-support is often used with this form.
  @Test func `a type without its middle is read`() throws {
    var builder = MCAPBuilder()
    builder.topic(1, "/imu", "sensor_msgs/Imu")
    builder.add(
      builder.message(
        1, log: Self.epoch,
        MCAPBuilder.imu(rate: [0, 0, 1], acceleration: Self.still, stamp: Self.epoch)))
    #expect(MCAPReading(builder.whole).times == [1_700_000_000])
  }

  @Test func `topics of several clocks are read by the times of writing`() {
    var builder = MCAPBuilder()
    builder.topic(1, "/imu", Self.imu)
    builder.topic(2, "/pressure", "sensor_msgs/msg/FluidPressure")
    for number in 0..<3 {
      let time = Int64(number) * Self.second
      builder.add(
        builder.message(
          1, log: Self.epoch + time,
          MCAPBuilder.imu(rate: [1, 0, 0], acceleration: Self.still, stamp: 7000 + time)))
      builder.add(
        builder.message(
          2, log: Self.epoch + time + 1, MCAPBuilder.number(98_000, stamp: Self.epoch + time)))
    }
    let reading = MCAPReading(builder.whole)
    #expect(
      reading.samples.map { ($0.timestamp.nanoseconds - Self.epoch) % Self.second }
        == [0, 1, 0, 1, 0, 1])
    #expect(
      reading.notes == [
        "a.mcap: the stamps of /pressure are 1699999998 s from those of /imu: all are read by the "
          + "times at which messages were written"
      ])
  }

  /// RealSense has a topic for each sensor, both with the type of an IMU.
  @Test func `halves that are zero throughout are no measurement, and two are read as one`() {
    var builder = MCAPBuilder()
    builder.topic(1, "/camera/accel/sample", Self.imu)
    builder.topic(2, "/camera/gyro/sample", Self.imu)
    for number in 0..<4 {
      let time = Self.epoch + Int64(number) * Self.second
      builder.add(
        builder.message(
          1, log: time,
          MCAPBuilder.imu(rate: [0, 0, 0], acceleration: Self.still, stamp: time)))
      builder.add(
        builder.message(
          2, log: time,
          MCAPBuilder.imu(rate: [0.1, 0, 0], acceleration: [0, 0, 0], stamp: time + 5_000_000)))
    }
    let reading = MCAPReading(builder.whole, .strict)
    #expect(reading.error == nil && reading.samples.count == 8)
    #expect(
      reading.notes == [
        "a.mcap: angular_velocity of /camera/accel/sample is always 0 and was not read",
        "a.mcap: linear_acceleration of /camera/gyro/sample is always 0 and was not read",
      ])
    for (number, sample) in reading.samples.enumerated() {
      #expect(sample.channels == (number % 2 == 0 ? .acceleration : .rotationRate))
    }
    #expect(reading.samples.first?.acceleration == Vector3(0, 0, -1))
  }

  @Test func `a rate that its covariance denies is not there`() {
    let messages = (0..<3).map {
      MCAPBuilder.imu(
        rate: [9, 9, 9], acceleration: Self.still, stamp: Self.epoch + $0, isRateAbsent: true)
    }
    let reading = MCAPReading(Self.file(messages), .strict)
    #expect(reading.channels == .acceleration && reading.notes == [])
  }

  @Test func `what was fused gives way to what was measured`() {
    var builder = MCAPBuilder()
    builder.topic(1, "/front/imu/data", Self.imu)
    builder.topic(2, "/front/imu/data_raw", Self.imu)
    for number in 0..<3 {
      let time = Self.epoch + Int64(number) * Self.second
      for (id, rate) in [(UInt16(1), 1.0), (2, 2.0)] {
        builder.add(
          builder.message(
            id, log: time,
            MCAPBuilder.imu(rate: [rate, 0, 0], acceleration: Self.still, stamp: time)))
      }
    }
    let reading = MCAPReading(builder.whole, .strict)
    #expect(reading.samples.map(\.rotationRate.x) == [2, 2, 2])
  }

  @Test func `two topics of one quantity are refused, with the way on`() {
    var builder = MCAPBuilder()
    for id in [UInt16(1), 2] {
      builder.topic(id, "/imu\(id)", Self.imu)
      builder.add(
        builder.message(
          id, log: 1, MCAPBuilder.imu(rate: [1, 0, 0], acceleration: Self.still, stamp: 1)))
    }
    #expect(
      MCAPReading(builder.whole).error
        == "a.mcap: /imu2 has the same quantity as another topic, expected one topic for each "
        + "quantity; mcap filter a.mcap -n /imu2 -o one.mcap")
  }

  @Test func `topics that are not read are named, but for those of each file`() {
    var builder = MCAPBuilder()
    let types = [
      ("/pressure", "sensor_msgs/msg/FluidPressure", "cdr"),
      ("/image", "sensor_msgs/msg/Image", "cdr"), ("/tf", "tf2_msgs/msg/TFMessage", "cdr"),
      ("/json", "", "json"),
    ]
    for (id, type) in zip(UInt16(1)..., types) {
      builder.topic(id, type.0, type.1, encoding: type.2)
      builder.add(builder.message(id, log: 1, MCAPBuilder.number(98_000, stamp: 1)))
    }
    #expect(
      MCAPReading(builder.whole, .strict).notes == [
        "a.mcap: topics not read: /image (sensor_msgs/msg/Image), /json (json)"
      ])
  }

  @Test func `values that are not numbers are left out and counted, huge ones do not trap`() {
    let values: [Double] = [1, .nan, .infinity, -.infinity, 1e308, 1e19, 2]
    let bytes = Self.file(
      values.enumerated().map {
        MCAPBuilder.imu(
          rate: [$1, 0, 0], acceleration: [$1, 0, 9.81], stamp: Self.epoch + Int64($0))
      })
    let reading = MCAPReading(bytes)
    #expect(reading.samples.map(\.rotationRate.x) == [1, 1e308, 1e19, 2])
    #expect(
      reading.remark?.hasPrefix("a.mcap: 7 of 7 messages are read; 6 values are not numbers")
        == true
    )
    #expect(
      reading.warnings.contains(
        "a.mcap: 2 samples of rotationRate of up to 1e+308 rad/s, beyond the range of any sensor, "
          + "and not used"))
    #expect(
      MCAPReading(bytes, .strict).error?.hasSuffix(
        "has a value that is not a number, expected numbers") == true)
  }

  @Test func `stamps of the ends of time do not trap`() {
    for stamps in [[Int64.max, 0, .min], [0, .max], [.min, .max, .min]] {
      var builder = MCAPBuilder()
      builder.topic(1, "/pressure", "sensor_msgs/msg/FluidPressure")
      for stamp in stamps {
        var writer = CDRWriter()
        writer.write(Int32(clamping: stamp))
        writer.write(UInt32.max)
        writer.write("")
        writer.write([98_000, 0])
        builder.add(builder.message(1, log: stamp, writer.bytes))
      }
      let reading = MCAPReading(builder.whole)
      #expect(reading.error != nil || !reading.samples.isEmpty)
    }
  }

  @Test func `acceleration without gravity is doubted, as in a CSV file`() {
    let messages = (0..<40).map {
      MCAPBuilder.imu(
        rate: [0.1, 0, 0], acceleration: [0.1, -0.1, 0.05],
        stamp: Self.epoch + $0 * Self.second / 100)
    }
    let reading = MCAPReading(Self.file(messages))
    #expect(
      reading.warnings == [
        "a.mcap: acceleration is 0.02 g on the mean, as if gravity had been removed; fusion needs "
          + "it for the horizon: record the acceleration with gravity"
      ])
  }

  /// `--units` states the units of the messages: ROS's acceleration in g, rates in degrees.
  @Test func `units are those of the messages`() {
    let messages = (0..<3).map {
      MCAPBuilder.imu(rate: [180, 0, 0], acceleration: [0, 0, 1], stamp: Self.epoch + $0)
    }
    let units = ["g", "deg/s"].compactMap(MeasuredUnit.named)
    let reading = MCAPReading(
      Self.file(messages), .strict, RecordingConventions(units: units))
    #expect(reading.samples.first?.acceleration == Vector3(0, 0, -1))
    #expect(reading.samples.first?.rotationRate == Vector3(.pi, 0, 0))
  }

  @Test func `columns and a unit of time are refused, as topics have types`() {
    let bytes = Self.file([MCAPBuilder.imu(rate: [1, 0, 0], acceleration: Self.still, stamp: 1)])
    let columns = RecordingConventions(columns: ["acceleration=a"].compactMap(ColumnName.init))
    #expect(
      MCAPReading(bytes, .lenient, columns).error
        == "a.mcap: an MCAP file has topics with types, and no columns; leave out --columns")
    #expect(
      MCAPReading(bytes, .lenient, RecordingConventions(timeUnit: .ms)).error
        == "a.mcap: an MCAP file has topics with types, and no columns; leave out --time-unit")
  }
}
