// SPDX-License-Identifier: Apache-2.0
import BusTraces
import Boards
import BringUp
import Registers
import Quantities
import Recordings
import Runtime
import Sensors
import Testing

/// Traces written to do harm, because a trace may come from outside with a bug report.
@Suite struct HostileTraceTests {
  static let tooMany = "9223372036854775807"

  @Test(arguments: [
    ("0.1 imu edge \(tooMany) 0.1", 14, "a count of edges is '\(tooMany)', expected 0 to 65536"),
    ("0.1 imu edge -1 0.1", 14, "a count of edges is '-1', expected 0 to 65536"),
    (
      "0.1 imu edge 99999999999999999999 0.1", 14,
      "a count of edges is '99999999999999999999', expected 0 to 65536"
    ),
    (
      "0.1 imu edge 1 9000000000.5", 16,
      "the time of an edge is '9000000000.5', expected at most 1000000000 seconds"
    ),
    (
      "0.1+0.2 imu r 0x75 \(tooMany) 68", 20,
      "a count of bytes is '\(tooMany)', expected 0 to 65536"
    ),
    (
      "0.1+0.2 imu r 0x75 \(tooMany) timeout", 20,
      "a count of bytes is '\(tooMany)', expected 0 to 65536"
    ),
    ("0.1+0.2 imu w 0x6B 65537 80", 20, "a count of bytes is '65537', expected 0 to 65536"),
    (
      "0.1 - hole \(tooMany)", 12,
      "a count of missing events is '\(tooMany)', expected 0 to 1000000000000"
    ),
    ("0.1 - hole -7", 12, "a count of missing events is '-7', expected 0 to 1000000000000"),
    (
      "0.1 imu health received 3 missing 18446744073709551615", 35,
      "'missing' is '18446744073709551615', expected 0 to 1000000000000"
    ),
    (
      "0.1 imu open invensense,mpu6050 i2c longest-read 0", 50,
      "'longest-read' is '0', expected 1 to 2147483647"
    ),
    ("9000000000 imu step", 1, "a time is '9000000000', expected at most 1000000000 seconds"),
    ("-9000000000 imu step", 1, "a time is '-9000000000', expected at most 1000000000 seconds"),
    ("0.1+5000 imu r 0x75 1 68", 5, "a duration is '5000', expected 0 to 1000 seconds"),
    ("0.1+-0.2 imu r 0x75 1 68", 5, "a duration is '-0.2', expected 0 to 1000 seconds"),
  ])
  func `a number beyond its limit is refused at its place`(
    line: String, column: Int, message: String
  ) throws {
    let error = try #require(throws: RecordingError.self) {
      _ = try TraceReaderTests.trace(TraceReaderTests.header + line + "\n")
    }
    #expect(error.description == "bug.trace:12:\(column): \(message)")
  }

  @Test func `a clock beyond its limit is refused at its place`() throws {
    let text = TraceReaderTests.header.replacing("12.000000500", with: "9000000000")
    let error = try #require(throws: RecordingError.self) { _ = try TraceReaderTests.trace(text) }
    #expect(
      error.description
        == "bug.trace:4:8: 'clock' is '9000000000', expected at most 1000000000 seconds")
  }

  @Test(arguments: [
    ("0.1 i\u{1B}[31mmu step", 12, 6, "U+001B"), ("0.1 i\u{9B}31mmu step", 12, 6, "U+009B"),
    ("0.1 imu\u{7} step", 12, 8, "U+0007"), ("0.1 i\u{202E}mu step", 12, 6, "U+202E"),
    ("0.1 imu st\rep", 12, 11, "U+000D"),
  ])
  func `no event holds a control character`(
    line: String, number: Int, column: Int, name: String
  ) throws {
    let error = try #require(throws: RecordingError.self) {
      _ = try TraceReaderTests.trace(TraceReaderTests.header + line + "\n")
    }
    #expect(
      error.description
        == "bug.trace:\(number):\(column): the control character \(name), expected text")
  }

  @Test func `no fact of the header holds a control character`() throws {
    let text = TraceReaderTests.header.replacing("kernel: 6.1.0", with: "kernel: 6\u{1B}]0;x")
    let error = try #require(throws: RecordingError.self) { _ = try TraceReaderTests.trace(text) }
    #expect(
      error.description == "bug.trace:3:10: the control character U+001B, expected text")
    // Control characters in this program's own header are escaped too.
    let header = TraceHeader(
      origin: .zero, facts: [("machine", "Pi\u{1B}[31m\u{9B}")], board: "otolith-board: 1")
    #expect(header.text.contains("machine: Pi\\u001B[31m\\u009B\n"))
  }

  @Test func `a trace that is too large is refused`() throws {
    let bytes = [UInt8](repeating: 0x0A, count: 67_108_865)
    let error = try #require(throws: RecordingError.self) {
      _ = try Trace(bytes: bytes, file: "bug.trace")
    }
    #expect(
      error.description
        == "bug.trace: the trace has 67108865 bytes, expected at most 67108864; "
        + "record a shorter one, with --duration")
  }

  /// A trace may contain arbitrary counts.
  @Test func `sums of what a trace says are held at the end of their range`() throws {
    var trace = try TraceReaderTests.trace(TraceReaderTests.header + TraceReaderTests.events)
    let time = trace.header.origin
    let read = TraceTransaction(
      chip: "imu", request: .read(register: 0x3B, count: .max), outcome: .failure(.timeout),
      begin: time, end: time)
    trace.events += [
      TraceEvent(chip: "", time: time, .hole(events: .max)),
      TraceEvent(chip: "imu", time: time, .edges(count: .max, newest: time)),
      TraceEvent(read), TraceEvent(read),
    ]
    trace.lines += [40, 41, 42, 43]
    #expect(trace.missing == .max)
    let summary = try #require(TraceSummary(trace).chips.first)
    #expect(summary.edges == .max && summary.bytes == .max)
  }

  @Test func `counters of drivers are held at the end of their range`() throws {
    var board = try traced(TraceReaderTests.header + TraceReaderTests.events)
    var health = Health()
    health.received = .max
    health.missing = 7
    var trace = try #require(board.trace)
    for line in 40..<43 {
      trace.events.append(TraceEvent(chip: "imu", time: trace.header.origin, .health(health)))
      trace.lines.append(line)
    }
    board.trace = trace
    let chip = try #require(try Played(board).chips.first)
    #expect(chip.recordedHealth?.received == .max && chip.recordedHealth?.missing == 2 + 3 * 7)
  }

  /// Edges are recorded one by one, so an endless count must be limited.
  @Test(.timeLimit(.minutes(2))) func `bring-up of a trace with endless edges ends`() throws {
    let text = TraceReaderTests.header.replacing("otolith-trace: 1", with: "otolith-trace: 2")
      .replacing("0x68 }", with: "0x68, read-by: data-ready, interrupt: { line: GPIO4 } }")
    var board = try traced(text + TraceReaderTests.events)
    var trace = try #require(board.trace)
    trace.events = trace.events.map { event in
      guard case .edges(_, let newest) = event.kind else { return event }
      return TraceEvent(chip: event.chip, time: event.time, .edges(count: .max, newest: newest))
    }
    // The entry is added twice, so that the sum would overflow.
    if let index = trace.events.firstIndex(where: {
      if case .edges = $0.kind { true } else { false }
    }) {
      trace.events.insert(trace.events[index], at: index)
      trace.lines.insert(trace.lines[index], at: index)
    }
    board.trace = trace
    var options = BoardBringUp.Options()
    options.span = .seconds(1)
    options.noiseSpan = .seconds(1)
    #expect(!BoardBringUp.run(board, options).checks.isEmpty)
  }
}
