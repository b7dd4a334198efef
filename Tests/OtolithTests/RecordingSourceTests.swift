// SPDX-License-Identifier: Apache-2.0
import Foundation
import Otolith
import Recordings
import ServedSources
import Testing

/// A recording in place of a board.
@Suite(.serialized, .timeLimit(.minutes(1))) struct RecordingSourceTests {
  /// Returns a file with acceleration at 100 Hz and the field at 50 Hz; row k has x = k / 1000.
  static func file(rows: Int) throws -> String {
    var text =
      "timestamp,acceleration.x,acceleration.y,acceleration.z,magneticField.x,magneticField.y,magneticField.z\n"
    for row in 0..<rows {
      let field = row % 2 == 0 ? "20,0,-45" : ",,"
      text += "\(7 + Double(row) / 100),\(Double(row) / 1000),0,-1,\(field)\n"
    }
    let path = NSTemporaryDirectory() + "otolith-recording-\(UUID().uuidString).csv"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  @Test func `a recording is played at its own speed`() async throws {
    let path = try Self.file(rows: 60)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let source = try RecordingSource(path: path)
    #expect(source.channels == [.acceleration, .magneticField] && source.name == path)
    #expect(abs(try #require(source.rate(of: .acceleration)) - 100) < 1e-6)
    #expect(source.rate(of: .rotationRate) == nil)
    let hub = MotionHub()
    try hub.use(served(source))
    let begin = Timestamp.now
    var rows: [VectorSample] = []
    for try await row in hub.accelerations(buffering: .unbounded) {
      rows.append(row)
      if rows.count == 60 { break }
    }
    let elapsed = (Timestamp.now - begin).seconds
    #expect(elapsed >= 0.58, "59 hundredths of a second")
    for (index, row) in rows.enumerated() {
      #expect(row.vector == Vector3(Double(index) / 1000, 0, -1))
      #expect(row.timestamp > begin - .milliseconds(1))
    }
    for (a, b) in zip(rows, rows.dropFirst()) {
      #expect(abs((b.timestamp - a.timestamp).seconds - 0.01) < 1e-6)
    }
  }

  /// The recording is played ten times as fast with its own intervals, and repeated.
  @Test func `a recording runs faster and again, its own distances kept`() async throws {
    let path = try Self.file(rows: 100)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let hub = MotionHub()
    try hub.use(served(RecordingSource(path: path, speed: 10, repeats: true)))
    let begin = Timestamp.now
    var rows: [VectorSample] = []
    for try await row in hub.accelerations(buffering: .unbounded) {
      rows.append(row)
      if rows.count == 250 { break }
    }
    // 2.5 s of samples.
    #expect((Timestamp.now - begin).seconds > 0.24)
    for (index, row) in rows.enumerated() { #expect(row.vector.x == Double(index % 100) / 1000) }
    for (a, b) in zip(rows, rows.dropFirst()) {
      #expect(abs((b.timestamp - a.timestamp).seconds - 0.01) < 1e-6)
    }
  }

  /// The clock is set back after the 20th row; an earlier row is out of order.
  @Test func `a recording whose clock is set back is played after a gap`() async throws {
    let path = try Self.file(rows: 20)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let lines = text.split(separator: "\n").map(String.init)
    let late = "7.05,9,0,-1,,,"
    let early = lines.dropFirst().map { "1" + $0.dropFirst() }
    try (lines + [late] + early + [""]).joined(separator: "\n")
      .write(toFile: path, atomically: true, encoding: .utf8)
    let source = try RecordingSource(path: path)
    // 40 rows over the recorded time of 0.38 s.
    #expect(abs(try #require(source.rate(of: .acceleration)) - 39 / 0.38) < 0.01)
    let hub = MotionHub()
    try hub.use(try served(source))
    let begin = Timestamp.now
    var rows: [VectorSample] = []
    for try await row in hub.accelerations(buffering: .unbounded) {
      rows.append(row)
      if rows.count == 40 { break }
    }
    // Playback pauses for a second at the gap.
    let elapsed = (Timestamp.now - begin).seconds
    #expect(elapsed > 1.3 && elapsed < 25)
    let steps = zip(rows, rows.dropFirst()).map { ($1.timestamp - $0.timestamp).seconds }
    for (index, row) in rows.enumerated() {
      #expect(row.vector.x == Double(index % 20) / 1000)
    }
    for (index, step) in steps.enumerated() {
      #expect(abs(step - (index == 19 ? 30 : 0.01)) < 1e-6)
    }
  }

  @Test func `a recording that is missing or of a single moment is refused`() throws {
    #expect(throws: RecordingError.self) { try RecordingSource(path: "/no/such.csv") }
    let path = try Self.file(rows: 1)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let error = #expect(throws: RecordingError.self) { try RecordingSource(path: path) }
    #expect(error?.description.contains("a recording of a single moment") == true)
  }
}
