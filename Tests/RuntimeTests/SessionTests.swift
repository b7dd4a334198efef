// SPDX-License-Identifier: Apache-2.0
import Runtime
import Simulation
import Boards
import ChipCatalog
import Foundation
import LinuxBus
import Quantities
import Registers
import MotionSources
import Sampling
import Sensors
import Testing

/// Tests of sessions of boards in real time.
@Suite(.serialized, .timeLimit(.minutes(1))) struct SessionTests {
  @Test func `a session starts again after a stop, and counts on`() throws {
    let session = BoardSession(try Fixtures.still())
    #expect(session.report.map(\.name) == ["imu", "compass"])
    #expect(session.report.allSatisfy { $0.state == .starting && $0.health.received == 0 })
    for _ in 0..<3 {
      let before = session.report.map(\.health)
      var reader = session.pipeline.samples.reader()
      try session.start()
      // A second start does nothing.
      try session.start()
      #expect(
        Fixtures.eventually {
          zip(session.report, before).allSatisfy { $0.health.received > $1.received + 10 }
        })
      #expect(session.pipeline.chips == [.delivering, .delivering])
      session.stop()
      session.stop()
      let report = session.report
      // No more samples come once the session is stopped.
      #expect(!Fixtures.eventually(0.1) { session.report.map(\.health) != report.map(\.health) })
      var times: [[Timestamp]] = [[], []]
      while let got = reader.read() { times[Int(got.source)].append(got.sample.timestamp) }
      for (index, rate) in [100.0, 80].enumerated() {
        let (health, old) = (report[index].health, before[index])
        #expect(health.busErrors == 0)
        let count = health.received - old.received
        #expect(times[index].count == Int(count))
        // Each chip has as many samples as its rate gives, except for those that a busy machine was
        // too late to read. The MPU-6050 counts these; the LIS3MDL says only that there were some
        // (STATUS_REG, ZYXOR).
        let span = try #require(times[index].last) - (try #require(times[index].first))
        let due = span.seconds * rate + 1
        let missing = health.missing - old.missing
        let (reported, slack) = (Double(count + missing), 2 + 0.02 * due)
        #expect(reported < due + slack, "\(reported) of \(due) of chip \(index)")
        #expect(
          reported > due - slack || (index == 1 && missing > 0),
          "\(reported) of \(due) of chip \(index)")
      }
    }
    let received = session.report.reduce(0) { $0 + $1.health.received }
    #expect(session.pipeline.samples.count == received)
  }

  @Test func `a session has the channels and rates of its chips`() throws {
    let session = BoardSession(try Fixtures.still())
    #expect(session.channels.isSuperset(of: [.acceleration, .rotationRate, .magneticField]))
    #expect(session.kind.board?.chips.map(\.name) == ["imu", "compass"])
    #expect(!session.channels.contains(.pressure))
    #expect(session.rate(of: .rotationRate) == 100 && session.rate(of: .magneticField) == 80)
    #expect(session.rate(of: .pressure) == nil)
  }

  @Test func `a session without references stops`() throws {
    var session: BoardSession? = BoardSession(try Fixtures.still())
    try session?.start()
    let pipeline = try #require(session).pipeline
    #expect(Fixtures.eventually { pipeline.samples.count > 5 })
    session = nil
    let count = pipeline.samples.count
    #expect(!Fixtures.eventually(0.1) { pipeline.samples.count != count })
  }

  /// The failure of a chip in an earlier run is not reported in this run.
  @Test func `an old failure is forgotten`() throws {
    let session = BoardSession(try Fixtures.still())
    session.pipeline.chip(1, failed: .resetTimedOut)
    #expect(session.report[1].state == .failed(.resetTimedOut))
    try session.start()
    #expect(session.pipeline.chips[1] != .failed(.resetTimedOut))
    #expect(Fixtures.eventually { session.pipeline.chips == [.delivering, .delivering] })
    session.stop()
  }

  @Test func `a missing device stops the start of all chips`() throws {
    let session = BoardSession(
      try Fixtures.board(
        """
        otolith-board: 1
        name: Half there
        buses: { here: { simulated: i2c }, gone: { i2c: /dev/i2c-97 } }
        chips:
          compass: { chip: "st,lis3mdl", on: here, address: 0x1C }
          imu: { chip: "invensense,mpu6050", on: gone, address: 0x68 }

        """))
    // The start is attempted twice: the first attempt must leave nothing open and no thread at
    // work.
    for _ in 0..<2 {
      let error = try #require(throws: SessionError.self) { try session.start() }
      guard case .open(let reason) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(reason.path == "/dev/i2c-97" && reason.cause == .missing)
      #expect(error.description.hasPrefix("/dev/i2c-97 does not exist: enable I2C"))
      #expect(!error.isDenied)
      let count = session.pipeline.samples.count
      #expect(!Fixtures.eventually(0.05) { session.pipeline.samples.count != count })
    }
  }

  /// The recording is there when the board file is read, and deleted before the session starts.
  @Test func `a recording that is gone at the start is an error`() throws {
    let path = FileManager.default.temporaryDirectory
      .appending(path: "otolith-\(UUID().uuidString).csv").path()
    try "timestamp\n".write(toFile: path, atomically: true, encoding: .utf8)
    let board = try Fixtures.board(
      """
      otolith-board: 1
      name: Replayed
      buses: { bus: { simulated: i2c } }
      chips: { imu: { chip: "invensense,mpu6050", on: bus, address: 0x68 } }
      simulation: { motion: "\(path)" }

      """)
    try FileManager.default.removeItem(atPath: path)
    let error = try #require(throws: SessionError.self) { try BoardSession(board).start() }
    #expect(error.description == "\(path): no such file")
  }

  // MARK: - Bus by bus, on a separate clock

  /// Runs `reader` for `span` of the clock's time, doing whatever is due.
  static func run(
    _ reader: BusReader, _ clock: VirtualClock, for span: TimeSpan, _ pipeline: MotionPipeline
  ) {
    let end = clock.now + span
    while clock.now < end {
      let next = reader.turn(at: clock.now, to: pipeline)
      clock.advance(to: min(max(next, clock.now + TimeSpan(nanoseconds: 1000)), end))
    }
  }

  static func register(_ register: UInt8, of address: UInt8, on bus: SimulatedBus) throws -> UInt8 {
    var bytes: InlineArray<1, UInt8> = [0]
    var span = bytes.mutableSpan
    let i2c = SimulatedI2C(bus)
    try i2c.read(&span, after: register, from: address)
    return bytes[0]
  }

  @Test func `chips sleep after stop`() throws {
    let board = try Fixtures.still()
    let clock = VirtualClock()
    let built = try BoardBuilder(board, clock: clock).build(board.buses[0])
    let bus = try #require(built.simulated)
    let pipeline = MotionPipeline(chips: [[.acceleration, .rotationRate], .magneticField])
    built.reader.start(at: clock.now)
    Self.run(built.reader, clock, for: .seconds(1), pipeline)
    #expect(pipeline.chips == [.delivering, .delivering])
    // MPU-6050: bit 6 of PWR_MGMT_1 is SLEEP. LIS3MDL: bits 1:0 of CTRL_REG3 are MD, where 3 is
    // power-down.
    #expect(try Self.register(0x6B, of: 0x68, on: bus) & 0x40 == 0)
    #expect(try Self.register(0x22, of: 0x1C, on: bus) & 0x03 == 0)
    #expect(built.reader.stop() == nil)
    #expect(try Self.register(0x6B, of: 0x68, on: bus) & 0x40 == 0x40)
    #expect(try Self.register(0x22, of: 0x1C, on: bus) & 0x03 >= 2)
    // The chips wake up again.
    let count = pipeline.samples.count
    built.reader.start(at: clock.now)
    Self.run(built.reader, clock, for: .seconds(1), pipeline)
    #expect(pipeline.samples.count > count + 100)
  }

  /// A board that one session has claimed cannot be claimed by another, whether it runs or not. A
  /// file stands in for the bus's device node.
  @Test func `a board that is claimed is taken for all others`() throws {
    let node = FileManager.default.temporaryDirectory.appending(path: "i2c-\(UUID())").path()
    #expect(FileManager.default.createFile(atPath: node, contents: nil))
    defer { try? FileManager.default.removeItem(atPath: node) }
    let text = """
      otolith-board: 1
      name: Far away
      buses: { far: { i2c: "\(node)" } }
      chips: { imu: { chip: "invensense,mpu6050", on: far, address: 0x68 } }

      """
    let board = try BoardFile.parse(text, file: "b.yaml", catalogue: ChipCatalog.descriptions)
    let other = BoardSession(board)
    do {
      let first = BoardSession(board)
      try first.claim()
      let error = #expect(throws: SessionError.self) { try other.claim() }
      #expect(error?.isTaken == true)
      #expect(error?.description.contains("process \(getpid())") == true, "\(error)")
      // The claim holds while the bus's device node is there. When the node is gone the bus is
      // released, as the kernel would otherwise wait for that.
      first.releaseGone()
      #expect(throws: SessionError.self) { try other.claim() }
      try FileManager.default.moveItem(atPath: node, toPath: node + "-old")
      try FileManager.default.removeItem(atPath: node + "-old")
      #expect(Self.opened(node + "-old") == 1)
      first.releaseGone()
      #expect(Self.opened(node + "-old") == 0)
      #expect(FileManager.default.createFile(atPath: node, contents: nil))
      try BoardSession(board).claim()
    }
    try other.claim()
  }

  /// Returns how many of this process's descriptors are of a deleted file at `path`.
  private static func opened(_ path: String) -> Int {
    let own = "/proc/self/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: own)) ?? []
    return names.count { name in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(own)/\(name)"))
        == path + " (deleted)"
    }
  }

  /// Where no chip answers, the state of the chip holds the bus error, and the start is tried again
  /// at growing intervals.
  @Test func `an absent chip is tried again at growing intervals`() throws {
    let clock = VirtualClock()
    let bus = SimulatedBus(clock: clock)
    let entry = try #require(ChipCatalog.entry(named: "invensense,mpu6050"))
    let connection = I2CConnection(
      SimulatedI2C(bus), address: 0x68, format: entry.description.wireFormat)
    let driver = entry.driver(HostConnection(ConnectionPort(connection)))
    let reader = BusReader([
      ReaderSlot(source: 0, driver: driver, mounting: Mounting(), latenessLimit: .seconds(1))
    ])
    let pipeline = MotionPipeline(chips: [[.acceleration, .rotationRate]])
    reader.start(at: clock.now)
    Self.run(reader, clock, for: .seconds(10), pipeline)
    guard case .failed(.bus(.noAcknowledge, _)) = pipeline.chips[0] else {
      Issue.record("\(pipeline.chips)")
      return
    }
    #expect(pipeline.samples.count == 0)
    // Intervals of 10, 20, 40 ... 1000 ms make 17 attempts in ten seconds, each of one or two
    // transactions.
    #expect((15...40).contains(bus.transactions), "\(bus.transactions)")
    #expect(driver.health.busErrors >= 15)
  }
}
