// SPDX-License-Identifier: Apache-2.0
import Foundation
import Quantities
import Sensors
import Testing

/// A sensor of air whose kernel driver gives counts, and scale and offset beside them.
struct AirOracle: CustomStringConvertible, Sendable {
  var oracle: Oracle
  var quantities: [Air]

  /// One quantity: the stem of the kernel's files, and what our sample is in counts and in the
  /// kernel's unit.
  struct Air: Sendable {
    var stem: String
    var counts: @Sendable (Sample) -> Double
    var value: @Sendable (Sample) -> Double
  }

  var description: String { oracle.description }

  private init(_ chip: String, _ driver: String, _ address: UInt8, _ quantities: [Air]) {
    oracle = Oracle(chip: chip, driver: driver, place: .i2c(address), quantities: [])
    self.quantities = quantities
  }

  /// Kilopascal, of which one has 40960 counts (DocID023722 and DocID027083, table 3: 4096 a hPa).
  private static let pressure = Air(
    stem: "in_pressure", counts: { $0.pressure * 40_960 }, value: { $0.pressure })

  /// Thousandths of a degree.
  private static func temperature(_ counts: @escaping @Sendable (Double) -> Double) -> Air {
    Air(
      stem: "in_temp", counts: { counts($0.temperature) }, value: { $0.temperature * 1000 })
  }

  // Debian's kernel has no driver of the HTS221.
  static let all = [
    AirOracle("st,lps25h", "lps25h", 0x5C, [pressure, temperature { ($0 - 42.5) * 480 }]),
    AirOracle("st,lps22hb", "lps22hb", 0x5D, [pressure, temperature { $0 * 100 }]),
  ]
}

extension KernelBenchTests.OracleTests {
  @Test(arguments: AirOracle.all)
  func `air of the kernel's drivers has our counts and values`(row: AirOracle) throws {
    try BenchServer.serve(Boards.all, hold: Self.held)
    let words = row.oracle.words()
    let theirs = try VirtualBench.with(words.new, gone: words.delete) {
      let device = try IIODevice(named: row.oracle.driver)
      return try row.quantities.map { quantity in
        (
          raw: try device.number("\(quantity.stem)_raw"),
          scale: try device.number("\(quantity.stem)_scale"),
          offset: device.has("\(quantity.stem)_offset")
            ? try device.number("\(quantity.stem)_offset") : 0
        )
      }
    }
    let ours = try Ours.last(try Ours.board(row.oracle.placement(", rate-hz: 7")))
    for (quantity, theirs) in zip(row.quantities, theirs) {
      let counts = abs(quantity.counts(ours) - theirs.raw)
      #expect(counts < 1e-6, "\(quantity.counts(ours)) and \(theirs.raw)")
      // The kernel prints nine places of its scale, and a whole number or nine places of its
      // offset.
      let value = (theirs.raw + theirs.offset) * theirs.scale
      let part = abs(value / quantity.value(ours) - 1)
      #expect(part < 1e-4, "\(value) and \(quantity.value(ours))")
      print(
        "oracle: | \(row) | \(quantity.stem) | \(Self.digits(counts)) LSB, value \(Self.digits(part)) |"
      )
    }
  }

  /// Compares with what the kernel compensates in whole numbers: hundredths of a pascal and of a
  /// degree are its last places. Over SPI 6.1 does not know of the byte that comes before a read's.
  @Test func `the kernel's BMP380 driver compensates as we do`() throws {
    let oracle = Oracle(chip: "bosch,bmp388", driver: "bmp380", place: .i2c(0x76), quantities: [])
    try BenchServer.serve(Boards.bmp388, hold: Self.held)
    let words = oracle.words()
    let theirs = try VirtualBench.with(words.new, gone: words.delete) {
      let device = try IIODevice(named: "bmp380")
      Thread.sleep(forTimeInterval: 0.5)
      return (
        pressure: try device.number("in_pressure_input"),
        temperature: try device.number("in_temp_input")
      )
    }
    let ours = try Ours.last(try Ours.board(oracle.placement(", rate-hz: 25")))
    let pressure = abs(ours.pressure - theirs.pressure) * 1e5
    let temperature = abs(ours.temperature - theirs.temperature / 1000) * 100
    #expect(pressure < 1, "\(ours.pressure) and \(theirs.pressure) kPa")
    #expect(temperature < 1, "\(ours.temperature) and \(theirs.temperature) m degC")
    print(
      "oracle: | \(oracle) | environment | pressure \(Self.digits(pressure)) of 0.01 Pa, "
        + "temperature \(Self.digits(temperature)) of 0.01 K |")
  }
}
