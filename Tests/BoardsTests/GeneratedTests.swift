// SPDX-License-Identifier: Apache-2.0
import BringUp
import Boards
import ChipCatalog
import Foundation
import Recordings
import Testing

/// The committed schemas and tables equal those generated from the source; OTOLITH_RECORD=1 writes
/// them.
// Serialized, because recording writes several tables into one page.
@Suite(.serialized) struct GeneratedTests {
  @Test(arguments: ["board", "calibration"])
  func `each schema is what the format says`(_ name: String) throws {
    let text = name == "board" ? BoardSchema.board : BoardSchema.calibration
    let path = Fixtures.root + "boards/\(name).schema.json"
    if Fixtures.isRecording { try Fixtures.write(text, to: path) }
    let isEqual = try Fixtures.text(path) == text
    #expect(isEqual, "\(path) is not what BoardFormat says")
  }

  /// The generated tables between two marks of a page.
  static let tables: [(page: String, mark: String, text: String)] = [
    ("docs/reference/board-files.md", "keys", BoardReference.markdown),
    ("docs/reference/chips.md", "chips", ChipReference.markdown),
    ("docs/reference/chips.md", "known", ChipReference.knownMarkdown),
    ("docs/recordings.md", "motion columns", Self.motionColumns),
    ("README.md", "drives", ChipReference.overview),
  ]

  @Test(arguments: tables.indices)
  func `each table of the pages is what the source says`(_ index: Int) throws {
    let table = Self.tables[index]
    try Self.compare(table.text, in: table.page, table.mark)
  }

  /// The columns of a motion file as a table; columns that belong together share a row.
  static var motionColumns: String {
    var rows: [(names: [String], unit: String)] = []
    for (name, unit) in MotionFormat.columns() {
      let stem = name.hasSuffix(".x") || !"yzw".contains(name.suffix(1)) ? nil : name.dropLast(2)
      if let stem, let first = rows.last?.names.first, first == "\(stem).x" {
        rows[rows.count - 1].names.append(".\(name.suffix(1))")
      } else {
        rows.append(([name], unit))
      }
    }
    return
      (["| column | unit |", "|---|---|"]
      + rows.map { row in
        "| " + row.names.map { "`\($0)`" }.joined(separator: ", ") + " | \(row.unit) |"
      }).joined(separator: "\n") + "\n"
  }

  /// A page begins as a draft.
  @Test func `every family of chips has a page`() throws {
    let folder = "docs/reference/chips/"
    for page in ChipPage.all {
      let path = Fixtures.root + folder + page.file
      if Fixtures.isRecording, !FileManager.default.fileExists(atPath: path) {
        try Fixtures.write(page.draft, to: path)
      }
      try Self.compare(page.markdown, in: folder + page.file, "part")
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: Fixtures.root + folder)
    #expect(files.sorted() == ChipPage.all.map(\.file).sorted())
  }

  @Test func `the wiring of every shipped board is listed pin by pin`() throws {
    for shipped in ShippedBoard.all where !shipped.name.hasPrefix("simulated") {
      let board = try BoardFile.load(
        path: shipped.name, catalogue: ChipCatalog.descriptions, drivenOnly: false)
      try Self.compare(WiringTable(board).markdown, in: "docs/reference/boards.md", shipped.name)
    }
  }

  /// Compares the text between the marks of `name` with `text`, or writes it there.
  static func compare(_ text: String, in page: String, _ name: String) throws {
    let path = Fixtures.root + page
    let (begin, end) = ("<!-- \(name): begin -->\n", "<!-- \(name): end -->")
    let whole = try Fixtures.text(path)
    let from = try #require(whole.firstRange(of: begin), "\(page) has no mark of \(name)")
      .upperBound
    let to = try #require(whole.firstRange(of: end)).lowerBound
    if Fixtures.isRecording {
      try Fixtures.write("\(whole[..<from])\(text)\(whole[to...])", to: path)
    } else {
      #expect(whole[from..<to] == text)
    }
  }

  @Test func `the example of every key is taken`() throws {
    for section in BoardFormat.sections {
      for key in section.keys where !key.isRequired {
        guard let text = Self.board(with: key, of: section.name) else { continue }
        do {
          _ = try BoardFile.parse(
            text, file: key.name,
            catalogue: section.name == "pedometer" || text.contains("vcnl4040")
              || text.contains("mpu9250") || text.contains("bmi270")
              ? ChipCatalog.descriptions : Fixtures.catalogue)
        } catch {
          Issue.record("\(error)")
        }
      }
    }
  }

  /// Returns a board in which `key` has the value of its example; `nil` if it needs a second file.
  static func board(with key: BoardKey, of section: String) -> String? {
    let line = "\(key.name): \(key.example)"
    switch section {
    case "board" where key.name == "simulation":
      return BoardFileTests.imu("", line, bus: "simulated: i2c")
    // Every board of these tests has buses.
    case "board" where key.name == "buses": return nil
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
    case "chip" where ["chip", "on", "address"].contains(key.name): return BoardFileTests.imu()
    // KernelBoardTests has these: the machine's kernel need not have a sensor.
    case "chip" where key.name == "iio": return nil
    case "chip" where key.name == "magnetic-field-range-ut" || key.name == "magnetic-delay-ms":
      return BoardFileTests.imu(line).replacing("invensense,mpu6050", with: "st,lis3mdl")
        .replacing("0x68", with: "0x1C")
    case "chip" where key.name == "illuminance-range-lx":
      return BoardFileTests.imu(line).replacing("invensense,mpu6050", with: "vishay,vcnl4040")
        .replacing("0x68", with: "0x60")
    case "chip" where key.name == "magnetometer":
      return BoardFileTests.imu(line).replacing("invensense,mpu6050", with: "invensense,mpu9250")
    case "chip" where key.name == "firmware":
      return BoardFileTests.imu(line).replacing("invensense,mpu6050", with: "bosch,bmi270")
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
      // The MPU-6050 has no step counter, so this example uses an LSM6DS3.
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
    case "wiring" where key.name == "header":
      return BoardFileTests.imu(
        "",
        "wiring: { \(line), modules: { m: { chips: [imu], pins: { VCC: 1, GND: 6, SCL: 5, SDA: 3 } } } }"
      )
    case "module":
      let pins = "pins: { VCC: 1, GND: 6, SCL: 5, SDA: 3, INT: 7 }"
      return BoardFileTests.imu(
        "", "wiring: { modules: { m: { chips: [imu], \(pins), \(line) } } }")
    case "simulation":
      return BoardFileTests.imu("", "simulation: { \(line) }", bus: "simulated: i2c")
    default: return nil
    }
  }

  @Test func `the first board of the documentation is one`() throws {
    let text = try Fixtures.text(Fixtures.root + "docs/reference/board-files.md")
    let from = try #require(text.firstRange(of: "```yaml\n")).upperBound
    let to = try #require(text[from...].firstRange(of: "```")).lowerBound
    let board = try BoardFile.parse(
      String(text[from..<to]), file: "docs", catalogue: Fixtures.catalogue)
    #expect(board.chips.map { $0.name } == ["imu"])
  }

  @Test func `every file of boards is built in`() throws {
    let folder = Fixtures.root + "boards/"
    #expect(ShippedBoard.all.map(\.file) == (try Fixtures.yamlFiles(in: folder)))
    for board in ShippedBoard.all {
      #expect(board.text == (try Fixtures.text(folder + board.file)), "\(board.file)")
    }
    #expect(ShippedBoard.all.contains(.simulated))
  }

  @Test(arguments: try Fixtures.yamlFiles(in: Fixtures.root + "boards"))
  func `each picture of a wiring is that of its board`(_ file: String) throws {
    let board = try BoardFile.load(
      path: Fixtures.root + "boards/" + file, catalogue: ChipCatalog.descriptions,
      drivenOnly: false)
    guard let picture = WiringPicture(board) else {
      #expect(file.hasPrefix("simulated"))
      return
    }
    let name = file.replacing("raspberry-pi-", with: "wiring-").replacing(".yaml", with: ".svg")
    let path = Fixtures.root + "docs/images/" + name
    if Fixtures.isRecording { try Fixtures.write(picture.svg, to: path) }
    let isEqual = try Fixtures.text(path) == picture.svg
    #expect(isEqual, "\(path) is not what \(file) says")
  }
}
