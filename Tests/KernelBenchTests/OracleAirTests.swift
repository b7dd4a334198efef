// SPDX-License-Identifier: Apache-2.0
import Foundation
import LinuxBus
import Quantities
import Sensors
import Testing

/// A chip whose kernel driver gives an air pressure or a temperature as counts, with a scale and an
/// offset.
struct ScalarOracle: CustomStringConvertible, Sendable {
  var oracle: Oracle
  /// The kernel's name of the device.
  var device: String
  var quantities: [Scalar]

  /// One quantity: the stem of the kernel's files, and otolith's value in counts and in the
  /// kernel's unit.
  struct Scalar: Sendable {
    var stem: String
    var counts: @Sendable (Sample) -> Double
    var value: @Sendable (Sample) -> Double
  }

  var description: String { oracle.description }

  private init(
    _ chip: String, _ driver: String, _ place: Oracle.Place, board: String = Boards.all,
    settings: String = "", device: String? = nil, line: Int? = nil,
    isBuiltFromSource: Bool = false, _ quantities: [Scalar]
  ) {
    oracle = Oracle(
      chip: chip, driver: driver, place: place, quantities: [], settings: settings, board: board,
      line: line, isBuiltFromSource: isBuiltFromSource)
    self.device = device ?? driver
    self.quantities = quantities
  }

  /// Pressure, for which the kernel has kilopascal.
  private static func pressure(countsPerHectopascal: Double) -> Scalar {
    Scalar(
      stem: "in_pressure", counts: { $0.pressure * 10 * countsPerHectopascal },
      value: { $0.pressure })
  }

  /// Temperature, for which the kernel has thousandths of a degree.
  private static func temperature(countsPerDegree: Double, zeroAt: Double) -> Scalar {
    Scalar(
      stem: "in_temp", counts: { ($0.temperature - zeroAt) * countsPerDegree },
      value: { $0.temperature * 1000 })
  }

  /// DocID023722 and DocID027083, table 3: 4096 counts per hPa.
  private static let ofLPS = pressure(countsPerHectopascal: 4096)

  /// BST-BMP581-DS004 section 4.6: 64 counts per Pa and 65536 per degree.
  private static let ofBMP581 = [
    pressure(countsPerHectopascal: 6400), temperature(countsPerDegree: 65536, zeroAt: 0),
  ]

  static let all = [
    ScalarOracle(
      "st,lps25h", "lps25h", .i2c(0x5C), settings: ", rate-hz: 7",
      [ofLPS, temperature(countsPerDegree: 480, zeroAt: 42.5)]),
    ScalarOracle(
      "st,lps22hb", "lps22hb", .i2c(0x5D), settings: ", rate-hz: 7",
      [ofLPS, temperature(countsPerDegree: 100, zeroAt: 0)]),
    ScalarOracle("bosch,bmp581", "bmp580", .i2c(0x47), board: Boards.newer, ofBMP581),
    // DS-000489 section 16.14.
    ScalarOracle(
      "invensense,icm45686", "icm45686", .i2c(0x68), board: Boards.newer,
      settings: ", read-by: polling", device: "icm45686-gyro", line: 0, isBuiltFromSource: true,
      [temperature(countsPerDegree: 128, zeroAt: 25)]),
    // BST-BMI270-DS000, temperature sensor: 1/512 of a degree, zero at 23 degrees.
    ScalarOracle(
      "bosch,bmi270", "bmi270", .i2c(0x69), board: Boards.newer, line: 2, isBuiltFromSource: true,
      [temperature(countsPerDegree: 512, zeroAt: 23)]),
  ].filter { !$0.oracle.isBuiltFromSource || Oracle.hasBuiltDrivers }
}

extension KernelBenchTests.OracleTests {
  @Test(arguments: ScalarOracle.all)
  func `pressures and temperatures have the kernel's counts and values`(row: ScalarOracle) throws {
    try BenchServer.serve(row.oracle.board, hold: Self.held)
    let words = row.oracle.words()
    let theirs = try VirtualBench.with(words.new, gone: words.delete) {
      let device = try IIODevice(named: row.device)
      // The first measurement takes a while, and the filter that the kernel sets in the BMP581
      // starts at 0.
      Thread.sleep(forTimeInterval: 2)
      return try row.quantities.map { quantity in
        (
          raw: try device.number("\(quantity.stem)_raw"),
          scale: try device.number("\(quantity.stem)_scale"),
          offset: device.has("\(quantity.stem)_offset")
            ? try device.number("\(quantity.stem)_offset") : 0
        )
      }
    }
    let ours = try row.oracle.onOurSide { _ in
      try Ours.last(try Ours.board(row.oracle.placement(), spi: row.oracle.spi))
    }
    for (quantity, theirs) in zip(row.quantities, theirs) {
      let counts = abs(quantity.counts(ours) - theirs.raw)
      #expect(counts < 1e-6, "\(quantity.counts(ours)) and \(theirs.raw)")
      // The kernel prints its scale with nine places, and its offset as a whole number or with nine
      // places.
      let value = (theirs.raw + theirs.offset) * theirs.scale
      let part = abs(value / quantity.value(ours) - 1)
      #expect(part < 1e-4, "\(value) and \(quantity.value(ours))")
      print(
        "oracle: | \(row) | \(quantity.stem) | \(Self.digits(counts)) LSB, value \(Self.digits(part)) |"
      )
    }
  }

  /// Compares with the kernel's integer compensation, whose last places are hundredths of a pascal
  /// and of a degree.
  @Test(arguments: [
    ("bosch,bmp388", Oracle.Place.i2c(0x76)), ("bosch,bmp388", .spi(2)),
    ("bosch,bmp390", .i2c(0x77)),
  ])
  func `the kernel's BMP380 driver compensates as we do`(chip: String, place: Oracle.Place) throws {
    let oracle = Oracle(chip: chip, driver: "bmp380", place: place, quantities: [])
    try BenchServer.serve(Boards.relatives, hold: Self.held)
    let words = oracle.words()
    let theirs = try VirtualBench.with(words.new, gone: words.delete) {
      let device = try IIODevice(named: "bmp380")
      Thread.sleep(forTimeInterval: 0.5)
      return (
        pressure: try device.number("in_pressure_input"),
        temperature: try device.number("in_temp_input")
      )
    }
    let ours = try oracle.onOurSide { _ in
      try Ours.last(try Ours.board(oracle.placement(", rate-hz: 25"), spi: oracle.spi))
    }
    let pressure = abs(ours.pressure - theirs.pressure) * 1e5
    let temperature = abs(ours.temperature - theirs.temperature / 1000) * 100
    #expect(pressure < 1, "\(ours.pressure) and \(theirs.pressure) kPa")
    #expect(temperature < 1, "\(ours.temperature) and \(theirs.temperature) m degC")
    print(
      "oracle: | \(oracle) | environment | pressure \(Self.digits(pressure)) of 0.01 Pa, "
        + "temperature \(Self.digits(temperature)) of 0.01 K |")
  }

  /// otolith's values of the HTS221 are converted back to counts with the calibration points,
  /// registers 0x30 to 0x3F (ST DocID026333 revision 4, section 8).
  @Test(.enabled(if: Oracle.hasBuiltDrivers, "Debian's source of its driver could not be had"))
  func `HTS221 reads as the kernel's driver does`() throws {
    let oracle = Oracle(chip: "st,hts221", driver: "hts221", place: .i2c(0x5F), quantities: [])
    try BenchServer.serve(Boards.all, hold: Self.held)
    let words = oracle.words()
    let quantities = ["in_humidityrelative", "in_temp"]
    let theirs = try VirtualBench.with(words.new, gone: words.delete) {
      let device = try IIODevice(named: "hts221")
      return try quantities.map { stem in
        (
          raw: try device.number("\(stem)_raw"), scale: try device.number("\(stem)_scale"),
          offset: try device.number("\(stem)_offset")
        )
      }
    }
    let ours = try Ours.last(try Ours.board(oracle.placement(", rate-hz: 7")))
    let points = try HTS221Points()
    let counts = [points.humidity(ours.humidity), points.temperature(ours.temperature)]
    // The kernel's slopes are multiples of 1/16000 percent and 1/64000 K, its offsets of an eighth
    // of that.
    let values = zip([ours.humidity, ours.temperature], [16_000.0, 64_000])
    for ((stem, value), (theirs, counts)) in zip(
      zip(quantities, values), zip(theirs, counts))
    {
      let difference = abs(counts - theirs.raw)
      #expect(difference < 1e-6, "\(counts) and \(theirs.raw)")
      let said = (theirs.raw + theirs.offset) * theirs.scale
      #expect(abs(said - value.0) <= (abs(theirs.raw) + 8) / value.1, "\(said) and \(value.0)")
      print(
        "oracle: | \(oracle) | \(stem) | \(Self.digits(difference)) LSB of \(theirs.raw), "
          + "value \(Self.digits(said)) next to \(Self.digits(value.0)) |")
    }
  }
}

/// The factory calibration of an HTS221.
private struct HTS221Points {
  private var bytes = [UInt8](repeating: 0, count: 16)

  init() throws {
    let bus = try LinuxI2CBus(path: VirtualBench.i2c)
    var span = bytes.mutableSpan
    // Bit 7 of the address enables the increment.
    try bus.read(&span, after: 0x30 | 0x80, from: 0x5F)
  }

  private func word(_ register: Int) -> Double {
    Double(
      Int16(truncatingIfNeeded: Int(bytes[register - 0x2F]) << 8 | Int(bytes[register - 0x30])))
  }

  func humidity(_ percent: Double) -> Double {
    let felt = (Double(bytes[0]) / 2, Double(bytes[1]) / 2)
    return word(0x36) + (percent - felt.0) * (word(0x3A) - word(0x36)) / (felt.1 - felt.0)
  }

  func temperature(_ degrees: Double) -> Double {
    let high = Int(bytes[5])
    let felt = (
      Double((high & 3) << 8 | Int(bytes[2])) / 8, Double((high >> 2 & 3) << 8 | Int(bytes[3])) / 8
    )
    return word(0x3C) + (degrees - felt.0) * (word(0x3E) - word(0x3C)) / (felt.1 - felt.0)
  }
}
