// SPDX-License-Identifier: Apache-2.0
import Foundation
import Quantities
import Recordings
import SeededRandom
import Testing

/// Long logs: their lines, files and order.
@Suite struct LogTests {
  private static let channels: ChannelSet = [.acceleration, .pressure]

  private func sample(_ nanoseconds: Int64, _ random: inout SplitMix) -> Sample {
    var sample = Sample(timestamp: Timestamp(nanoseconds: nanoseconds), channels: .acceleration)
    sample.acceleration = Vector3(
      Double.random(in: -1...1, using: &random), 1 / 3,
      Double.random(in: -1e-9...1e-9, using: &random))
    if Bool.random(using: &random) {
      sample.channels.insert(.pressure)
      sample.scalars[.pressure] = Double.random(in: 90...110, using: &random)
    }
    return sample
  }

  @Test func `a line has the wall clock next to the timestamp and losses at its end`() {
    var sample = Sample(timestamp: Timestamp(nanoseconds: 12_000_000_000), channels: .acceleration)
    sample.acceleration = Vector3(0.5, -1, 0.25)
    func line(_ format: LogFormat) -> String {
      String(
        decoding: format.line(sample, Self.channels, utc: "2026-11-24T15:20:00.000001Z", lost: 3),
        as: UTF8.self)
    }
    #expect(
      String(decoding: LogFormat.csv.header(ofSamples: Self.channels), as: UTF8.self)
        == "timestamp,utc,acceleration.x,acceleration.y,acceleration.z,pressure,lost\n")
    #expect(line(.csv) == "12.0,2026-11-24T15:20:00.000001Z,0.5,-1.0,0.25,,3\n")
    #expect(
      line(.jsonl)
        == #"{"timestamp":12.0,"utc":"2026-11-24T15:20:00.000001Z","acceleration.x":0.5,"#
        + #""acceleration.y":-1.0,"acceleration.z":0.25,"lost":3}"# + "\n")
    #expect(LogFormat.jsonl.header(ofSamples: Self.channels).isEmpty)
  }

  @Test func `a second log in the same file is refused while the first is open`() throws {
    try inFolder { folder in
      let path = folder + "/log.csv"
      func open() throws(FileWriterError) -> LogFile {
        try LogFile(path: path, replaces: true, header: Array("timestamp\n".utf8))
      }
      var first: LogFile? = try open()
      let error = #expect(throws: FileWriterError.self) { _ = try open() }
      #expect(
        error?.description == "\(path): cannot be written: another log is being written to it")
      #expect(throws: FileWriterError.self) {
        _ = try MCAPFile(path: path, replaces: true, channels: [])
      }
      try first?.finish()
      first = nil
      _ = try open()
    }
  }

  /// Wherever pages end, the samples are the same to the last bit.
  @Test func `samples come back as they were, and no line lies across two pages`() throws {
    try inFolder { folder in
      var random = SplitMix(state: 7)
      let path = folder + "/log.csv"
      let log = try RotatingLog(
        path: path, header: LogFormat.csv.header(ofSamples: Self.channels), rotation: LogRotation(),
        replaces: false)
      var written: [Sample] = []
      for number in 0..<3000 {
        // Whole seconds are included, which have no decimals.
        let sample = sample(Int64(number) * 250_000_000, &random)
        written.append(sample)
        try log.append(
          LogFormat.csv.line(sample, Self.channels, utc: "2026-11-24T15:20:00.000001Z", lost: 0),
          at: sample.timestamp)
        if number % 7 == 0 { try log.flush() }
      }
      try log.finish()
      let bytes = try Data(contentsOf: URL(filePath: path))
      var start = 0
      for (index, byte) in bytes.enumerated() where byte == 0x0A {
        #expect(start / 4096 == index / 4096, "line at \(start) ends at \(index)")
        start = index + 1
      }
      #expect(start == bytes.count && start > 40 * 4096)
      // If a page did not end with a line, a line would cross into the next page.
      for page in 1..<(bytes.count / 4096) { #expect(bytes[page * 4096 - 1] == 0x0A) }
      var reader = try RecordingReader(path: path)
      for sample in written { #expect(try reader.next() == sample) }
      #expect(try reader.next() == nil)
    }
  }

  @Test func `files are numbered on, and the oldest go`() throws {
    try inFolder { folder in
      for name in ["log-0007.csv", "log-12.csv", "log-0003x.csv", "blog-0009.csv", "log-0008.csv"] {
        try "old\n".write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
      }
      let log = try RotatingLog(
        path: folder + "/log.csv", header: Array("h\n".utf8),
        rotation: LogRotation(interval: .seconds(10), keep: 3), replaces: false)
      for second in [0, 1, 9, 10, 19, 35, 39, 40] {
        try log.append(
          Array("\(second)\n".utf8), at: Timestamp(nanoseconds: Int64(second) * 1_000_000_000))
      }
      try log.finish()
      #expect(log.rows == 8 && log.files == 4)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == [
          "blog-0009.csv", "log-0003x.csv", "log-0010.csv", "log-0011.csv", "log-0012.csv",
          "log-12.csv",
        ])
      func text(_ number: Int) throws -> String {
        try String(contentsOfFile: folder + "/log-00\(number).csv", encoding: .utf8)
      }
      #expect(try text(10) == "h\n10\n19\n")
      // The gap does not shift the intervals: the next file begins at 40.
      #expect(try text(11) == "h\n35\n39\n" && text(12) == "h\n40\n")
    }
  }

  @Test func `a recorder that is started again and again keeps no more files`() throws {
    try inFolder { folder in
      for run in 1...5 {
        let log = try RotatingLog(
          path: folder + "/log.jsonl", header: [], rotation: LogRotation(bytes: 4096, keep: 2),
          replaces: false)
        // Old files are removed only after the new one has content.
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(names == (max(1, run - 2)...run).map { "log-000\($0).jsonl" })
        try log.append(Array("{}\n".utf8), at: .zero)
        try log.finish()
      }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == [
          "log-0004.jsonl", "log-0005.jsonl",
        ])
    }
  }

  @Test func `a log that never began leaves nothing, and takes nothing away`() throws {
    try inFolder { folder in
      let path = folder + "/log.csv"
      try RotatingLog(path: path, header: [0x68, 0x0A], rotation: LogRotation(), replaces: false)
        .discard()
      #expect(!FileManager.default.fileExists(atPath: path))
      try "old\n".write(toFile: path, atomically: true, encoding: .utf8)
      let error = #expect(throws: FileWriterError.self) {
        try RotatingLog(path: path, header: [0x68, 0x0A], rotation: LogRotation(), replaces: false)
      }
      #expect(error?.kind == .cannotCreate)
      let log = try RotatingLog(
        path: path, header: [0x68, 0x0A], rotation: LogRotation(), replaces: true)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "old\n", "until a line comes")
      log.discard()
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "old\n")
    }
  }

  @Test func `rows of several chips come in the order of time`() {
    var order = TimeOrder<String>()
    func at(_ milliseconds: Int64) -> Timestamp { Timestamp(nanoseconds: milliseconds * 1_000_000) }
    for (name, time) in [("a", 0), ("b", 100), ("d", 300), ("c", 200), ("c2", 200)]
      as [(String, Int64)]
    {
      let isTaken = order.add(name, at: at(time))
      let next = order.next()
      #expect(isTaken && next == nil)
    }
    _ = order.add("e", at: at(1250))
    var given: [String] = []
    while let next = order.next() { given.append(next) }
    #expect(given == ["a", "b", "c", "c2"])
    let (late, just) = (order.add("late", at: at(150)), order.add("just", at: at(200)))
    #expect(!late && just)
    while let next = order.next(all: true) { given.append(next) }
    #expect(given == ["a", "b", "c", "c2", "just", "d", "e"])
  }
}
