// SPDX-License-Identifier: Apache-2.0
import BringUp
import Boards
import Quantities
import Sensors
import Testing

/// A chip whose outputs were changed in its trace, and the register and bytes of one read that hold
/// its measurement, typed again from the data sheets.
struct Outputs: CustomTestStringConvertible, Sendable {
  let chip: String
  let keys: String
  let register: String
  let bytes: Range<Int>
  /// What is read elsewhere.
  let others: ChannelSet

  init(
    _ chip: String, _ keys: String, _ register: String, _ bytes: Range<Int>, others: ChannelSet = []
  ) {
    self.chip = chip
    self.keys = keys
    self.register = register
    self.bytes = bytes
    self.others = others
  }

  var testDescription: String { chip }

  static let all: [Outputs] = [
    // BST-BMP280-DS001 and BST-BME280-DS001, table 18: press 0xF7, temp 0xFA, hum 0xFD.
    Outputs("bosch,bmp280", "address: 0x76\nrate-hz: 100", "0xF7", 0..<6),
    Outputs("bosch,bme280", "address: 0x76\nrate-hz: 100", "0xF7", 0..<8),
    // BST-BMP388-DS001, table 24: STATUS 0x03, DATA_0 to DATA_5 behind it.
    Outputs("bosch,bmp388", "address: 0x76\nread-by: polling\nrate-hz: 100", "0x03", 1..<7),
    Outputs("bosch,bmp390", "address: 0x76\nread-by: polling\nrate-hz: 100", "0x03", 1..<7),
    // BST-BMP581-DS004, section 7: TEMP_DATA 0x1D, PRESS_DATA behind it.
    Outputs("bosch,bmp581", "address: 0x46\nread-by: polling\nrate-hz: 100", "0x1D", 0..<6),
    // DocID023722 and DocID027083, sections 7 and 8: STATUS 0x27, PRESS_OUT, TEMP_OUT behind it.
    Outputs("st,lps25h", "address: 0x5C\nread-by: polling\nrate-hz: 25", "0x27", 1..<6),
    Outputs("st,lps22hb", "address: 0x5C\nread-by: polling\nrate-hz: 75", "0x27", 1..<6),
    // DocID026333, section 6: STATUS 0x27, HUMIDITY_OUT, TEMP_OUT behind it.
    Outputs("st,hts221", "address: 0x5F\nread-by: polling\nrate-hz: 12.5", "0x27", 1..<5),
    // DocID024204, section 6: STATUS 0x27, OUT_X to OUT_Z behind it.
    Outputs(
      "st,lis3mdl", "address: 0x1C\nread-by: polling\nrate-hz: 80", "0x27", 1..<7,
      others: .temperature),
    // HMC5883L, table 2: data output 0x03 to 0x08.
    Outputs(
      "honeywell,hmc5883l",
      "address: 0x1E\nread-by: polling\nrate-hz: 75\nmagnetic-field-range-ut: 88", "0x03", 0..<6),
    // QMC5883L, table 13: data output 0x00 to 0x05.
    Outputs("qst,qmc5883l", "address: 0x0D\nread-by: polling\nrate-hz: 200", "0x00", 0..<6),
    // QST 13-52-19, table 13: data output 0x01 to 0x06.
    Outputs("qst,qmc5883p", "address: 0x2C\nread-by: polling\nrate-hz: 200", "0x01", 0..<6),
    // DS12144, section 8: STATUS_REG 0x67, OUTX_L to OUTZ_H behind it.
    Outputs("st,lis2mdl", "address: 0x1E\nread-by: polling\nrate-hz: 100", "0x67", 1..<7),
    // MS1356-E-02, section 8.1: HXL 0x03 to HZH 0x08.
    Outputs("asahi-kasei,ak8963", "address: 0x0D\nread-by: polling\nrate-hz: 100", "0x03", 0..<6),
    // DS-000189, section 7: ACCEL_XOUT_H 0x2D to TEMP_OUT_L 0x3A, bank 0.
    Outputs("invensense,icm20948", "address: 0x68\nread-by: polling\nrate-hz: 102", "0x2D", 0..<14),
    // DocID026899, section 8: OUT_TEMP 0x20, OUTX_G 0x22, OUTX_XL 0x28.
    Outputs("st,lsm6ds3", "address: 0x6A\nread-by: polling\nrate-hz: 104", "0x20", 0..<14),
    Outputs("st,lsm6dso", "address: 0x6A\nread-by: polling\nrate-hz: 104", "0x20", 0..<14),
    // lsm6dsv16x_reg.h: OUT_TEMP 0x20, OUTX_G 0x22, OUTX_A 0x28.
    Outputs("st,lsm6dsv16x", "address: 0x6A\nread-by: polling\nrate-hz: 120", "0x20", 0..<14),
    // RM-MPU-6000A, section 3: INT_STATUS 0x3A, ACCEL_XOUT_H 0x3B to GYRO_ZOUT_L 0x48 behind it.
    Outputs("invensense,mpu6050", "address: 0x68\nread-by: polling\nrate-hz: 100", "0x3A", 1..<15),
    // DS-000347, section 13: TEMP_DATA1 0x1D to GYRO_DATA_Z0 0x2A.
    Outputs(
      "invensense,icm42688p", "address: 0x68\nread-by: polling\nrate-hz: 100", "0x1D", 0..<14),
    // DS-000489, section 15: ACCEL_DATA_X1_UI 0x00 to TEMP_DATA0_UI 0x0D.
    Outputs("invensense,icm45686", "address: 0x68\nread-by: polling\nrate-hz: 100", "0x00", 0..<14),
    // QST 13-52-25, table 19: TEMP_L 0x33, AX_L 0x35 to GZ_H 0x40.
    Outputs("qst,qmi8658", "address: 0x6B\nread-by: polling\nrate-hz: 112.1", "0x33", 2..<14),
    // BST-BMI160-DS000, table 27: DATA_8 0x0C is the gyroscope's first, DATA_14 the
    // accelerometer's.
    Outputs("bosch,bmi160", "address: 0x68\nread-by: polling\nrate-hz: 100", "0x0C", 0..<12),
    // BST-BMI270-DS000, section 5: DATA_8 0x0C is the accelerometer's first, DATA_14 the gyroscope's.
    Outputs("bosch,bmi270", "address: 0x68\nread-by: polling\nrate-hz: 100", "0x0C", 0..<12),
  ]
}

/// Readings that cannot be: each part's outputs all zeros, all ones or stuck, on its wire.
@Suite struct InvalidReadingTests {
  /// Returns the trace of a run in which `change` replaced the outputs' digits.
  private func changed(
    _ outputs: Outputs, for span: TimeSpan = .seconds(2), _ change: (String) -> String
  ) throws -> Played {
    let recorded = try Recorded(Recorded.board(outputs.chip, outputs.keys), for: span)
    var isChanged = false
    let lines = recorded.trace.split(separator: "\n", omittingEmptySubsequences: false).map {
      line -> String in
      var words = line.split(separator: " ").map(String.init)
      guard words.count == 6, words[2] == "r", words[3] == outputs.register,
        words[5].count >= 2 * outputs.bytes.upperBound
      else { return String(line) }
      let digits = Array(words[5])
      let place = 2 * outputs.bytes.lowerBound..<2 * outputs.bytes.upperBound
      words[5] =
        String(digits[..<place.lowerBound]) + change(String(digits[place]))
        + String(digits[place.upperBound...])
      isChanged = true
      return words.joined(separator: " ")
    }
    #expect(isChanged, "no read of \(outputs.register)")
    return try Played(try traced(lines.joined(separator: "\n")))
  }

  @Test(arguments: Outputs.all, ["0", "F"])
  func `outputs whose bits are all alike are no measurement`(
    outputs: Outputs, digit: Character
  ) throws {
    let played = try changed(outputs) { String(repeating: digit, count: $0.count) }
    let chip = try #require(played.chips.first)
    #expect(chip.samples >= 10)
    let values = played.samples.filter { !$0.channels.subtracting(outputs.others).isEmpty }
    #expect(values.isEmpty, "\(values.first as Any)")
    #expect(chip.health.invalid == UInt64(chip.samples))
    let note = try #require(chip.notes.first)
    #expect(note.contains(" cannot be a measurement: "))
    #expect(note.contains("all bits of its code are \(digit == "0" ? 0 : 1)"), "\(note)")
  }

  /// The AK8963's data sheet has no noise figure that would exclude a repetition.
  @Test(arguments: Outputs.all.filter { $0.chip != "asahi-kasei,ak8963" })
  func `outputs that repeat to the last bit are stuck`(outputs: Outputs) throws {
    var first: String?
    let played = try changed(outputs, for: .seconds(4)) { digits in
      // The first samples may be from before the first conversion.
      first = first ?? (digits.contains { $0 != "0" && $0 != "8" } ? digits : nil)
      return first ?? digits
    }
    let chip = try #require(played.chips.first)
    let note = try #require(chip.notes.first)
    #expect(note.contains("the value repeats to the last bit"), "\(note)")
    #expect(chip.health.invalid == 0)
  }

  @Test(arguments: Outputs.all)
  func `a part at rest is neither`(outputs: Outputs) throws {
    let played = try changed(outputs, for: .seconds(4)) { $0 }
    let chip = try #require(played.chips.first)
    #expect(chip.notes.isEmpty, "\(chip.notes)")
    #expect(chip.health.invalid == 0)
    #expect(played.samples.allSatisfy { !$0.channels.isEmpty })
  }

  /// What the trace of a damaged BMP280 had: temperature 0x00000 next to a pressure that varies.
  @Test func `a temperature of all zeros takes the pressure with it`() throws {
    let played = try changed(try #require(Outputs.all.first)) { $0.prefix(6) + "000000" }
    let chip = try #require(played.chips.first)
    #expect(played.samples.allSatisfy { $0.channels.isEmpty })
    #expect(chip.health.invalid == UInt64(chip.samples))
    // The trim words of the sheet's example (section 3.12) give -147 degrees or so for 0.
    let note = try #require(chip.notes.first)
    #expect(note.hasPrefix("\(chip.samples) readings of pressure and temperature cannot be"))
    #expect(note.contains("the BMP280 measures -40.0 to 85.0"), "\(note)")
  }

  /// Table 18: the four lowest bits of press_xlsb and temp_xlsb read 0.
  @Test func `bits that always read 0 tell a corrupted transfer`() throws {
    let played = try changed(try #require(Outputs.all.first)) {
      $0.prefix(5) + "4" + $0.dropFirst(6)
    }
    let chip = try #require(played.chips.first)
    #expect(played.samples.allSatisfy { $0.channels == .temperature })
    #expect(chip.notes.first?.contains("bits that always read 0 are set") == true)
  }
}
