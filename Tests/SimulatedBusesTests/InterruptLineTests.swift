// SPDX-License-Identifier: Apache-2.0
import Simulation
import Boards
import SimulatedBuses
import Registers
import ChipCatalog
import Quantities
import Runtime
import Testing

/// Tests of the interrupt pins of a simulated board on the lines of the virtual bench. Register
/// values are written by hand from the data sheets.
@Suite(.serialized) struct InterruptLineTests {
  /// The simulated board that has every chip, with a virtual clock.
  final class Rig {
    let clock = VirtualClock()
    let board: SimulatedBoard

    init(_ options: [String] = [], faults: [String] = []) throws {
      var file = try BoardFile.load(
        path: SimulatedBoardTests.path, catalogue: ChipCatalog.descriptions)
      for fault in faults {
        let fault = try BoardFile.fault(fault, for: file, option: "--fault")
        file.simulation?.faults.append(fault)
      }
      board = try SimulatedBoard(file, clock: clock)
      board.wire(try Wiring(board.places, options))
    }

    /// The edges of the lines that came before a transaction and were not yet taken.
    private var before: [LineEdge] = []

    func write(_ address: UInt8, _ register: UInt8, _ value: UInt8) throws {
      before = edges()
      let bytes = [register, value]
      var nothing: [UInt8] = []
      var room = nothing.mutableSpan
      try board.transfer(bytes.span, &room, at: address)
    }

    @discardableResult
    func read(_ address: UInt8, _ register: UInt8, _ count: Int = 1) throws -> [UInt8] {
      before = edges()
      var bytes = [UInt8](repeating: 0, count: count)
      var room = bytes.mutableSpan
      try board.transfer([register].span, &room, at: address)
      return bytes
    }

    /// Returns the edges of the lines until now.
    func edges() -> [LineEdge] {
      var all = before
      before = []
      while let edge = board.takeEdge(until: clock.now) { all.append(edge) }
      return all
    }

    func pass(_ span: TimeSpan) { clock.advance(to: clock.now + span) }

    /// Wakes the MPU-6050 and makes it sample at `1000 / (1 + divider)` Hz with data-ready on its
    /// pin.
    func wakeMPU6050(divider: UInt8) throws {
      try write(0x68, 0x6B, 0x00)
      try write(0x68, 0x1A, 0x01)
      try write(0x68, 0x19, divider)
      try write(0x68, 0x38, 0x01)
    }
  }

  @Test func `every line that is wired begins at its resting level`() throws {
    let edges = try Rig().edges()
    #expect(edges.map(\.line) == [0, 2, 3, 4, 5, 6, 7, 8, 14, 16, 17, 18, 19, 20, 26, 28])
    #expect(edges.allSatisfy { !$0.level && !$0.isPulse && $0.time == .zero })
  }

  @Test func `data-ready comes when the chip says, each edge once with its own time`() throws {
    let rig = try Rig()
    _ = rig.edges()
    #expect(rig.board.nextEdge == nil)
    try rig.wakeMPU6050(divider: 9)
    let first = try #require(rig.board.nextEdge)
    // The oscillator needs 10 ms, and the first sample 10 ms more, of which some have passed during
    // the writes.
    let wait = first - rig.clock.now
    #expect(wait > .milliseconds(18) && wait <= .milliseconds(20))
    #expect(rig.edges().isEmpty)
    rig.clock.advance(to: first - TimeSpan(nanoseconds: 1))
    #expect(rig.edges().isEmpty)
    rig.clock.advance(to: first)
    #expect(rig.edges() == [LineEdge(line: 0, level: true, isPulse: true, time: first)])
    #expect(rig.board.nextEdge == first + .milliseconds(10))
    // The lines were not read for a second: all hundred edges are there, and not only the sixteen
    // that a queue would hold.
    rig.pass(.seconds(1))
    let late = rig.edges()
    let times = (1...100 as ClosedRange<Int64>).map { first + .milliseconds(10 * $0) }
    #expect(late.map(\.time) == times)
    #expect(late.allSatisfy { $0.line == 0 && $0.level && $0.isPulse })
    #expect(rig.edges().isEmpty)
  }

  @Test func `edges that come during a transaction are there after it`() throws {
    let rig = try Rig()
    _ = rig.edges()
    try rig.wakeMPU6050(divider: 9)
    var due = try #require(rig.board.nextEdge)
    rig.clock.advance(to: due + .microseconds(1))
    try rig.read(0x68, 0x3B, 14)
    #expect(rig.edges() == [LineEdge(line: 0, level: true, isPulse: true, time: due)])
    due = try #require(rig.board.nextEdge)
    rig.clock.advance(to: due + .microseconds(1))
    rig.board.advance()
    #expect(rig.edges().map(\.time) == [due])
    #expect(rig.board.nextEdge == due + .milliseconds(10))
    // A transaction that stops the interrupt also lets the time of the chip go on.
    try rig.write(0x68, 0x38, 0x00)
    #expect(rig.board.nextEdge == nil)
  }

  @Test func `a level that is held has one edge until what it stands for is read`() throws {
    let rig = try Rig()
    _ = rig.edges()
    // LIS3MDL: in continuous mode at 10 Hz, DRDY stays high until the outputs are read.
    try rig.write(0x1C, 0x22, 0x00)
    rig.pass(.seconds(1))
    #expect(rig.edges().map(\.line) == [8])
    #expect(rig.board.nextEdge == nil)
    try rig.read(0x1C, 0x28 | 0x80, 6)
    let next = try #require(rig.board.nextEdge)
    #expect(next > rig.clock.now && next - rig.clock.now <= .milliseconds(100))
  }

  @Test func `an active-low line rests high, and falls`() throws {
    let rig = try Rig()
    _ = rig.edges()
    try rig.wakeMPU6050(divider: 9)
    // INT_LEVEL in the register INT_PIN_CFG.
    try rig.write(0x68, 0x37, 0x80)
    #expect(rig.edges() == [LineEdge(line: 0, level: true, isPulse: false, time: .zero)])
    let due = try #require(rig.board.nextEdge)
    rig.clock.advance(to: due)
    #expect(rig.edges() == [LineEdge(line: 0, level: false, isPulse: true, time: due)])
    try rig.write(0x68, 0x37, 0x00)
    #expect(rig.edges() == [LineEdge(line: 0, level: false, isPulse: false, time: .zero)])
  }

  @Test func `pins that the BMI160 does not drive leave their lines`() throws {
    let rig = try Rig()
    _ = rig.edges()
    try rig.write(0x69, 0x7E, 0x11)
    rig.pass(.milliseconds(10))
    // These registers put data-ready on INT1, push-pull, active high, at 100 Hz.
    for (register, value) in [(0x40, 0x28), (0x51, 0x10), (0x56, 0x80), (0x53, 0x0A)] {
      try rig.write(0x69, UInt8(register), UInt8(value))
    }
    #expect(rig.edges().isEmpty)
    rig.pass(.seconds(1))
    let edges = rig.edges()
    #expect((99...101).contains(edges.count))
    #expect(edges.allSatisfy { $0.line == 2 && $0.level && $0.isPulse })
    // A soft reset makes no edge.
    try rig.write(0x69, 0x7E, 0xB6)
    rig.pass(.seconds(1))
    #expect(rig.edges().isEmpty && rig.board.nextEdge == nil)
  }

  @Test func `two pins of one chip go to lines of the user's choice`() throws {
    let rig = try Rig(["lsm6ds3:1=GPIO30", "lsm6ds3:2=GPIO31"])
    let begin = rig.edges().map(\.line)
    #expect(begin.contains(30) && begin.contains(31) && !begin.contains(6) && !begin.contains(7))
    // Accelerometer and gyroscope run at 104 Hz, with data-ready of the one on INT1 and of the
    // other on INT2.
    for (register, value) in [(0x0D, 0x01), (0x0E, 0x02), (0x10, 0x40), (0x11, 0x40)] {
      try rig.write(0x6B, UInt8(register), UInt8(value))
    }
    var lines: [Int: Int] = [:]
    for _ in 0..<50 {
      rig.pass(.milliseconds(10))
      for edge in rig.edges() { lines[edge.line, default: 0] += 1 }
      try rig.read(0x6B, 0x22, 12)
    }
    #expect(lines.keys.sorted() == [30, 31])
    #expect(lines.values.allSatisfy { (40...52).contains($0) }, "\(lines)")
  }

  @Test func `faults befall the lines as they befall our own drivers`() throws {
    let doubled = try Rig(faults: ["doubled-interrupt chip=mpu6050"])
    _ = doubled.edges()
    try doubled.wakeMPU6050(divider: 9)
    let due = try #require(doubled.board.nextEdge)
    doubled.clock.advance(to: due)
    #expect(doubled.edges().map(\.time) == [due, due])
    let lost = try Rig(faults: ["lost-interrupt chip=mpu6050"])
    _ = lost.edges()
    try lost.wakeMPU6050(divider: 0)
    lost.pass(.seconds(1))
    #expect(lost.edges().isEmpty)
    #expect(lost.board.nextEdge.map { $0 > lost.clock.now } == true)
  }

  // MARK: - Wiring

  @Test func `without options chip k has GPIO 2k and 2k+1`() throws {
    let rig = try Rig()
    let wiring = try Wiring(rig.board.places)
    #expect(wiring.description(of: "mpu6050") == ["pin 1 GPIO0"])
    #expect(wiring.description(of: "bmi160") == ["pin 1 GPIO2", "pin 2 GPIO3"])
    #expect(wiring.description(of: "bme280").isEmpty)
    #expect(wiring.description(of: "lis3mdl-spi") == ["pin 1 GPIO20"])
  }

  @Test func `a pin that is given a line takes it from the pin that had it`() throws {
    let rig = try Rig()
    let wiring = try Wiring(rig.board.places, ["bmi160:2=GPIO0", "lis3mdl=GPIO31"])
    #expect(wiring.description(of: "bmi160") == ["pin 1 GPIO2", "pin 2 GPIO0"])
    #expect(wiring.description(of: "mpu6050").isEmpty)
    #expect(wiring.description(of: "lis3mdl") == ["pin 1 GPIO31"])
    #expect(Set(wiring.connections.map(\.line)).count == wiring.connections.count)
  }

  @Test(
    arguments: [
      (["mpu6050"], "'mpu6050': expected a chip, its pin and a line, such as 'imu:1=GPIO4'"),
      (
        ["mpu6050:1:2=GPIO4"],
        "'mpu6050:1:2=GPIO4': expected a chip, its pin and a line, such as 'imu:1=GPIO4'"
      ),
      ([""], "'': expected a chip, its pin and a line, such as 'imu:1=GPIO4'"),
      (
        ["imu=GPIO4"],
        "'imu=GPIO4': no simulated chip is called 'imu'; expected mpu6050, bmi160, lsm6ds3tr-c, "
          + "lsm6ds3, lis3mdl, mpu6500-spi, lsm6ds3-spi, bmi160-spi, lis3mdl-spi, hmc5883l, qmc5883l"
      ),
      (["bmp280=GPIO4"], "'bmp280=GPIO4': 'bmp280' has no interrupt pin; remove the option"),
      (["lis3mdl:2=GPIO4"], "'lis3mdl:2=GPIO4': 'lis3mdl' has no pin '2'; expected 1"),
      (["bmi160:0=GPIO4"], "'bmi160:0=GPIO4': 'bmi160' has no pin '0'; expected 1 or 2"),
      (["bmi160=4"], "'bmi160=4': '4' is not a line; expected GPIO0 to GPIO31"),
      (["bmi160=GPIO32"], "'bmi160=GPIO32': 'GPIO32' is not a line; expected GPIO0 to GPIO31"),
      (
        ["bmi160=GPIO4", "bmi160:1=GPIO5"],
        "'bmi160:1=GPIO5': pin 1 of 'bmi160' already has a line; keep one"
      ),
      (
        ["bmi160=GPIO4", "mpu6050=GPIO4"],
        "'mpu6050=GPIO4': GPIO4 is wired to pin 1 of 'bmi160' already; use another line"
      ),
    ] as [([String], String)])
  func `a wiring that cannot be is refused, with why`(_ options: [String], _ complaint: String)
    throws
  {
    #expect {
      _ = try Rig(options)
    } throws: { error in
      (error as? WiringError)?.description == complaint
    }
  }
}
