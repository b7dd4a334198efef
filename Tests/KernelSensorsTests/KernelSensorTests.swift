// SPDX-License-Identifier: Apache-2.0
import Foundation
import Quantities
import Testing

@testable import KernelSensors

struct KernelSensorTests {
  let sysfs: FakeSysfs

  init() throws { sysfs = try FakeSysfs() }

  @Test func `a sensor is described by its files`() throws {
    try sysfs.add(0, at: "platform/soc/i2c-1/1-0068", Samples.bmi160)
    let sensor = try #require(sysfs.sensors.first)
    #expect(sensor.name == "bmi160" && sensor.label == nil && sensor.node == "/dev/iio:device0")
    #expect(sensor.place.hasSuffix("/devices/platform/soc/i2c-1/1-0068"))
    #expect(sensor.measures == [.acceleration, .rotationRate] && sensor.channels.count == 6)
    // 0.000598 m/s^2 a count is 2 g at 32768 counts (BMI160's sheet: 16384 counts a g).
    let accelerations = try #require(sensor.ranges[.acceleration])
    for (range, g) in zip(accelerations, [2.0, 4, 8, 16]) {
      #expect(abs(range.range - g) < 0.01 * g)
    }
    let turns = try #require(sensor.ranges[.rotationRate])
    for (range, degrees) in zip(turns, [125.0, 250, 500, 1000, 2000]) {
      #expect(abs(range.range * 180 / .pi - degrees) < 0.01 * degrees)
    }
    // The gyroscope has no rate below 25 Hz, the accelerometer none above 1600.
    #expect(sensor.rates == [1600, 800, 400, 200, 100, 50, 25])
    #expect(!sensor.isHub)
  }

  /// A device tree's matrix is for specific force.
  @Test func `the mounting of a device tree is taken as it is`() throws {
    var files = Samples.bmi160
    files["of_node/name"] = "imu\n"
    try sysfs.add(0, at: "platform/1-0068", files)
    let matrix = try #require(sysfs.sensors.first?.mounting)
    #expect(matrix * Vector3(1, 2, 3) == Vector3(2, -1, 3))
  }

  /// ACPI's and udev's make gravity of what the kernel has; upright machines are tested, so the
  /// third row follows. A chip whose y axis is up at the top of the screen measures +1 g there, and
  /// udev's matrix for it has -1.
  @Test func `the mounting of ACPI and of udev is turned round`() throws {
    try sysfs.add(0, at: "pci/i2c-BOSC0200:00", Samples.bmi160)
    let acpi = try #require(sysfs.sensors.first?.mounting)
    #expect(acpi * Vector3(1, 2, 3) == Vector3(-2, 1, 3))
    try "I:1\nE:ACCEL_MOUNT_MATRIX=-1, 0, 0; 0, -1, 0; 0, 0, -1\nG:x\n".write(
      toFile: "\(sysfs.root)/udev/c254:0", atomically: false, encoding: .utf8)
    let udev = try #require(sysfs.sensors.first?.mounting)
    #expect(udev * Vector3(1, 2, 3) == Vector3(1, 2, 3))
  }

  @Test(arguments: [
    "1, 0, 0; 0, 1, 0", "1, 0, 0; 0, 1, 0; 0, 0, nan", "0, 0, 0; 0, 0, 0; 0, 0, 0", "x",
    "1, 1, 0; 0, 1, 0; 0, 0, 1", "1, 0, 0; 0, 1, 0; 0, 0, 1", "1, 0, 0; 1, 0, 0; 0, 0, 1",
    "2, 0, 0; 0, 2, 0; 0, 0, 2", "",
  ])
  func `a matrix that is no rotation is none`(_ text: String) throws {
    var files = Samples.bmi160
    files["in_mount_matrix"] = text + "\n"
    try sysfs.add(0, at: "1-0068", files)
    #expect(try #require(sysfs.sensors.first).mounting == nil)
  }

  @Test func `a hub's sensor is known by its place`() throws {
    try sysfs.add(1, at: "usb/0018:8086:22D8.0001/HID-SENSOR-200073.1.auto", Samples.hub)
    let sensor = try #require(sysfs.sensors.first)
    #expect(sensor.isHub && sensor.measures == [.acceleration] && sensor.mounting == nil)
    #expect(sensor.rates.isEmpty && sensor.ranges.isEmpty)
    // 9.80665e-6 m/s^2 a count is a millionth of a g; the kernel's text has fewer digits.
    #expect(abs(sensor.channels[0].scale - 1e-6) < 3e-8)
  }

  @Test func `a converter of voltages is no sensor, and an axis that is missing no vector`() throws
  {
    try sysfs.add(
      0, at: "adc", ["name": "ads1015\n", "in_voltage0_raw": "1\n", "in_voltage_scale": "1\n"])
    try sysfs.add(
      1, at: "half",
      ["name": "half\n", "in_accel_x_raw": "1\n", "in_accel_y_raw": "1\n", "in_accel_scale": "1\n"])
    #expect(sysfs.sensors.isEmpty)
  }

  /// `_input` has the kernel's unit already.
  @Test func `a barometer's values are in kilopascal and degrees`() throws {
    try sysfs.add(
      3, at: "1-0076",
      [
        "name": "bmp280\n", "in_pressure_input": "100.656269531\n", "in_temp_input": "22500\n",
        "in_humidityrelative_input": "43012\n",
      ])
    let sensor = try #require(sysfs.sensors.first)
    #expect(sensor.node == nil && sensor.measures == [.pressure, .temperature, .humidity])
    let values = sensor.channels.map {
      $0.value(
        [100.656, 22_500, 43_012][["pressure": 0, "temp": 1][String($0.name.dropFirst(3))] ?? 2])
    }
    #expect(
      abs(values[0] - 100.656) < 1e-9 && abs(values[1] - 22.5) < 1e-9
        && abs(values[2] - 43.012) < 1e-9)
  }

  /// Numbers that a fault of the kernel's or a hostile device could give.
  @Test(arguments: ["nan", "inf", "", "x", "1e999"])
  func `a scale that is no number makes no value`(_ scale: String) throws {
    var files = Samples.bmi160
    files["in_accel_scale"] = scale + "\n"
    try sysfs.add(0, at: "1-0068", files)
    #expect(try #require(sysfs.sensors.first).measures == [.rotationRate])
  }

  /// Drivers of Linux 6.12 whose scale differs from the sheet's 0.92 milligauss and 0.15 microtesla
  /// a count, and what a mended kernel would give.
  @Test(arguments: [
    ("hmc5883l", "0.000009174", 0.0917), ("hmc5883l", "0.000917", 0.0917),
    ("ak09916", "0.00075", 0.15), ("ak09916", "0.0015", 0.15), ("lis3mdl", "0.000146", 0.0146),
  ])
  func `a magnetometer's count has the size of its sheet`(
    _ name: String, _ scale: String, _ microtesla: Double
  ) throws {
    var files = ["name": name + "\n", "in_magn_scale": scale + "\n"]
    for axis in ["x", "y", "z"] { files["in_magn_\(axis)_raw"] = "1\n" }
    try sysfs.add(0, at: "1-001e", files)
    let sensor = try #require(sysfs.sensors.first)
    for channel in sensor.channels {
      #expect(abs(channel.value(1) - microtesla) < 0.01 * microtesla)
    }
  }

  /// 12 bits of 0.000917 gauss at the second gain of an HMC5883L, which the driver gives as 0.000009174.
  @Test func `the range of a corrected scale is corrected`() throws {
    var files = [
      "name": "hmc5883l\n", "dev": "254:3\n", "in_magn_scale": "0.000009174\n",
      "scale_available": "0.000007299 0.000009174\n",
      "in_magn_scale_available":
        "0.000007299 0.000009174\n",
    ]
    for (index, axis) in ["x", "y", "z"].enumerated() {
      files["in_magn_\(axis)_raw"] = "1\n"
      files["scan_elements/in_magn_\(axis)_index"] = "\(index)\n"
      files["scan_elements/in_magn_\(axis)_type"] = "be:s16/16>>0\n"
    }
    try sysfs.add(0, at: "1-001e", files)
    let ranges = try #require(sysfs.sensors.first?.ranges[.magneticField])
    #expect(abs(ranges[1].range - 2048 * 0.09174) < 0.1, "\(ranges)")
  }

  /// The kernel's documentation gives a range so: the ends and the step.
  @Test func `a range of rates offers its largest and the halves`() throws {
    var files = Samples.bmi160
    files["in_accel_sampling_frequency_available"] = "[0.5 0.5 100]\n"
    files["in_anglvel_sampling_frequency_available"] = "[0.5 0.5 100]\n"
    try sysfs.add(0, at: "1-0068", files)
    let rates = try #require(sysfs.sensors.first?.rates)
    #expect(Array(rates.prefix(4)) == [100, 50, 25, 12.5] && rates.last ?? 0 >= 0.5, "\(rates)")
  }

  /// The temperature of a bmc150 has no place in its scans; a barometer's `_input` is in the kernel's
  /// unit, and its scans are in counts.
  @Test func `values are those of the buffer, or those of the files`() throws {
    var files = Samples.bmi160
    files["in_temp_raw"] = "1\n"
    try sysfs.add(0, at: "1-0068", files)
    #expect(sysfs.sensors.first?.measures == [.acceleration, .rotationRate])
    try sysfs.add(
      1, at: "1-0076",
      [
        "name": "bmp280\n", "dev": "254:5\n", "in_pressure_input": "100.656\n",
        "in_pressure_raw": "25767936\n", "in_pressure_scale": "0.00000390625\n",
        "scan_elements/in_pressure_index": "0\n",
        "scan_elements/in_pressure_type": "le:u32/32>>0\n",
      ])
    let channel = try #require(sysfs.sensors.last?.channels.first)
    #expect(channel.file == "in_pressure_raw")
    #expect(abs(channel.value(25_767_936) - 100.656) < 1e-6)
  }

  /// The kernel's numbers count up with each hub that is plugged in.
  @Test func `a sensor is found again by its place, and none is taken for another`() throws {
    try sysfs.add(1, at: "usb1/0003:2341:0001.0004/HID-SENSOR-200073.1.auto", Samples.hub)
    try sysfs.add(2, at: "usb2/0003:2341:0001.0005/HID-SENSOR-200073.2.auto", Samples.hub)
    let before = sysfs.sensors
    let again = try FakeSysfs()
    try again.add(7, at: "usb2/0003:2341:0001.0009/HID-SENSOR-200073.6.auto", Samples.hub)
    try again.add(8, at: "usb1/0003:2341:0001.000A/HID-SENSOR-200073.7.auto", Samples.hub)
    let after = again.sensors.map { sensor in
      var sensor = sensor
      sensor.place = sensor.place.replacing(again.root, with: sysfs.root)
      return sensor
    }
    #expect(before[0].found(among: after)?.node == "/dev/iio:device8")
    #expect(before[1].found(among: after)?.node == "/dev/iio:device7")
    #expect(before[0].found(among: [after[0], after[0]]) == nil)
    #expect(before[0].found(among: []) == nil)
  }

  @Test(arguments: [("lid", "accel-display"), ("base", "accel-base")])
  func `an older kernel's location is a label`(_ location: String, _ label: String) throws {
    var files = Samples.hub
    files["location"] = location + "\n"
    try sysfs.add(0, at: "cros-ec-accel.15.auto", files)
    #expect(sysfs.sensors.first?.label == label)
  }

  @Test func `a machine without sensors has none`() {
    #expect(sysfs.sensors.isEmpty)
    #expect(KernelSensor.all(sysfs: "/nowhere", udev: "/nowhere").isEmpty)
  }
}
