// SPDX-License-Identifier: Apache-2.0
import Foundation
import LinuxSystem
import Quantities
import Registers
import Sensors
import SystemPackage
import Testing

@testable import KernelSensors

private final class HeldClock {
  var now = Timestamp(nanoseconds: 1_000_000_000_000)
}

/// A sensor in a made-up sysfs, whose buffer is a pipe that the test writes to.
private final class Bench {
  let sysfs: FakeSysfs
  let number: Int
  let driver: KernelSensorDriver
  private let writer: FileDescriptor
  private let clock = HeldClock()

  var time: Timestamp {
    get { clock.now }
    set { clock.now = newValue }
  }

  init(_ number: Int, at place: String, _ files: [String: String]) throws {
    sysfs = try FakeSysfs()
    self.number = number
    try sysfs.add(number, at: place, files)
    let sensor = try #require(sysfs.sensors.first)
    let path = "\(sysfs.root)/node"
    let made = unsafe mkfifo(path, 0o600)  // keeps no pointer
    try #require(made == 0)
    let reader = try FileDescriptor.open(FilePath(path), .readOnly, options: [.nonBlocking])
    writer = try FileDescriptor.open(FilePath(path), .writeOnly)
    let clock = clock
    driver = KernelSensorDriver(sensor, OwnedDescriptor(owning: reader), time: { clock.now })
  }

  deinit { try? writer.close() }

  /// True if the node has something to read.
  var isReadable: Bool {
    var poller = Poller()
    if let descriptor = driver.fileDescriptor { poller.add(descriptor) }
    return (try? poller.wait(until: .zero)) == 1
  }

  /// Starts the sensor at `rate`, with what the pipe may hold from before.
  func start(_ settings: SensorSettings) throws {
    _ = try driver.configure(settings)
    driver.start()
    var batch = RawBatch()
    _ = try driver.step(.due, into: &batch)
    #expect(batch.frames == 0)
  }

  func write(_ bytes: [UInt8]) throws { #expect(try writer.writeAll(bytes) == bytes.count) }

  /// Lets the driver take what is there. Returns the readings with their times.
  func take() throws -> [(reading: ChipReading, time: Timestamp, missing: UInt32)] {
    var taken: [(ChipReading, Timestamp, UInt32)] = []
    var batch = RawBatch()
    while true {
      batch.removeAll()
      let next = try driver.step(Event(edges: 1, edgeTime: time), into: &batch)
      for frame in 0..<batch.frames {
        taken.append(
          (driver.decode(batch, frame: frame), batch.timestamp(ofFrame: frame), batch.missing))
      }
      if case .at(let due) = next, due <= time { continue }
      return taken
    }
  }
}

/// The bytes of a number, the lowest first.
private func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
  (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}

/// A scan of the BMI160: six words, then the time stamp at byte 16.
private func scan(_ words: [Int16], at nanoseconds: Int64) -> [UInt8] {
  words.flatMap(bytes) + [0xEE, 0xEE, 0xEE, 0xEE] + bytes(nanoseconds)
}

struct KernelSensorDriverTests {
  private let settings = SensorSettings(
    rate: 100, accelerationRange: 4, rotationRateRange: 500 * .pi / 180,
    batchInterval: .milliseconds(10))

  @Test func `the sensor is set up before its buffer is enabled`() throws {
    let bench = try Bench(0, at: "1-0068", Samples.bmi160)
    try bench.start(settings)
    // The texts that the kernel offers for 4 g, 500 degrees/s and 100 Hz.
    #expect(bench.sysfs.text("in_accel_scale", of: 0) == "0.001197")
    #expect(bench.sysfs.text("in_anglvel_scale", of: 0) == "0.000266")
    #expect(bench.sysfs.text("in_accel_sampling_frequency", of: 0) == "100")
    #expect(bench.sysfs.text("in_anglvel_sampling_frequency", of: 0) == "100")
    #expect(bench.sysfs.text("current_timestamp_clock", of: 0) == "monotonic")
    for name in ["accel_x", "accel_z", "anglvel_y"] {
      #expect(bench.sysfs.text("scan_elements/in_\(name)_en", of: 0) == "1")
    }
    #expect(bench.sysfs.text("scan_elements/in_timestamp_en", of: 0) == "1")
    #expect(bench.sysfs.text("buffer/length", of: 0) == "200")
    #expect(bench.sysfs.text("buffer/enable", of: 0) == "1")
    #expect(bench.sysfs.text("trigger/current_trigger", of: 0) == "bmi160-dev0")
    try bench.driver.stop()
    #expect(bench.sysfs.text("buffer/enable", of: 0) == "0")
  }

  @Test func `a scan is a reading in g and rad/s at the kernel's time`() throws {
    let bench = try Bench(0, at: "1-0068", Samples.bmi160)
    try bench.start(settings)
    try bench.write(scan([0, 0, 8192, 1000, -1000, 0], at: 999_990_000_000))
    let taken = try bench.take()
    try #require(taken.count == 1)
    // 8192 counts of 0.001197 m/s^2 are 0.99991 g; 1000 counts of 0.000266 rad/s are 0.266 rad/s.
    #expect(abs(taken[0].reading.specificForce.z - 8192 * 0.001197 / 9.80665) < 1e-12)
    #expect(taken[0].reading.rotationRate == Vector3(1000 * 0.000266, -1000 * 0.000266, 0))
    #expect(taken[0].reading.channels == [.acceleration, .rotationRate])
    #expect(taken[0].time == Timestamp(nanoseconds: 999_990_000_000))
    #expect(bench.driver.health.received == 1 && bench.driver.health.missing == 0)
  }

  /// The kernel stamps each sample; a batch of several need not be evenly spaced.
  @Test func `scans that come together keep their own times, and a gap is counted`() throws {
    let bench = try Bench(0, at: "1-0068", Samples.bmi160)
    try bench.start(settings)
    let times: [Int64] = [0, 10_400_000, 19_800_000, 60_100_000, 70_000_000]
    let begin: Int64 = 999_900_000_000
    try bench.write(times.flatMap { scan([1, 2, 3, 4, 5, 6], at: begin + $0) })
    let taken = try bench.take()
    #expect(taken.map { $0.time.nanoseconds - begin } == times)
    #expect(taken.map(\.missing) == [0, 0, 0, 3, 0] && bench.driver.health.missing == 3)
  }

  @Test func `a scan that is cut by the end of a read is put together`() throws {
    let bench = try Bench(0, at: "1-0068", Samples.bmi160)
    try bench.start(settings)
    let both =
      scan([1, 2, 3, 4, 5, 6], at: 999_000_000_000) + scan([7, 8, 9, 1, 2, 3], at: 999_010_000_000)
    try bench.write(Array(both[..<31]))
    #expect(try bench.take().count == 1)
    try bench.write(Array(both[31...]))
    #expect(try bench.take().map(\.time.nanoseconds) == [999_010_000_000])
  }

  @Test func `what was left in the buffer before the start is no sample`() throws {
    let bench = try Bench(0, at: "1-0068", Samples.bmi160)
    try bench.write(scan([9, 9, 9, 9, 9, 9], at: 1))
    try bench.start(settings)
    #expect(try bench.take().isEmpty)
  }

  /// A hub's accelerometer reports -1 g on the axis that points up, and may have no time stamps.
  @Test func `a hub's gravity is turned into specific force`() throws {
    let bench = try Bench(1, at: "0018:8086:22D8.0001/HID-SENSOR-200073.1.auto", Samples.hub)
    try bench.start(settings)
    try bench.write([0, 0, Int32(-980_665)].flatMap(bytes))
    let taken = try bench.take()
    try #require(taken.count == 1)
    #expect(abs(taken[0].reading.specificForce.z - 1) < 1e-9)
    #expect(taken[0].time == bench.time)
  }

  /// A hub that counts from its own start: what matters is the time between samples.
  @Test func `time stamps of another clock are moved to ours`() throws {
    let bench = try Bench(0, at: "1-0068", Samples.bmi160)
    try bench.start(settings)
    var times: [Int64] = []
    for (index, delay) in [2.0, 0.4, 3, 0.1, 5].enumerated() {
      let stamp = Int64(5_000_000_000) + Int64(index) * 10_000_000
      bench.time =
        Timestamp(nanoseconds: 1_000_000_000_000)
        + TimeSpan(seconds: 0.01 * Double(index) + 0.001 * delay)
      try bench.write(scan([1, 2, 3, 4, 5, 6], at: stamp))
      times += try bench.take().map(\.time.nanoseconds)
    }
    #expect(times.count == 5)
    for (before, after) in zip(times, times.dropFirst()) { #expect(after > before) }
    // The shortest delay was .1 ms: from there on nothing is later than that.
    #expect(abs(times[4] - 1_000_040_100_000) < 10_000)
  }

  @Test func `a sensor without a buffer is polled`() throws {
    let files = [
      "name": "bmp280\n", "in_pressure_input": "100.656269531\n", "in_temp_input": "22500\n",
    ]
    let bench = try Bench(3, at: "1-0076", files)
    #expect(bench.driver.reading == .files && bench.driver.fileDescriptor == nil)
    try bench.start(settings)
    var taken = try bench.take()
    bench.time = bench.time + .milliseconds(10)
    taken += try bench.take()
    #expect(taken.count == 2)
    for value in taken {
      #expect(abs(value.reading.pressure - 100.656269531) < 1e-9)
      #expect(abs(value.reading.temperature - 22.5) < 1e-9)
    }
  }

  /// No interrupt, and no timer may be made: nothing would ever fill the buffer.
  @Test func `a buffer that nothing fills is left, and the files are read`() throws {
    var files = Samples.bmi160
    files["trigger/current_trigger"] = "\n"
    let bench = try Bench(0, at: "1-0068", files)
    try bench.start(settings)
    #expect(bench.driver.reading == .files)
    // The range is new, and the first value may still have the old one.
    #expect(try bench.take().isEmpty)
    bench.time = bench.time + .milliseconds(10)
    let taken = try bench.take()
    #expect(taken.count == 1 && abs(taken[0].reading.rotationRate.x - 0.0266) < 1e-9)
  }

  /// Linux 7.3's driver of the BMI270 does so. The kernel must then report each sample at once.
  @Test func `samples without a time have that of their arrival`() throws {
    let bench = try Bench(0, at: "1-0068", Samples.bmi160)
    var settings = settings
    settings.batchInterval = .milliseconds(50)
    try bench.start(settings)
    #expect(bench.sysfs.text("buffer/watermark", of: 0) == "5")
    try bench.write(scan([1, 2, 3, 4, 5, 6], at: 0))
    #expect(try bench.take().isEmpty)
    #expect(bench.sysfs.text("buffer/watermark", of: 0) == "1")
    bench.time = bench.time + .milliseconds(70)
    try bench.write(scan([1, 2, 3, 4, 5, 6], at: 0))
    let taken = try bench.take()
    #expect(taken.map(\.time) == [bench.time] && taken.map(\.missing) == [0])
  }

  /// The hub began a few seconds before the machine, so that its times look like ours.
  @Test func `a hub's clock is not ours, however near`() throws {
    var files = Samples.hub
    files["scan_elements/in_timestamp_en"] = "0\n"
    files["scan_elements/in_timestamp_index"] = "3\n"
    files["scan_elements/in_timestamp_type"] = "le:s64/64>>0\n"
    let bench = try Bench(1, at: "0018:8086:22D8.0001/HID-SENSOR-200073.1.auto", files)
    try bench.start(settings)
    let ahead = bench.time.nanoseconds + 5_000_000_000
    try bench.write([Int32(0), 0, 1, 0].flatMap(bytes) + bytes(ahead))
    #expect(try bench.take().map(\.time) == [bench.time])
  }

  @Test func `times never go back`() throws {
    let bench = try Bench(0, at: "1-0068", Samples.bmi160)
    try bench.start(settings)
    let begin: Int64 = 999_900_000_000
    for stamp in [begin, begin - 5_000_000, begin + 10_000_000] {
      try bench.write(scan([1, 2, 3, 4, 5, 6], at: stamp))
    }
    let taken = try bench.take()
    #expect(taken.map { $0.time.nanoseconds - begin } == [0, 1, 10_000_000])
    #expect(bench.driver.health.missing == 0)
  }

  /// A board's rate that no file confirms says nothing about losses.
  @Test func `without a known rate no loss is counted`() throws {
    var files = Samples.bmi160
    for name in files.keys where name.contains("sampling_frequency") { files[name] = nil }
    let bench = try Bench(0, at: "1-0068", files)
    try bench.start(settings)
    for index in 0..<3 {
      try bench.write(scan([1, 2, 3, 4, 5, 6], at: 999_000_000_000 + Int64(index) * 40_000_000))
    }
    #expect(try bench.take().count == 3 && bench.driver.health.missing == 0)
  }

  /// A timer of an earlier run has the rate of that run.
  @Test func `the kernel's timer gets the new rate, whole where it is`() throws {
    var files = Samples.bmi160
    files["trigger/current_trigger"] = "otolith-0\n"
    let bench = try Bench(0, at: "1-0068", files)
    let trigger = "\(bench.sysfs.root)/bus/iio/devices/trigger3"
    try FileManager.default.createDirectory(
      atPath: trigger, withIntermediateDirectories: true)
    try "otolith-0\n".write(toFile: "\(trigger)/name", atomically: false, encoding: .utf8)
    try "25\n".write(
      toFile: "\(trigger)/sampling_frequency", atomically: false, encoding: .utf8)
    try bench.start(settings)
    #expect(
      try String(contentsOfFile: "\(trigger)/sampling_frequency", encoding: .utf8) == "100")
    #expect(bench.driver.reading == .buffer)
    #expect(bench.sysfs.text("trigger/current_trigger", of: 0) == "otolith-0")
  }

  // MARK: Faults

  @Test func `a sensor that is pulled out is gone`() throws {
    let bench = try Bench(0, at: "1-0068", Samples.bmi160)
    try bench.start(settings)
    try FileManager.default.removeItem(atPath: bench.sysfs.root)
    bench.driver.start()
    var batch = RawBatch()
    #expect(throws: ChipError.bus(.adapterGone, register: KernelAttribute.enable.rawValue)) {
      _ = try bench.driver.step(.due, into: &batch)
    }
  }

  @Test func `a value that the kernel cannot read is told with its file`() throws {
    let files = ["name": "bmp280\n", "in_pressure_input": "x\n", "in_temp_input": "1\n"]
    let bench = try Bench(3, at: "1-0076", files)
    try bench.start(settings)
    #expect(throws: ChipError.bus(.system(errno: EINVAL), register: KernelAttribute.value.rawValue))
    {
      _ = try bench.take()
    }
    #expect(bench.driver.health.busErrors == 1)
  }

  /// A hub reports when something changes: its silence is no failure, and what comes after it is no
  /// loss.
  @Test func `a hub may be silent`() throws {
    let bench = try Bench(1, at: "0018:8086:22D8.0001/HID-SENSOR-200073.1.auto", Samples.hub)
    try bench.start(settings)
    #expect(bench.sysfs.text("in_accel_sampling_frequency", of: 1) == "100.0")
    let value = [Int32(0), 0, 1].flatMap(bytes)
    try bench.write(value)
    #expect(try bench.take().count == 1)
    for _ in 0..<5 {
      bench.time = bench.time + .seconds(10)
      #expect(try bench.take().isEmpty)
    }
    try bench.write(value)
    #expect(try bench.take().map(\.missing) == [0] && bench.driver.health.missing == 0)
  }

  @Test func `after a new start the time without samples is no loss`() throws {
    let bench = try Bench(0, at: "1-0068", Samples.bmi160)
    try bench.start(settings)
    try bench.write(scan([1, 2, 3, 4, 5, 6], at: 999_000_000_000))
    #expect(try bench.take().count == 1)
    bench.time = bench.time + .seconds(60)
    try bench.start(settings)
    #expect(try bench.take().isEmpty)
    bench.time = bench.time + .milliseconds(200)
    try bench.write(scan([1, 2, 3, 4, 5, 6], at: bench.time.nanoseconds))
    #expect(try bench.take().map(\.missing) == [0])
  }

  @Test func `a buffer that stays empty is set up again`() throws {
    let bench = try Bench(0, at: "1-0068", Samples.bmi160)
    try bench.start(settings)
    #expect(try bench.take().isEmpty)
    bench.time = bench.time + .seconds(10)
    #expect(throws: ChipError.bus(.timeout, register: KernelAttribute.node.rawValue)) {
      _ = try bench.take()
    }
    #expect(bench.driver.health.missedInterrupts == 1)
    // It never delivered, so that its files are read from now on; while the buffer is enabled the
    // kernel refuses that.
    try bench.start(settings)
    #expect(bench.driver.reading == .files && bench.sysfs.text("buffer/enable", of: 0) == "0")
    #expect(try bench.take().count == 1)
  }

  /// The interrupt of a sensor that delivered before is wired.
  /// A buffer that holds samples keeps its node readable, which would end each wait at once.
  @Test func `a sensor that sleeps leaves nothing in its buffer`() throws {
    let bench = try Bench(0, at: "1-0068", Samples.bmi160)
    try bench.start(settings)
    #expect(bench.driver.wantsSamples())
    try bench.write(scan([1, 2, 3, 4, 5, 6], at: 1))
    try bench.driver.stop()
    #expect(!bench.isReadable)
    try bench.write(scan([1, 2, 3, 4, 5, 6], at: 2))
    #expect(!bench.driver.wantsSamples() && !bench.isReadable)
  }

  @Test func `a sensor that failed is stopped too`() throws {
    let bench = try Bench(0, at: "1-0068", Samples.bmi160)
    try bench.start(settings)
    bench.time = bench.time + .seconds(1)
    #expect(try bench.take().isEmpty)
    bench.time = bench.time + .seconds(10)
    #expect(throws: ChipError.self) { _ = try bench.take() }
    try bench.driver.stop()
    #expect(bench.sysfs.text("buffer/enable", of: 0) == "0")
  }

  @Test func `a buffer that runs dry is set up again as a buffer`() throws {
    let bench = try Bench(0, at: "1-0068", Samples.bmi160)
    try bench.start(settings)
    try bench.write(scan([1, 2, 3, 4, 5, 6], at: 999_000_000_000))
    #expect(try bench.take().count == 1)
    #expect(try bench.take().isEmpty)
    bench.time = bench.time + .seconds(10)
    #expect(throws: ChipError.bus(.timeout, register: KernelAttribute.node.rawValue)) {
      _ = try bench.take()
    }
    #expect(bench.driver.reading == .buffer)
  }

  /// What a hostile device could have in its files.
  @Test(arguments: [
    ("in_accel_sampling_frequency", "1e300"), ("in_accel_scale_available", "1e300 2e300"),
    ("scan_elements/in_accel_x_index", "99999999999999999999"),
    ("in_accel_offset", "-1e308"), ("buffer/watermark", ""), ("name", "\u{0}\u{1B}[2J"),
    ("in_accel_sampling_frequency_available", "[1 0.000001 1e300]"),
    ("in_accel_sampling_frequency_available", "[0 0 0]"),
  ])
  func `no file of the kernel's ends the program`(_ name: String, _ text: String) throws {
    var files = Samples.bmi160
    files[name] = text + "\n"
    let bench = try Bench(0, at: "1-0068", files)
    try? bench.start(settings)
    try bench.write(scan([1, 2, 3, 4, 5, 6], at: 999_000_000_000))
    _ = try? bench.take()
  }

  /// A scan must fit into a batch; what another program enabled does not matter.
  @Test func `a scan that is too large is refused, and other values are left out`() throws {
    var files = Samples.bmi160
    for index in 0..<100 {
      files["scan_elements/in_voltage\(index)_en"] = "1\n"
      files["scan_elements/in_voltage\(index)_index"] = "\(10 + index)\n"
      files["scan_elements/in_voltage\(index)_type"] = "le:s64/64X16>>0\n"
    }
    let bench = try Bench(0, at: "1-0068", files)
    try bench.start(settings)
    #expect(bench.sysfs.text("scan_elements/in_voltage7_en", of: 0) == "0")
    try bench.write(scan([1, 2, 3, 4, 5, 6], at: 999_000_000_000))
    #expect(try bench.take().count == 1)
  }

  @Test(arguments: [0, -1, .nan, .infinity] as [Double])
  func `a rate that is none is refused`(_ rate: Double) throws {
    let bench = try Bench(0, at: "1-0068", Samples.bmi160)
    var settings = settings
    settings.rate = rate
    #expect(throws: ChipError.unsupportedSetting) { _ = try bench.driver.configure(settings) }
  }

  /// The slowest rate that is fast enough, as drivers of chips choose.
  @Test(arguments: [(100.0, 100.0), (101, 200), (5000, 1600), (1, 25)])
  func `the nearest setting that the kernel offers is chosen`(_ wanted: Double, _ chosen: Double)
    throws
  {
    let bench = try Bench(0, at: "1-0068", Samples.bmi160)
    var settings = settings
    settings.rate = wanted
    #expect(try bench.driver.configure(settings).rate == chosen)
  }
}
