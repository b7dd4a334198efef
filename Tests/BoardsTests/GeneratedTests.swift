// SPDX-License-Identifier: Apache-2.0
import Boards
import ChipCatalog
import Testing

/// What is committed is what the tables say. Written anew with OTOLITH_RECORD=1.
@Suite struct GeneratedTests {
  @Test(arguments: ["board", "calibration"]) func schema(_ name: String) throws {
    let text = name == "board" ? BoardSchema.board : BoardSchema.calibration
    let path = Fixtures.root + "boards/\(name).schema.json"
    if Fixtures.isRecording { try Fixtures.write(text, to: path) }
    let isEqual = try Fixtures.text(path) == text
    #expect(isEqual, "\(path) is not what BoardFormat says")
  }

  @Test func keyTables() throws {
    let path = Fixtures.root + "docs/board-files.md"
    let (begin, end) = ("<!-- keys: begin -->\n", "<!-- keys: end -->\n")
    let text = try Fixtures.text(path)
    let from = try #require(text.firstRange(of: begin)).upperBound
    let to = try #require(text.firstRange(of: end)).lowerBound
    if Fixtures.isRecording {
      let written = text[..<from] + BoardReference.markdown + text[to...]
      try Fixtures.write(String(written), to: path)
    } else {
      #expect(text[from..<to] == BoardReference.markdown)
    }
  }

  /// The examples of the tables are good.
  @Test func examples() throws {
    for section in BoardFormat.sections {
      for key in section.keys where !key.isRequired {
        guard let text = Self.board(with: key, of: section.name) else { continue }
        do {
          _ = try BoardFile.parse(
            text, file: key.name,
            catalogue: section.name == "pedometer" ? ChipCatalog.descriptions : Fixtures.catalogue)
        } catch {
          Issue.record("\(error)")
        }
      }
    }
  }

  /// A board in which `key` has the value of its example; `nil` for what needs a second file.
  static func board(with key: BoardKey, of section: String) -> String? {
    let line = "\(key.name): \(key.example)"
    switch section {
    case "board" where key.name == "simulation":
      return BoardFileTests.imu("", line, bus: "simulated: i2c")
    case "board": return key.name == "calibration" ? nil : BoardFileTests.imu("", line)
    case "bus" where key.name == "i2c" || key.name == "simulated":
      return BoardFileTests.imu(bus: line)
    case "bus" where key.name == "select":
      return BoardFileTests.imu(bus: "simulated: spi, \(line)")
        .replacing("invensense,mpu6050", with: "st,lis3mdl")
        .replacing("    address: 0x68", with: "")
    case "bus":
      let rest = key.name == "spi" ? line : "spi: /dev/spidev0.0, \(line)"
      return BoardFileTests.imu(bus: rest).replacing("invensense,mpu6050", with: "st,lis3mdl")
        .replacing("    address: 0x68", with: "")
    case "chip" where key.name == "address": return BoardFileTests.imu()
    case "chip" where key.name == "magnetic-field-range-ut" || key.name == "magnetic-delay-ms":
      return BoardFileTests.imu(line).replacing("invensense,mpu6050", with: "st,lis3mdl")
        .replacing("0x68", with: "0x1C")
    case "chip" where key.name == "behind":
      return BoardFileTests.imu()
        + "  mag: { chip: \"st,lis3mdl\", on: bus, address: 0x1C, \(line) }\n"
    case "chip": return BoardFileTests.imu(line)
    case "location":
      let rest =
        switch key.name {
        case "latitude-deg": ", longitude-deg: 8.54"
        case "longitude-deg": ", latitude-deg: 47.38"
        case "height-m": ", latitude-deg: 47.38, longitude-deg: 8.54"
        default: ""
        }
      return BoardFileTests.imu("", "location: { \(line)\(rest) }")
    case "pedometer":
      // The MPU-6050 counts no steps.
      let counts = key.name == "steps-by" ? "detection: { kinds: [step] }" : ""
      let text = BoardFileTests.imu(counts, "pedometer: { \(line) }")
      return counts.isEmpty
        ? text
        : text.replacing("invensense,mpu6050", with: "st,lsm6ds3").replacing("0x68", with: "0x6A")
    case "detection": return BoardFileTests.imu("detection: { kinds: [motion], \(line) }")
    case "fault":
      let kind = key.name == "identity" ? "wrong-chip" : "nack"
      let time = key.name == "for-s" ? "at-s: 1, " : ""
      let fault = "fault: \(kind), \(time)\(line.replacing("i2c", with: "bus"))"
      return BoardFileTests.imu("", "simulation: { faults: [{ \(fault) }] }", bus: "simulated: i2c")
    case "simulated-errors":
      let needed = key.name == "gyro-bias-slope-rad-s-k" ? ", gyro-bias-temperature-c: 25" : ""
      return BoardFileTests.imu(
        "", "simulation: { errors: { imu: { \(line)\(needed) } } }", bus: "simulated: i2c")
    case "simulation":
      return BoardFileTests.imu("", "simulation: { \(line) }", bus: "simulated: i2c")
    default: return nil
    }
  }

  /// The first board of the documentation is one.
  @Test func shortestBoard() throws {
    let text = try Fixtures.text(Fixtures.root + "docs/board-files.md")
    let from = try #require(text.firstRange(of: "```yaml\n")).upperBound
    let to = try #require(text[from...].firstRange(of: "```")).lowerBound
    let board = try BoardFile.parse(
      String(text[from..<to]), file: "docs", catalogue: Fixtures.catalogue)
    #expect(board.chips.map { $0.name } == ["imu"])
  }

  @Test func embeddedBoard() throws {
    #expect(
      BoardFile.embeddedSimulated == (try Fixtures.text(Fixtures.root + "boards/simulated.yaml")))
  }
}
