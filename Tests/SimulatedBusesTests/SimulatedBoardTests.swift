// SPDX-License-Identifier: Apache-2.0
import Simulation
import Boards
import SimulatedBuses
import Registers
import ChipCatalog
import Foundation
import Quantities
import Runtime
import Testing

/// Tests of simulated buses as other people's drivers see them, in bytes. Registers, scales and
/// counts are written by hand from the data sheets. The tests run one at a time, so that other
/// tests in real time are not disturbed.
@Suite(.serialized) struct SimulatedBoardTests {
  static let path =
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path() + "boards/simulated-all.yaml"

  /// The simulated board that has every chip, with a virtual clock and one client.
  final class Rig {
    let clock = VirtualClock()
    let board: SimulatedBoard
    private var conversation = BusConversation()

    init(hold: String? = nil, faults: [String] = []) throws {
      var file = try BoardFile.load(
        path: SimulatedBoardTests.path, catalogue: ChipCatalog.descriptions)
      if let hold {
        file.simulation?.motion = try .held(hold)
        file.simulation?.noise = .off
      }
      for fault in faults {
        let fault = try BoardFile.fault(fault, for: file, option: "--fault")
        file.simulation?.faults.append(fault)
      }
      board = try SimulatedBoard(file, clock: clock)
    }

    /// Returns all replies to `bytes`.
    func reply(_ bytes: [UInt8]) -> [UInt8] {
      var replies: [UInt8] = []
      conversation.take(bytes.span)
      while conversation.answer(from: board, into: &replies) {}
      return replies
    }

    /// Returns `count` registers from `register` on.
    func read(_ address: UInt8, _ register: UInt8, _ count: UInt8) -> [UInt8] {
      let replies = reply([0x49, address, 1, 0, count, 0, register])
      #expect(replies.prefix(3) == [0, count, 0])
      return Array(replies.dropFirst(3))
    }

    func write(_ address: UInt8, _ register: UInt8, _ value: UInt8) {
      #expect(reply([0x49, address, 2, 0, 0, 0, register, value]) == [0, 0, 0])
    }

    /// Sends one SPI frame. Returns the bytes that were received after the command.
    @discardableResult
    func frame(_ select: UInt8, _ bytes: [UInt8]) -> [UInt8] {
      let replies = reply([0x53, select, UInt8(bytes.count), 0] + bytes)
      #expect(replies.prefix(3) == [0, UInt8(bytes.count), 0])
      return Array(replies.dropFirst(4))
    }

    func pass(_ milliseconds: Int64) { clock.advance(to: clock.now + .milliseconds(milliseconds)) }
  }

  static let held =
    "acceleration=0.1,-0.2,-0.97;rotation-rate=0.5,-0.25,1;magnetic-field=20,-5,-42;"
    + "pressure=98.7;temperature=31.5;humidity=45"

  // MARK: - Who is there

  @Test func `WHO_AM_I of each chip is the exchange typed by hand`() throws {
    let rig = try Rig()
    #expect(
      rig.reply([0x49, 0x68, 0x01, 0x00, 0x01, 0x00, 0x75]) == [0x00, 0x01, 0x00, 0x68])
    #expect(rig.reply([0x49, 0x69, 1, 0, 1, 0, 0x00]) == [0, 1, 0, 0xD1])
    #expect(rig.reply([0x49, 0x6A, 1, 0, 1, 0, 0x0F]) == [0, 1, 0, 0x6A])
    #expect(rig.reply([0x49, 0x6B, 1, 0, 1, 0, 0x0F]) == [0, 1, 0, 0x69])
    #expect(rig.reply([0x49, 0x1C, 1, 0, 1, 0, 0x0F]) == [0, 1, 0, 0x3D])
    #expect(rig.reply([0x49, 0x76, 1, 0, 1, 0, 0xD0]) == [0, 1, 0, 0x58])
    #expect(rig.reply([0x49, 0x77, 1, 0, 1, 0, 0xD0]) == [0, 1, 0, 0x60])
    #expect(rig.reply([0x53, 0, 2, 0, 0xF5, 0]) == [0, 2, 0, 0, 0x70])
    #expect(rig.reply([0x53, 1, 2, 0, 0x8F, 0]) == [0, 2, 0, 0, 0x69])
    // The BMI160 uses SPI from its first frame on (data sheet, 3.2.1).
    _ = rig.reply([0x53, 2, 2, 0, 0xFF, 0])
    #expect(rig.reply([0x53, 2, 2, 0, 0x80, 0]) == [0, 2, 0, 0, 0xD1])
    #expect(rig.reply([0x53, 3, 2, 0, 0x8F, 0]) == [0, 2, 0, 0, 0x3D])
    #expect(rig.reply([0x53, 4, 2, 0, 0xD0, 0]) == [0, 2, 0, 0, 0x58])
  }

  @Test func `a scan finds the chips of the board and no other`() throws {
    let rig = try Rig()
    let found = (0...UInt8(255)).filter { rig.reply([0x49, $0, 0, 0, 0, 0]) == [0, 0, 0] }
    #expect(found == [0x0D, 0x1C, 0x1E, 0x60, 0x68, 0x69, 0x6A, 0x6B, 0x76, 0x77])
    let others = (0...UInt8(127)).filter { !found.contains($0) }
    #expect(others.allSatisfy { rig.reply([0x49, $0, 0, 0, 1, 0]) == [6, 0, 0] })
    #expect(rig.board.places.filter { $0.wire == .i2c }.map(\.select).sorted() == found)
  }

  // MARK: - Held values

  /// Returns 16-bit two's complement numbers, low byte first.
  private func little(_ values: [Int]) -> [UInt8] {
    values.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
  }

  @Test func `what is held comes out of an MPU-6050 in its counts`() throws {
    let rig = try Rig(hold: Self.held)
    rig.write(0x68, 0x6B, 0x00)
    rig.pass(200)
    #expect(
      rig.read(0x68, 0x3B, 14) == [
        0xF9, 0x9A, 0x0C, 0xCD, 0x3E, 0x14,  // -1638 3277 15892
        0xF9, 0x52,  // -1710
        0x0E, 0xA9, 0xF8, 0xAC, 0x1D, 0x52,  // 3753 -1876 7506
      ])
  }

  @Test func `what is held comes out of an MPU-6500 in its counts`() throws {
    let rig = try Rig(hold: Self.held)
    rig.frame(0, [0x6B, 0x01])
    rig.pass(200)
    #expect(
      rig.frame(0, [0xBB] + [UInt8](repeating: 0, count: 14)) == [
        0xF9, 0x9A, 0x0C, 0xCD, 0x3E, 0x14,  // -1638 3277 15892
        0x0D, 0xB2,  // 3506
        0x0E, 0xA9, 0xF8, 0xAC, 0x1D, 0x52,  // 3753 -1876 7506
      ])
  }

  @Test func `what is held comes out of a BMI160 in its counts`() throws {
    let rig = try Rig(hold: Self.held)
    let motion = little([470, -235, 940, -1638, 3277, 15892])
    rig.write(0x69, 0x7E, 0x11)
    rig.pass(10)
    rig.write(0x69, 0x7E, 0x15)
    rig.pass(200)
    #expect(rig.read(0x69, 0x0C, 12) == motion)
    #expect(rig.read(0x69, 0x20, 2) == little([4352]))
    rig.frame(2, [0xFF, 0])
    rig.frame(2, [0x7E, 0x11])
    rig.pass(10)
    rig.frame(2, [0x7E, 0x15])
    rig.pass(200)
    #expect(rig.frame(2, [0x8C] + [UInt8](repeating: 0, count: 12)) == motion)
  }

  @Test func `what is held comes out of an LSM6DS3 and a TR-C in their counts`() throws {
    let rig = try Rig(hold: Self.held)
    let motion = little([3274, -1637, 6548, -1639, 3279, 15902])
    for (address, temperature) in [(0x6B, 104), (0x6A, 1664)] as [(UInt8, Int)] {
      rig.write(address, 0x10, 0x40)
      rig.write(address, 0x11, 0x40)
      rig.pass(500)
      #expect(rig.read(address, 0x20, 14) == little([temperature]) + motion)
    }
    rig.frame(1, [0x10, 0x40])
    rig.frame(1, [0x11, 0x40])
    rig.pass(500)
    #expect(
      rig.frame(1, [0xA0] + [UInt8](repeating: 0, count: 14)) == little([104]) + motion)
  }

  @Test func `what is held comes out of a LIS3MDL in its counts`() throws {
    let rig = try Rig(hold: Self.held)
    rig.write(0x1C, 0x22, 0x00)
    rig.frame(3, [0x22, 0x00])
    rig.pass(500)
    #expect(rig.read(0x1C, 0xA8, 6) == little([1368, -342, -2874]))
    #expect(
      rig.frame(3, [0xE8, 0, 0, 0, 0, 0, 0]) == little([1368, -342, -2874]))
  }

  @Test func `the data sheet's compensation gives what is held`() throws {
    let rig = try Rig(hold: Self.held)
    rig.write(0x77, 0xF2, 0x01)
    for address in [0x76, 0x77] as [UInt8] {
      // These are the settings of the highest resolution: 16 samples of pressure and 2 of
      // temperature.
      rig.write(address, 0xF4, 0x57)
      rig.pass(500)
      let trim = Trim(rig.read(address, 0x88, 26), rig.read(address, 0xE1, 7))
      let values = trim.values(rig.read(address, 0xF7, 8))
      #expect(abs(values.temperature - 31.5) < 0.01, "\(values)")
      #expect(abs(values.pressure - 98_700) < 2, "\(values)")
      if address == 0x77 { #expect(abs(values.humidity - 45) < 0.01, "\(values)") }
    }
    rig.frame(4, [0x74, 0x57])
    rig.pass(500)
    let trim = Trim(
      rig.frame(4, [0x88] + [UInt8](repeating: 0, count: 26)), [UInt8](repeating: 0, count: 7))
    let values = trim.values(rig.frame(4, [0xF7] + [UInt8](repeating: 0, count: 8)))
    #expect(abs(values.temperature - 31.5) < 0.01 && abs(values.pressure - 98_700) < 2)
  }

  @Test func `what is not held is as on a table, face up, top to the north`() throws {
    let rig = try Rig(hold: "temperature=20")
    rig.write(0x68, 0x6B, 0x00)
    rig.write(0x1C, 0x22, 0x00)
    rig.pass(500)
    #expect(rig.read(0x68, 0x3B, 6) == [0, 0, 0, 0, 0x40, 0])
    #expect(rig.read(0x68, 0x43, 6) == [0, 0, 0, 0, 0, 0])
    #expect(rig.read(0x1C, 0xA8, 6) == little([0, 1368, -3079]))
  }

  // MARK: - Rubbish

  @Test func `any transfer to any address has its answer`() throws {
    let rig = try Rig(hold: Self.held)
    var random = Fixed()
    for round in 0..<3_000 {
      let count = Int(random.next() % 24)
      let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next() >> 32) }
      if round % 3 == 0 {
        let select = UInt8(random.next() % 8)
        let replies = rig.reply([0x53, select, UInt8(count), 0] + bytes)
        #expect(replies.count == (replies[0] == 0 ? 3 + count : 3))
        #expect(replies[0] == ((0...4).contains(select) ? 0 : 6))
      } else {
        let places: [UInt8] = [0x0D, 0x1C, 0x1E, 0x60, 0x68, 0x69, 0x6A, 0x6B, 0x76, 0x77]
        let address =
          round % 3 == 1 ? places[Int(random.next() % 8)] : UInt8(random.next() & 0x7F)
        let wanted = Int(random.next() % 300)
        let replies = rig.reply(
          [0x49, address, UInt8(count), 0, UInt8(wanted & 255), UInt8(wanted >> 8)] + bytes)
        #expect(replies.count == (replies[0] == 0 ? 3 + wanted : 3))
        // A VCNL4040 answers a read only after a repeated start, which follows a written register.
        let isRefused = address == 0x60 && count == 0 && wanted > 0
        #expect(replies[0] == (places.contains(address) && !isRefused ? 0 : 6))
      }
      rig.pass(Int64(random.next() % 5))
    }
    // The chips may measure anything after that, but they must still answer.
    #expect(rig.reply([0x49, 0x68, 1, 0, 1, 0, 0x75]).prefix(3) == [0, 1, 0])
  }

  @Test func `the longest transfers go through every chip`() throws {
    let rig = try Rig()
    for place in rig.board.places {
      if place.wire == .i2c {
        let replies = rig.reply(
          [0x49, place.select, 0x00, 0x20, 0x00, 0x20] + [UInt8](repeating: 0, count: 8192))
        #expect(replies.count == 3 + 8192 && replies.prefix(3) == [0, 0x00, 0x20])
      } else {
        let replies = rig.reply(
          [0x53, place.select, 0x00, 0x10] + [UInt8](repeating: 0x80, count: 4096))
        #expect(replies.count == 3 + 4096 && replies.prefix(3) == [0, 0x00, 0x10])
      }
    }
  }

  // MARK: - Faults

  @Test func `faults of options befall the chip that they name`() throws {
    let rig = try Rig(faults: [
      "nack chip=mpu6050", "timeout chip=lis3mdl-spi", "wrong-chip chip=bmi160 identity=0x42",
    ])
    #expect(rig.reply([0x49, 0x68, 1, 0, 1, 0, 0x75]) == [6, 0, 0])
    #expect(rig.reply([0x53, 3, 2, 0, 0x8F, 0]) == [110, 0, 0])
    #expect(rig.read(0x69, 0x00, 1) == [0x42])
    #expect(rig.read(0x6A, 0x0F, 1) == [0x6A])
  }

  @Test(arguments: [
    (
      "",
      "no kind of fault comes first; expected nack, timeout, bit-flip, lost-interrupt, "
        + "doubled-interrupt, stuck-interrupt, wrong-pin, inverted-interrupt, fifo-overflow, brown-out, "
        + "wrong-chip, wrong-address, swapped-axes, stuck-bus, noisy-supply, motor-field or draught; "
        + "such as 'nack probability=0.01'"
    ),
    ("nack probability=2", "'probability' is '2'; expected a probability between 0 and 1"),
    ("nack probabilty=0.1", "unknown key 'probabilty'; did you mean 'probability'?"),
    ("nack often", "'often' is not a key with a value; expected such as 'probability=0.01'"),
    (
      "nack chip=bmp28",
      "'chip' is 'bmp28'; expected mpu6050, bmi160, lsm6ds3tr-c, lsm6ds3, lis3mdl, bmp280, bme280, "
        + "mpu6500-spi, lsm6ds3-spi, bmi160-spi, lis3mdl-spi, bmp280-spi, vcnl4040, "
        + "hmc5883l or qmc5883l; did you mean 'bmp280'?"
    ),
    ("nack at-s=1 at-s=2", "'at-s' occurs twice; keep one"),
  ])
  func `a fault that cannot be is refused, with why`(_ text: String, _ complaint: String) throws {
    #expect {
      _ = try Rig(faults: [text])
    } throws: { error in
      (error as? BoardErrors)?.description == "--fault '\(text)': \(complaint)"
    }
  }

  // MARK: - What cannot be

  @Test(arguments: [
    (
      "",
      "'' is not a quantity; expected acceleration, rotation-rate, magnetic-field, pressure, "
        + "temperature, humidity, "
    ),
    (
      "acceleration=0,0",
      "'acceleration' is '0,0'; expected three numbers x,y,z in g, -1000 to 1000"
    ),
    ("pressure=98,7", "'pressure' is '98,7'; expected a number in kPa, 0 to 200"),
    ("pressure=nan", "'pressure' is 'nan'; expected a number in kPa, 0 to 200"),
    ("humidity", "'humidity' is ''; expected a number in percent, 0 to 100"),
    ("humidity=1;humidity=2", "'humidity' occurs twice; keep one"),
    (
      "humidity=1;",
      "'' is not a quantity; expected acceleration, rotation-rate, magnetic-field, pressure, "
        + "temperature, humidity, "
    ),
  ])
  func `a held quantity that cannot be is refused, with why`(_ text: String, _ complaint: String) {
    #expect {
      _ = try SimulationDescription.Motion.held(text)
    } throws: { error in
      // A complaint ends with the list of all quantities, which is not repeated in the test.
      let text = (error as? HeldError)?.description
      return complaint.hasSuffix(", ") ? text?.hasPrefix(complaint) == true : text == complaint
    }
  }

  @Test func `the ends of what can be held do no chip harm`() throws {
    for sign in ["", "-"] {
      let low = sign == "-"
      let rig = try Rig(
        hold:
          "acceleration=\(sign)1000,0,0;rotation-rate=\(sign)1000,0,0;magnetic-field=\(sign)100000,0,0;"
          + "pressure=\(low ? 0 : 200);temperature=\(low ? -273 : 1000);humidity=\(low ? 0 : 100)")
      for (address, register, value) in [
        (0x68, 0x6B, 0), (0x69, 0x7E, 0x11), (0x6A, 0x10, 0x40), (0x6B, 0x10, 0x40),
        (0x1C, 0x22, 0),
        (0x76, 0xF4, 0x57), (0x77, 0xF4, 0x57),
      ] as [(UInt8, UInt8, UInt8)] {
        rig.write(address, register, value)
      }
      rig.pass(500)
      #expect(rig.read(0x68, 0x3B, 2) == (low ? [0x7F, 0xFF] : [0x80, 0x00]))
      #expect(rig.read(0x76, 0xF7, 6).count == 6)
    }
  }

  /// A board on buses of a real machine.
  private static let real = """
    otolith-board: 1
    name: Real
    buses: { i2c1: { i2c: /dev/i2c-1 } }
    chips: { imu: { chip: "invensense,mpu6050", on: i2c1, address: 0x68 } }

    """

  private static func board(_ text: String) throws -> Board {
    try BoardFile.parse(text, file: "test.yaml", catalogue: ChipCatalog.descriptions)
  }

  @Test func `a board that cannot be served is refused, with why`() throws {
    #expect {
      _ = try SimulatedBoard(try Self.board(Self.real), clock: VirtualClock())
    } throws: { error in
      (error as? SessionError)?.description
        == "test.yaml:1:1: no bus of this board is simulated; expected a bus such as 'i2c1: { simulated: i2c }', "
        + "as in boards/simulated-all.yaml"
    }
    let twice = try Self.board(
      """
      otolith-board: 1
      name: Twice
      buses: { a: { simulated: i2c }, b: { simulated: i2c } }
      chips:
        one: { chip: "invensense,mpu6050", on: a, address: 0x68 }
        two: { chip: "bosch,bmi160", on: b, address: 0x68 }

      """)
    #expect {
      _ = try SimulatedBoard(twice, clock: VirtualClock())
    } throws: { error in
      (error as? SessionError)?.description
        == "test.yaml:6:48: address 0x68 of 'two' is chip 'one' already; simulated buses of a kind "
        + "are served as one bus: use another address"
    }
  }
}

/// The trimming words of a BMP280 or BME280, and the compensation in double precision that their
/// data sheets give (BMP280 rev 1.14, 8.1; BME280 rev 1.6, 8.1).
private struct Trim {
  private let t: [Double]
  private let p: [Double]
  private let h: [Double]

  /// Reads the words from the bytes at 0x88 and at 0xE1.
  init(_ first: [UInt8], _ second: [UInt8]) {
    func word(_ index: Int) -> Int { Int(first[index]) | Int(first[index + 1]) << 8 }
    func signed(_ index: Int) -> Double { Double(Int16(truncatingIfNeeded: word(index))) }
    t = [Double(word(0)), signed(2), signed(4)]
    p = [Double(word(6))] + (1...8).map { signed(6 + 2 * $0) }
    let h4 = Int(Int8(bitPattern: second[3])) * 16 + Int(second[4] & 0x0F)
    let h5 = Int(Int8(bitPattern: second[5])) * 16 + Int(second[4] >> 4)
    h = [
      Double(first[25]), Double(Int16(truncatingIfNeeded: Int(second[0]) | Int(second[1]) << 8)),
      Double(second[2]), Double(h4), Double(h5), Double(Int8(bitPattern: second[6])),
    ]
  }

  /// Returns degrees Celsius, Pa and percent from the eight bytes at 0xF7.
  func values(_ raw: [UInt8]) -> (temperature: Double, pressure: Double, humidity: Double) {
    let adcP = Double(Int(raw[0]) << 12 | Int(raw[1]) << 4 | Int(raw[2]) >> 4)
    let adcT = Double(Int(raw[3]) << 12 | Int(raw[4]) << 4 | Int(raw[5]) >> 4)
    let adcH = Double(Int(raw[6]) << 8 | Int(raw[7]))
    let a = (adcT / 16384 - t[0] / 1024) * t[1]
    let b = (adcT / 131072 - t[0] / 8192)
    let fine = a + b * b * t[2]

    var x = fine / 2 - 64000
    var y = x * x * p[5] / 32768 + x * p[4] * 2
    y = y / 4 + p[3] * 65536
    x = (p[2] * x * x / 524288 + p[1] * x) / 524288
    x = (1 + x / 32768) * p[0]
    var pressure = (1_048_576 - adcP - y / 4096) * 6250 / x
    pressure += (p[8] * pressure * pressure / 2_147_483_648 + pressure * p[7] / 32768 + p[6]) / 16

    let v = fine - 76800
    var humidity = (adcH - (h[3] * 64 + h[4] / 16384 * v))
    humidity *= h[1] / 65536 * (1 + h[5] / 67_108_864 * v * (1 + h[2] / 67_108_864 * v))
    humidity *= 1 - h[0] * humidity / 524288
    return (fine / 5120, pressure, humidity)
  }
}
