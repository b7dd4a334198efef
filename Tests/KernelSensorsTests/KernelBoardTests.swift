// SPDX-License-Identifier: Apache-2.0
import Boards
import ChipCatalog
import Foundation
import MotionSources
import Quantities
import Registers
import Sensors
import Testing

@testable import KernelSensors

struct KernelBoardTests {
  let sysfs: FakeSysfs

  init() throws {
    sysfs = try FakeSysfs()
    var files = Samples.bmi160
    files["of_node/name"] = "imu\n"
    try sysfs.add(0, at: "platform/soc/i2c-1/1-0068", files)
  }

  private func board(_ chips: String, _ more: String = "") throws -> Board {
    let sensors = sysfs.sensors
    return try BoardFile.parse(
      "otolith-board: 1\nname: Of the kernel\n\(more)chips:\n\(chips)", file: "k.yaml",
      catalogue: ChipCatalog.descriptions, seeksCalibration: false, kernelSensors: { sensors })
  }

  private func errors(_ chips: String, _ more: String = "") -> [String] {
    do {
      _ = try board(chips, more)
      return []
    } catch { return (error as? BoardErrors)?.errors.map { "\($0)" } ?? ["\(error)"] }
  }

  @Test func `a board may consist of the kernel's sensors alone`() throws {
    let board = try board("  imu: { iio: bmi160, acceleration-range-g: 8, rate-hz: 150 }\n")
    let chip = try #require(board.chips.first)
    #expect(board.buses.isEmpty && board.chips.count == 1 && !board.isMadeUp)
    #expect(chip.name == "imu" && chip.chip == "linux,bmi160" && chip.bus.isEmpty)
    // The kernel's scale of 8 g is 0.002394 m/s^2, whose 32768 counts are 7.9993 g.
    #expect(abs(chip.settings.accelerationRange - 8) < 0.01 && chip.settings.rate == 150)
    #expect(chip.settings.acquisition == .polling)
    // The mounting of the device tree.
    #expect(chip.mounting.matrix * Vector3(1, 2, 3) == Vector3(2, -1, 3))
    #expect(BoardSession(board).channels == [.acceleration, .rotationRate])
    #expect(!BoardSession(board).isPresent)
  }

  @Test func `what the board file says goes before what the kernel knows`() throws {
    let chip = try #require(
      try board("  imu: { iio: 1-0068, mounting: [x, y, z], uses: [acceleration] }\n").chips.first)
    #expect(chip.mounting == Mounting() && chip.uses == [.acceleration])
  }

  @Test func `a sensor of the kernel and a chip on a bus may be one board`() throws {
    let board = try board(
      "  imu: { iio: bmi160 }\n  baro: { chip: bmp280, on: i2c1, address: 0x76 }\n",
      "buses: { i2c1: { i2c: /dev/i2c-1 } }\n")
    #expect(board.readingPlaces.map(\.name) == ["i2c1", "imu"])
  }

  @Test(arguments: [
    (
      "  imu: { iio: bmi16 }\n", "no sensor called 'bmi16'; expected bmi160; did you mean 'bmi160'?"
    ),
    ("  imu: { iio: \"iio:device0\" }\n", "differs after each boot: write 'iio: bmi160'"),
    ("  imu: { iio: bmi160, address: 0x68 }\n", "'address' for a sensor that the kernel reads"),
    ("  imu: { iio: bmi160, chip: bmi160, on: i2c1 }\n", "'chip' for a sensor that the kernel"),
    ("  imu: { iio: bmi160, read-by: fifo }\n", "'read-by' for a sensor that the kernel reads"),
    ("  imu: { iio: bmi160, rate-hz: 5000 }\n", "between 25 and 1600, which linux,bmi160 can do"),
    ("  imu: { iio: bmi160, acceleration-range-g: 3 }\n", "which linux,bmi160 has"),
    ("  imu: { iio: bmi160, magnetic-field-range-ut: 400 }\n", "measures no magnetic field"),
    ("  imu: { rate-hz: 100 }\n", "chip 'imu' has no 'chip'"),
    ("  a: { iio: bmi160 }\n  b: { iio: 1-0068 }\n", "this sensor is chip 'a' already"),
    ("  imu: { iio: }\n", "'iio'"),
  ])
  func `a mistake is told with what to write`(_ chips: String, _ said: String) {
    let errors = errors(chips)
    #expect(errors.contains { $0.contains(said) }, "\(errors)")
  }

  @Test func `two sensors of one name are told apart by their places`() throws {
    try sysfs.add(4, at: "platform/soc/i2c-2/2-0069", Samples.bmi160)
    let said = errors("  imu: { iio: bmi160 }\n")
    #expect(said.count == 1 && said[0].contains("2 sensors called 'bmi160'"), "\(said)")
    #expect(said[0].contains("i2c-1/1-0068") && said[0].contains("i2c-2/2-0069"), "\(said)")
    let board = try board("  a: { iio: 1-0068 }\n  b: { iio: i2c-2/2-0069 }\n")
    #expect(board.chips.map { $0.kernelSensor?.node } == ["/dev/iio:device0", "/dev/iio:device4"])
  }

  /// A part of the catalogue by the kernel's name has the noise of its sheet (BMI160: 180 micro-g
  /// and 0.007 degrees/s per root Hz), which fusion and the checks use.
  @Test func `a known part has the figures of its sheet`() throws {
    let sheet = ChipDescription(try #require(sysfs.sensors.first))
    #expect(sheet.title == "BMI160")
    let density = try #require(sheet.noiseDensity(of: .acceleration, at: 2))
    #expect(abs(density - 180e-6) < 1e-9)
  }

  // MARK: What is detected

  private func detection(_ sensors: [KernelSensor]) -> DetectionResult {
    var detection = DetectionResult()
    detection.kernelSensors = sensors
    return detection
  }

  @Test func `the kernel's sensors make a board where no chip is on a bus`() throws {
    try sysfs.add(
      2, at: "0018:8086:22D8.0001/HID-SENSOR-200073.1.auto", Samples.hub)
    let text = try #require(BoardSelection.boardText(of: detection(sysfs.sensors)))
    #expect(
      text == """
        otolith-board: 1
        name: Detected
        chips:
          bmi160:
            iio: bmi160
          accel_3d:
            iio: accel_3d

        """)
    let sensors = sysfs.sensors
    let board = try BoardFile.parse(
      text, file: "(detected)", catalogue: ChipCatalog.descriptions, seeksCalibration: false,
      kernelSensors: { sensors })
    #expect(board.chips.map(\.chip) == ["linux,bmi160", "linux,accel_3d"])
  }

  /// A laptop whose screen folds over has one in either half; its labels are the kernel's
  /// (Documentation/ABI/testing/sysfs-bus-iio).
  @Test func `the accelerometer in a laptop's base is left out`() throws {
    var (display, base) = (Samples.hub, Samples.hub)
    (display["label"], base["label"]) = ("accel-display\n", "accel-base\n")
    let sysfs = try FakeSysfs()
    try sysfs.add(1, at: "cros/HID-SENSOR-200073.1.auto", base)
    try sysfs.add(2, at: "cros/HID-SENSOR-200073.2.auto", display)
    #expect(detection(sysfs.sensors).usableKernelSensors.map(\.label) == ["accel-display"])
  }

  @Test func `two of one name and a strange name make a board that can be read`() throws {
    let sysfs = try FakeSysfs()
    for number in 1...2 {
      var files = Samples.hub
      files["name"] = "a \"b\": #\\\n"
      try sysfs.add(number, at: "hub/HID-SENSOR-200073.\(number).auto", files)
    }
    let text = try #require(BoardSelection.boardText(of: detection(sysfs.sensors)))
    let sensors = sysfs.sensors
    let board = try BoardFile.parse(
      text, file: "(detected)", catalogue: ChipCatalog.descriptions, seeksCalibration: false,
      kernelSensors: { sensors })
    #expect(board.chips.map(\.name) == ["ab", "ab-2"])
    var only = DetectionResult()
    only.kernelSensors = [sensors[0]]
    let one = try BoardFile.parse(
      try #require(BoardSelection.boardText(of: only)), file: "(detected)",
      catalogue: ChipCatalog.descriptions, seeksCalibration: false,
      kernelSensors: { [sensors[0]] })
    #expect(one.chips.count == 1)
  }

  // MARK: What a failure says

  @Test(arguments: [
    (BusError.adapterGone, KernelAttribute.node, "is gone: it was pulled out"),
    (.busy, .enable, "is in use (buffer/enable)"),
    (.timeout, .node, "delivers nothing: its interrupt does not arrive"),
    (.noAcknowledge, .value, "gets no answer from its chip: check its power"),
    (.system(errno: EROFS), .enable, "sysfs is read-only here"),
    (.system(errno: EACCES), .rate, "no permission to change sampling_frequency of the kernel's"),
    (.system(errno: EINVAL), .scale, "refuses what was written to scale"),
    (.system(errno: EIO), .value, "its values of the kernel's bmi160"),
  ])
  func `an error says which file and what to do`(
    _ error: BusError, _ file: KernelAttribute, _ said: String
  ) throws {
    let chip = try #require(try board("  imu: { iio: bmi160 }\n").chips.first)
    let text = chip.sentence(for: .bus(error, register: file.rawValue), on: nil)
    #expect(text.hasPrefix("imu: ") && text.contains(said), "\(text)")
  }
}
