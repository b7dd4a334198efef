// SPDX-License-Identifier: Apache-2.0
import Recognition
import Boards
import ChipCatalog
import Fusion
import Foundation
import Quantities
import Sensors
import Testing

@Suite struct BoardFileTests {
  /// A board file with one MPU-6050 on /dev/i2c-1; `chip` and `file` are added lines.
  static func imu(_ chip: String = "", _ file: String = "", bus: String = "i2c: /dev/i2c-1")
    -> String
  {
    """
    otolith-board: 1
    name: Test
    buses:
      bus: { \(bus) }
    chips:
      imu:
        chip: invensense,mpu6050
        on: bus
        address: 0x68
        \(chip)
    \(file)

    """
  }

  static func parse(_ text: String) throws(BoardErrors) -> Board {
    try BoardFile.parse(text, file: "test.yaml", catalogue: Fixtures.catalogue)
  }

  static func errors(_ text: String) -> [String] {
    do {
      _ = try parse(text)
      return []
    } catch {
      return error.errors.map { $0.description }
    }
  }

  // MARK: - Shipped boards

  @Test(arguments: try Fixtures.yamlFiles(in: Fixtures.root + "boards"))
  func `every shipped board is read, and its calibration searched for in its folder`(_ name: String)
    throws
  {
    let path = Fixtures.root + "boards/" + name
    let board: Board
    do {
      board = try BoardFile.load(path: path, catalogue: ChipCatalog.descriptions)
    } catch {
      // The only error is the chip without a driver.
      #expect(name.contains("sense-hat") || name.contains("4517"))
      #expect(error.errors.count == 1 && error.unsupportedChips?.count == 1)
      return
    }
    #expect(!board.chips.isEmpty && board.calibration == nil)
    #expect(board.calibrationPath?.hasSuffix("boards/calibration/" + name) ?? false)
  }

  @Test func `the simulated board reads as its three chips, swaying, at a known pressure`() throws {
    let board = try BoardFile.simulated(catalogue: ChipCatalog.descriptions)
    #expect(board.buses.map { $0.connection } == [.simulated(.i2c)])
    #expect(board.chips.map { $0.address } == [0x68, 0x1C, 0x76])
    #expect(
      board.chips.map { $0.interrupt } == [Interrupt(.simulated), Interrupt(.simulated), nil])
    #expect(board.chips.map { $0.settings.rate } == [100, 20, 25])
    #expect(board.location?.seaLevelPressure == 101.325)
    #expect(board.simulation?.motion == .sway)
    #expect(board.calibrationPath == nil)
  }

  // MARK: - Values

  @Test func `every key of a chip is read, and its place kept`() throws {
    let chip = """
      interrupt: { chip: pinctrl-bcm2711, offset: 4, edge: falling }
          rate-hz: 199.5
          acceleration-range-g: 8
          rotation-rate-range-dps: 1000
          bandwidth-hz: 90
          read-by: fifo
          batch-interval-ms: 2.5
          mounting: [-y, X, z]
      """
    let text = Self.imu(
      chip,
      "description: All of it\nlocation: { declination-deg: -90 }\nrecord-history: true")
    let board = try Self.parse(text)
    #expect(board.file == "test.yaml" && board.name == "Test" && board.summary == "All of it")
    #expect(board.location?.declination == -Double.pi / 2)
    #expect(board.recordsHistory)
    #expect(board.simulation == nil && board.calibration == nil)
    #expect(board.bus("bus")?.connection == .i2c(path: "/dev/i2c-1"))
    let placement = try #require(board.chips.first)
    #expect(placement.name == "imu" && placement.chip == "invensense,mpu6050")
    #expect(placement.bus == "bus" && placement.address == 0x68)
    #expect(
      placement.interrupt
        == Interrupt(.offset(chip: "pinctrl-bcm2711", 4), edge: .falling))
    var settings = SensorSettings(
      rate: 199.5, accelerationRange: 8, rotationRateRange: 1000 * Fixtures.degree,
      magneticFieldRange: 400, bandwidth: 90, acquisition: .fifo,
      batchInterval: .microseconds(2500))
    settings.interruptPin.isActiveLow = true
    #expect(placement.settings == settings)
    // The chip's y axis points along the device's -x, its x axis along the device's y.
    #expect(placement.mounting.matrix * Vector3(1, 2, 3) == Vector3(-2, 1, 3))
    #expect(placement.positions.entry == SourcePosition(line: 6, column: 3))
    #expect(placement.positions["rate-hz"] == SourcePosition(line: 11, column: 14))
    #expect(placement.positions["no such key"] == placement.positions.entry)
  }

  /// The short names that people use: the part alone, or the name printed on it. The board has the
  /// full name.
  @Test(arguments: [
    ("mpu6050", "invensense,mpu6050"), ("MPU-6050", "invensense,mpu6050"),
    ("Invensense,MPU6050", "invensense,mpu6050"), ("lsm9ds1", "st,lsm9ds1-imu"),
    ("lsm9ds1-magn", "st,lsm9ds1-magn"), ("st,lsm9ds1", "st,lsm9ds1-imu"),
    ("icm-42688-p", "invensense,icm42688p"), ("icm-45686", "invensense,icm45686"),
  ])
  func `a chip is named by its part alone`(_ word: String, _ name: String) throws {
    let chip = try #require(ChipCatalog.entry(named: name)).description
    let text = """
      otolith-board: 1
      name: Short
      buses: { i2c1: { i2c: /dev/i2c-1 } }
      chips: { one: { chip: "\(word)", on: i2c1, address: 0x\(String(chip.addresses[0], radix: 16)) } }

      """
    let board = try BoardFile.parse(
      text, file: "short.yaml", catalogue: ChipCatalog.descriptions)
    #expect(board.chips.map(\.chip) == [name])
  }

  @Test func `a part that several chips begin with is none of them`() {
    let refused = #expect(throws: BoardErrors.self) {
      try BoardFile.parse(
        Self.imu().replacing("invensense,mpu6050", with: "lsm6ds"), file: "x.yaml",
        catalogue: ChipCatalog.descriptions)
    }
    #expect(refused?.description.contains("unknown chip 'lsm6ds'") ?? false)
  }

  @Test func `a pedometer has defaults, and what is said goes before`() throws {
    let plain = try Self.parse(Self.imu()).pedometer
    #expect(plain.height == 1.7 && plain.distanceScale == 1 && plain.historyDays == 7)
    #expect(plain.chip == nil)
    let said = try Self.parse(
      Self.imu("", "pedometer: { height-m: 1.82, distance-scale: 1.06, history-days: 30 }")
    ).pedometer
    #expect(said.height == 1.82 && said.distanceScale == 1.06 && said.historyDays == 30)
    func lsm(_ chip: String, _ name: String) -> String {
      Self.imu(chip, "pedometer: { steps-by: \(name) }")
        .replacing("invensense,mpu6050", with: "st,lsm6ds3").replacing("0x68", with: "0x6A")
    }
    func parse(_ text: String) throws(BoardErrors) -> Board {
      try BoardFile.parse(text, file: "test.yaml", catalogue: ChipCatalog.descriptions)
    }
    let counting = "detection: { kinds: [step] }"
    #expect(try parse(lsm(counting, "imu")).pedometer.chip == "imu")
    let unknown = #expect(throws: BoardErrors.self) { try parse(lsm(counting, "imo")) }
    #expect(unknown?.description.contains("did you mean 'imu'?") ?? false)
    let idle = #expect(throws: BoardErrors.self) { try parse(lsm("", "imu")) }
    #expect(idle?.errors.count == 1)
    #expect(idle?.description.contains("'imu' does not detect steps") ?? false)
    #expect(!Self.errors(Self.imu("", "pedometer: { height-m: 182 }")).isEmpty)
  }

  @Test func `a location has a position, a declination or both`() throws {
    func location(_ text: String) throws -> Location? {
      try Self.parse(Self.imu("", "location: { \(text) }")).location
    }
    let place = try #require(try location("latitude-deg: -33.87, longitude-deg: 151.21"))
    #expect(place.declination == nil)
    #expect(place.position == (try GeodeticPosition(latitude: -33.87, longitude: 151.21)))
    let all = try #require(
      try location("latitude-deg: 47.4, longitude-deg: 8.5, height-m: 408, declination-deg: 90"))
    #expect(all.declination == Double.pi / 2)
    #expect(
      all.position == (try GeodeticPosition(latitude: 47.4, longitude: 8.5, height: 408)))
    let angle = try #require(try location("declination-deg: 90"))
    #expect(angle.declination == Double.pi / 2 && angle.position == nil)
  }

  /// The height is a reference only if the file states it, because the position's default is zero.
  @Test func `an altitude's reference is the pressure or the height that is said`() throws {
    func location(_ text: String) throws -> Location {
      try #require(try Self.parse(Self.imu("", "location: { \(text) }")).location)
    }
    let air = try location("sea-level-pressure-hpa: 1013.2")
    #expect(abs((air.seaLevelPressure ?? 0) - 101.32) < 1e-9)
    #expect(air.height == nil && air.position == nil)
    let high = try location("latitude-deg: 47.4, longitude-deg: 8.5, height-m: 408")
    #expect(high.height == 408 && high.seaLevelPressure == nil)
    #expect(try location("latitude-deg: 47.4, longitude-deg: 8.5").height == nil)
    #expect(try location("latitude-deg: 47.4, longitude-deg: 8.5, height-m: 0").height == 0)
    // The value must be in hPa, not in kPa or Pa.
    for wrong in ["101.32", "101320", "849", "1101"] {
      #expect(throws: BoardErrors.self, "\(wrong)") {
        try location("sea-level-pressure-hpa: \(wrong)")
      }
    }
  }

  @Test func `what is left out has its default`() throws {
    let board = try Self.parse(Self.imu())
    #expect(!board.recordsHistory)
    let placement = try #require(board.chips.first)
    #expect(placement.interrupt == nil && placement.mounting == Mounting())
    #expect(
      placement.settings
        == SensorSettings(rotationRateRange: 500 * Fixtures.degree, acquisition: .fifo))
  }

  @Test func `the default rate is one that the chip has`() throws {
    var slow = Fixtures.mpu6050
    slow.rates = [25, 12.5]
    let board = try BoardFile.parse(Self.imu(), file: "test.yaml", catalogue: [slow])
    #expect(board.chips.first?.settings.rate == 25)
  }

  @Test func `a chip without a word is read by what it can do`() throws {
    func acquisition(_ chip: String) throws -> Acquisition? {
      try Self.parse(Self.imu(chip)).chips.first?.settings.acquisition
    }
    #expect(try acquisition("") == .fifo)
    #expect(try acquisition("interrupt: { line: GPIO4 }") == .dataReady)
    #expect(try acquisition("read-by: polling") == .polling)
    let compass = Self.imu().replacing("invensense,mpu6050", with: "st,lis3mdl")
      .replacing("0x68", with: "0x1C")
    #expect(try Self.parse(compass).chips.first?.settings.acquisition == .polling)
  }

  @Test func `a chip on SPI has a mode and a speed, and no address`() throws {
    let text = Self.imu(bus: "spi: /dev/spidev0.1, mode: 0, speed-hz: 5e6")
      .replacing("invensense,mpu6050", with: "st,lis3mdl").replacing("    address: 0x68", with: "")
    let board = try Self.parse(text)
    #expect(
      board.buses.first?.connection == .spi(path: "/dev/spidev0.1", mode: 0, speed: 5_000_000))
    #expect(board.chips.first?.address == nil)
  }

  @Test func `an address may be decimal`() throws {
    let board = try Self.parse(Self.imu().replacing("0x68", with: "104"))
    #expect(board.chips.first?.address == 0x68)
  }

  @Test func `a recording is searched for in the board's folder`() throws {
    let text = Self.imu("", "simulation: { motion: ours.csv }", bus: "simulated: i2c")
    let folder = try Folder(["board.yaml": text, "ours.csv": "t\n"])
    let board = try BoardFile.load(path: folder.path + "board.yaml", catalogue: Fixtures.catalogue)
    #expect(board.simulation?.motion == .recording(path: folder.path + "ours.csv"))
  }

  @Test func `a calibration is searched for in the board's folder`() throws {
    let calibration = """
      otolith-calibration: 1
      chips:
        imu:
          chip: "invensense,mpu6050"
          made: 2026-11-22
          gyro-bias-rad-s: [0.01, 0, -2e-2]
          acceleration-matrix: [[2, 0, 0], [0, 1, 0], [0, 0, 1]]
      """
    let folder = try Folder(["board.yaml": Self.imu(), "calibration/board.yaml": calibration])
    let board = try BoardFile.load(path: folder.path + "board.yaml", catalogue: Fixtures.catalogue)
    var expected = ChipCalibration(gyroBias: Vector3(0.01, 0, -0.02))
    expected.accelerationMatrix.m11 = 2
    let chip = CalibratedChip(chip: "invensense,mpu6050", made: "2026-11-22", errors: expected)
    #expect(board.calibration?.chips == ["imu": chip])
  }

  /// Without the calibration, samples would be wrong without notice.
  @Test func `a calibration that is there and cannot be read is an error`() throws {
    let folder = try Folder([
      "board.yaml": Self.imu(), "empty.yaml": Self.imu(), "folder.yaml": Self.imu(),
      "calibration/empty.yaml": "", "calibration/folder.yaml/x": "",
    ])
    // The bytes are Latin-1, not UTF-8.
    try Data([0x6E, 0xF6, 0x0A]).write(to: URL(filePath: folder.path + "calibration/board.yaml"))
    for (name, expected) in [
      (
        "board",
        ": is not text in UTF-8; expected the board's calibration; remove it to go on without"
      ),
      ("folder", ": is a folder; expected the board's calibration; remove it to go on without"),
      (
        "empty",
        ":1:1: the file is empty; expected 'otolith-calibration: 1' and what follows; see "
          + "boards/simulated.yaml for an example"
      ),
    ] {
      let errors = #expect(throws: BoardErrors.self) {
        try BoardFile.load(path: "\(folder.path)\(name).yaml", catalogue: Fixtures.catalogue)
      }
      #expect(errors?.description == "\(folder.path)calibration/\(name).yaml" + expected)
    }
  }

  // MARK: - Mounting

  @Test func `all 24 rotations are taken, all 24 mirror images refused`() throws {
    var taken = 0
    for x in ["x", "y", "z"] {
      for y in ["x", "y", "z"] where y != x {
        let z = ["x", "y", "z"].first { $0 != x && $0 != y } ?? ""
        for signs in 0..<8 {
          let axes = [x, y, z].enumerated().map {
            (signs >> $0.offset) & 1 == 1 ? "-" + $0.element : $0.element
          }
          let text = Self.imu("mounting: [\(axes.joined(separator: ", "))]")
          guard let board = try? Self.parse(text) else {
            #expect(Self.errors(text).first?.contains("mirror image") ?? false)
            continue
          }
          taken += 1
          let matrix = try #require(board.chips.first?.mounting.matrix)
          #expect(matrix.determinant == 1)
          #expect(matrix * matrix.transposed == .identity)
        }
      }
    }
    #expect(taken == 24)
  }

  /// The transpose of the matrix is used as its inverse, so it must be a rotation.
  @Test func `a matrix of rounded digits becomes a true rotation`() throws {
    let text = Self.imu("mounting: [[0.7071, -0.7072, 0], [0.7071, 0.7071, 0], [0, 0, 1]]")
    let matrix = try #require(try Self.parse(text).chips.first?.mounting.matrix)
    let product = matrix * matrix.transposed
    let cells = [(product.m11, 1.0), (product.m12, 0), (product.m22, 1), (product.m33, 1)]
    for (a, b) in cells {
      #expect(abs(a - b) < 1e-12)
    }
    #expect(abs(matrix.m11 - 0.70710678) < 1e-4)
  }

  // MARK: - YAML

  /// YAML 1.1 takes `on` and `y` for booleans; here they are text.
  @Test func `words that YAML 1 took for truths are what they say`() throws {
    let text = Self.imu("mounting: [y, z, x]").replacing("bus:", with: "yes:")
      .replacing("on: bus", with: "on: yes")
    #expect(try Self.parse(text).chips.first?.bus == "yes")
  }

  @Test func `line ends of Windows and a byte order mark change nothing`() throws {
    let text = Self.imu("rate-hz: fast")
    #expect(Self.errors(text.replacing("\n", with: "\r\n")) == Self.errors(text))
    #expect(try Self.parse("\u{FEFF}" + Self.imu()).name == "Test")
  }

  @Test func `many aliases, deep nesting and long files are refused`() {
    #expect(Self.errors(String(repeating: "[", count: 60_000)).count == 1)
    #expect(Self.errors(String(repeating: "- ", count: 30_000)).count == 1)
    #expect(
      Self.errors(String(repeating: "# long\n", count: 30_000)).first?.contains("bytes") ?? false)
  }

  // MARK: - Several chips of a kind

  @Test
  func
    `a chip is used for all that it measures and sits at the origin unless the file says otherwise`()
    throws
  {
    let plain = try Self.parse(Self.imu()).chips[0]
    #expect(plain.uses == .all && plain.position == .zero)
    let lines = "uses: [rotation-rate]\n    position-mm: [12, -30, 4.5]"
    let chip = try Self.parse(Self.imu(lines)).chips[0]
    #expect(chip.uses == .rotationRate)
    #expect((chip.position - Vector3(0.012, -0.03, 0.0045)).norm < 1e-12)
    #expect(try Self.parse(Self.imu("uses: []")).chips[0].uses == [])
  }

  // MARK: - Files

  @Test func `a file that is missing or not text gives an error of one sentence`() throws {
    let folder = try Folder(["gy521.yaml": "", "minimu.yaml": ""])
    func said(_ name: String) -> String {
      do {
        _ = try BoardFile.load(path: folder.path + name, catalogue: Fixtures.catalogue)
        return ""
      } catch {
        return error.description.replacing(folder.path, with: "here/")
      }
    }
    #expect(said("gy512.yaml") == "here/gy512.yaml: no such file; did you mean here/gy521.yaml?")
    #expect(
      said("else.yaml")
        == "here/else.yaml: no such file; boards in this folder: gy521.yaml, minimu.yaml")
    #expect(said("nowhere/else.yaml") == "here/nowhere/else.yaml: no such file")
    #expect(said("") == "here/: is a folder; boards in this folder: gy521.yaml, minimu.yaml")
    try Data([0x6E, 0xFF, 0xFE]).write(to: URL(filePath: folder.path + "bytes.yaml"))
    #expect(said("bytes.yaml") == "here/bytes.yaml: is not text in UTF-8")
  }
}

/// A folder of files that is deleted with the last reference to it.
final class Folder {
  let path: String

  init(_ files: [String: String]) throws {
    path = FileManager.default.temporaryDirectory.appending(path: "otolith-\(UUID())/").path()
    for (name, text) in files {
      let url = URL(filePath: path + name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: url, atomically: true, encoding: .utf8)
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
