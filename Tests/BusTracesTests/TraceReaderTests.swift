// SPDX-License-Identifier: Apache-2.0
import BusTraces
import Boards
import Registers
import ChipCatalog
import Quantities
import Recordings
import Runtime
import Sensors
import Testing

/// Traces typed by hand in the documented format.
@Suite struct TraceReaderTests {
  static let header = """
    otolith-trace: 1
    otolith: 0.1.0
    kernel: 6.1.0
    clock: 12.000000500
    board: |
      otolith-board: 1
      name: Typed by hand
      buses: { i2c1: { i2c: /dev/i2c-1 } }
      chips:
        imu: { chip: "invensense,mpu6050", on: i2c1, address: 0x68 }
    events:

    """

  static let events = """
    0.000001000 imu open invensense,mpu6050 i2c identity 0x68 longest-read 32
    0.000002000+0.000410000 imu r 0x75 1 68
    0.001000000 imu start
    0.001000500 imu step
    0.001000600 imu now
    0.001001000+0.000300000 imu w 0x6B 1 80
    0.002000000+0.000300000 imu w 0x6B 1 01 no-acknowledge
    0.003000000+0.000300000 imu r 0x3B 3 errno:121
    0.004000000 imu edge 2 0.003999999
    0.004000001 imu step edge
    0.005000000+0.000100000 imu r 0x3B 3 0aB0Ff
    0.006000000 - hole 7
    0.007000000 imu stop
    0.007000001 imu health received 3 missing 2 bus-errors 1
    0.008000000 - end

    """

  static func trace(_ text: String) throws(RecordingError) -> Trace {
    try Trace(bytes: Array(text.utf8), file: "bug.trace")
  }

  @Test func `every event is read as typed`() throws {
    let trace = try Self.trace(Self.header + Self.events)
    #expect(!trace.isCutOff && trace.missing == 7)
    #expect(trace.header.origin == Timestamp(nanoseconds: 12_000_000_500))
    #expect(trace.header.facts.map(\.key) == ["otolith", "kernel"])
    #expect(trace.header.board.hasPrefix("otolith-board: 1\nname: Typed by hand\n"))
    #expect(trace.header.linesBeforeBoard == 5 && trace.lines.first == 12)
    func at(_ nanoseconds: Int64) -> Timestamp {
      Timestamp(nanoseconds: 12_000_000_500 + nanoseconds)
    }
    func event(_ nanoseconds: Int64, _ kind: TraceEvent.Kind, _ chip: String = "imu") -> TraceEvent
    {
      TraceEvent(chip: chip, time: at(nanoseconds), kind)
    }
    func transaction(
      _ begin: Int64, _ span: Int64, _ request: TraceTransaction.Request,
      _ outcome: TraceTransaction.Outcome
    ) -> TraceEvent {
      TraceEvent(
        TraceTransaction(
          chip: "imu", request: request, outcome: outcome, begin: at(begin), end: at(begin + span)))
    }
    var health = Health()
    health.received = 3
    health.missing = 2
    health.busErrors = 1
    let expected = [
      event(
        1_000,
        .opened(TracedChip("invensense,mpu6050", .i2c, identity: 0x68, longestRead: 32))),
      transaction(2_000, 410_000, .read(register: 0x75, count: 1), .bytes([0x68])),
      event(1_000_000, .started), event(1_000_500, .stepped(isEdge: false)),
      event(1_000_600, .clock),
      transaction(1_001_000, 300_000, .write(register: 0x6B, value: 0x80), .bytes([])),
      transaction(
        2_000_000, 300_000, .write(register: 0x6B, value: 0x01), .failure(.noAcknowledge)),
      transaction(
        3_000_000, 300_000, .read(register: 0x3B, count: 3), .failure(.system(errno: 121))),
      event(4_000_000, .edges(count: 2, newest: at(3_999_999))),
      event(4_000_001, .stepped(isEdge: true)),
      transaction(
        5_000_000, 100_000, .read(register: 0x3B, count: 3), .bytes([0x0A, 0xB0, 0xFF])),
      event(6_000_000, .hole(events: 7), ""), event(7_000_000, .stopped),
      event(7_000_001, .health(health, isComplete: false)), event(8_000_000, .ended, ""),
    ]
    #expect(trace.events == expected)
  }

  /// The written text equals the text read, except for the case of digits and for counters that are
  /// zero.
  @Test func `what is written is what was read`() throws {
    let trace = try Self.trace(Self.header + Self.events)
    var bytes = Array(trace.header.text.utf8)
    for event in trace.events { TraceFormat.append(event, from: trace.header.origin, to: &bytes) }
    let expected = (Self.header + Self.events).replacing("0aB0Ff", with: "0AB0FF").replacing(
      "bus-errors 1",
      with: "bus-errors 1 overflows 0 missed-interrupts 0 misconfigurations 0 restarts 0 invalid 0")
    #expect(String(decoding: bytes, as: UTF8.self) == expected)
  }

  /// Cuts the file at every place after the header, as a power failure can: complete entries are
  /// read, and the rest is reported.
  @Test func `a trace that is cut off anywhere is read as far as it is whole`() throws {
    let text = Array((Self.header + Self.events).utf8)
    for end in Self.header.utf8.count..<text.count {
      let trace = try Trace(bytes: Array(text[..<end]), file: "bug.trace")
      #expect(trace.isCutOff)
      let whole = text[Self.header.utf8.count..<end].count { $0 == 0x0A }
      #expect(trace.events.count == whole)
      #expect(trace.remarks.contains { $0.contains("cut off after line") })
    }
    // A file system may leave zeros at the end of a file that was not written completely.
    let zeros = try Trace(bytes: Array(text.dropLast(40)) + [0, 0, 0, 0], file: "bug.trace")
    #expect(zeros.isCutOff && zeros.events.count >= 12)
  }

  @Test(arguments: [
    ("otolith-board: 1\n", "bug.trace:1: no trace, expected 'otolith-trace: 2' first"),
    ("", "bug.trace:1: no trace, expected 'otolith-trace: 2' first"),
    (
      "otolith-trace: 3\n",
      "bug.trace:1: 'otolith-trace' is '3', expected 1 to 2; this program knows versions 1 to 2 only"
    ),
    (
      "otolith-trace: 1\nclock: 1.0\n",
      "bug.trace:2: the trace ends in its header, expected 'events:' and what follows"
    ),
    (
      "otolith-trace: 1\nclock: soon\n",
      "bug.trace:2: 'clock' is 'soon', expected seconds, such as 12.000000000"
    ),
    ("otolith-trace: 1\nclock: 1.0\nevents:\n", "bug.trace:3: no 'board' before the events"),
  ])
  func `a bad header is refused with its line`(text: String, message: String) throws {
    let error = try #require(throws: RecordingError.self) { _ = try Self.trace(text) }
    #expect(error.description == message)
  }

  @Test(arguments: [
    (
      "soon imu step",
      "'soon' instead of the time, expected seconds, such as 0.001250000"
    ),
    (
      "0.1 imu jump",
      "'jump' is not an event, expected one of open, start, stop, self-test, step, now, edge, r, "
        + "w, health, hole, end"
    ),
    (
      "0.1 imu r 0x75 1 68",
      "a transaction without its duration, expected begin and duration, such as 0.001250000+0.000210000"
    ),
    (
      "0.1+0.2 imu r 75 1 68", "'75' instead of a register, expected such as 0x3B"
    ),
    (
      "0.1+0.2 imu r 0x75 2 68",
      "'68' as what came of 2 bytes, expected 4 hexadecimal digits, or an error's word"
    ),
    (
      "0.1+0.2 imu w 0x6B 1 8",
      "a write of '8', expected one byte in hexadecimal, such as 80"
    ),
    (
      "0.1+0.2 imu w 0x5E 3 0A0B", "a write of '0A0B', expected 6 hexadecimal digits"
    ),
    (
      "0.1+0.2 imu w 0x5E 2 0A0B0C", "a write of '0A0B0C', expected 4 hexadecimal digits"
    ),
    ("0.1+0.2 imu w 0x5E 0", "a write of '', expected a byte at least"),
    ("0.1 imu edge 1", "an edge without its count and time, expected such as 'edge 1 0.001250000'"),
    ("0.1 imu health luck 7", "'luck' among the counters, expected a counter and its number"),
  ])
  func `a bad line is refused with its line`(line: String, message: String) throws {
    let error = try #require(throws: RecordingError.self) {
      _ = try Self.trace(Self.header + line + "\n")
    }
    #expect(error.line == 12)
    #expect(error.description == "bug.trace:12: \(message)")
  }

  /// A write of several bytes is read and written again, with and without an error.
  @Test func `a write may carry several bytes`() throws {
    let lines = """
      0.001000000+0.000300000 imu w 0x5E 3 0A0BFF
      0.002000000+0.000300000 imu w 0x5E 2 0C0D no-acknowledge
      0.003000000+0.000300000 imu w 0x6B 1 80
      0.004000000 - end

      """
    let trace = try Self.trace(Self.header + lines)
    let requests = trace.events.compactMap { event -> TraceTransaction.Request? in
      if case .transaction(let transaction) = event.kind { transaction.request } else { nil }
    }
    #expect(
      requests == [
        .write(register: 0x5E, bytes: [0x0A, 0x0B, 0xFF]),
        .write(register: 0x5E, bytes: [0x0C, 0x0D]), .write(register: 0x6B, value: 0x80),
      ])
    var written: [UInt8] = []
    for event in trace.events {
      TraceFormat.append(event, from: trace.header.origin, to: &written)
    }
    #expect(String(decoding: written, as: UTF8.self) == lines)
    let summary = try #require(TraceSummary(trace).chips.first)
    #expect(summary.writes == 3 && summary.bytes == 6 && summary.errorCount == 1)
  }

  /// An error in the board of a trace is reported with the line of the trace.
  @Test func `a mistake in the board is reported with the trace's line`() throws {
    let text = Self.header.replacing("address: 0x68", with: "address: 0x42") + Self.events
    let error = try #require(throws: BoardErrors.self) { _ = try traced(text) }
    #expect(error.errors.first?.line == 10)
    #expect(error.description.contains("0x42"))
  }

  @Test(arguments: [(1, false), (2, true)])
  func `before version 2 a chip with a queue was read by its registers`(
    _ version: Int, _ isKept: Bool
  ) throws {
    let text =
      Self.header.replacing("otolith-trace: 1", with: "otolith-trace: \(version)")
      .replacing("0x68 }", with: "0x68, read-by: data-ready, interrupt: { line: GPIO4 } }")
    let imu = try #require(try traced(text + Self.events).chips.first)
    #expect(imu.settings.acquisition == .dataReady && imu.settings.keepsLateSamples == isKept)
  }

  /// The trace omits the location, the person and the folders that the board file names.
  @Test func `a trace to share names no place, person or folder`() throws {
    let board = try BoardFile.parse(
      """
      # Anna's board, /home/anna
      otolith-board: 1
      name: A walker
      location:
        latitude-deg: 47.38
        # behind the house
        longitude-deg: 8.54
      buses: { i2c1: { i2c: /dev/i2c-1 } }
      learned: /home/anna/learned.yaml
      chips:
        imu:
          chip: invensense,mpu6050
          # on the left
          on: i2c1
          address: 0x68
      pedometer: { height-m: 1.71 }
      """, file: "/home/anna/walker.yaml", catalogue: ChipCatalog.descriptions)
    #expect(
      BoardFile.shareableText(of: board) == """
        otolith-board: 1
        name: A walker
        buses: { i2c1: { i2c: /dev/i2c-1 } }
        chips:
          imu:
            chip: invensense,mpu6050
            on: i2c1
            address: 0x68
        """)
  }
}
