// SPDX-License-Identifier: Apache-2.0
import Foundation
import Quantities
@testable import Recordings
import Testing

/// MCAP files whose messages are not in order of time, and very long ones.
@Suite struct MCAPOrderTests {
  /// Returns a file with pressures and temperatures with these time stamps in seconds, in this
  /// order.
  private static func file(_ stamps: [(topic: UInt16, stamp: Double)]) -> [UInt8] {
    var builder = MCAPBuilder()
    builder.topic(1, "/pressure", "sensor_msgs/msg/FluidPressure")
    builder.topic(2, "/temperature", "sensor_msgs/msg/Temperature")
    for (topic, stamp) in stamps {
      let time = Int64(stamp * 1e9)
      builder.add(
        builder.message(topic, log: time, MCAPBuilder.number(90_000, stamp: time)))
    }
    return builder.whole
  }

  @Test func `stamps that go back by a little are put in order, and said`() {
    let stamps: [(UInt16, Double)] = [(1, 1), (2, 0.5), (1, 3), (1, 2.5), (2, 1.5), (1, 2.25)]
    let bytes = Self.file(stamps)
    let reading = MCAPReading(bytes, .strict)
    #expect(reading.times == [0.5, 1, 1.5, 2.25, 2.5, 3])
    #expect(reading.notes.count == 1 && reading.remark == nil)
    #expect(
      reading.notes.first?.hasPrefix(
        "a.mcap: 2 stamps of /pressure are earlier than one before them, the first at byte ")
        == true)
  }

  /// This is the same as in a CSV file.
  @Test func `a clock that is set back begins a new stretch after a gap`() {
    let bytes = Self.file([(1, 100), (1, 101), (1, 5), (1, 6)])
    let reading = MCAPReading(bytes)
    #expect(reading.times == [100, 101, 5, 6] && reading.stretches == 2)
    #expect(
      reading.remark?.contains("time steps back by more than a second at byte ") == true)
    #expect(
      MCAPReading(bytes, .strict).error?.hasPrefix("a.mcap: the sample of 5 s at byte ") == true)
  }

  /// Some programs write one topic after another. Rows that are further apart than the window are
  /// sorted by reading each topic separately.
  @Test func `topics that are written one after the other are in the order of time`() throws {
    let stamps: [(UInt16, Double)] =
      (0..<50).map { (1, Double($0)) } + (0..<50).map { (2, Double($0) + 0.5) }
    var samples = try MCAPSamples(
      MCAPInput(Self.file(stamps), file: "a.mcap"), units: [], isStrict: true, window: 8)
    var times: [Double] = []
    while let sample = try samples.next() { times.append(sample.timestamp.seconds) }
    #expect(times == (0..<100).map { Double($0) / 2 })
  }

  /// For files that a server offers, only the beginning is checked.
  @Test func `the beginning of a file is checked alone`() throws {
    try inFolder { folder in
      let path = "\(folder)/a.mcap"
      try Data(MCAPBuilder.magic + [6, 0, 0]).write(to: URL(filePath: path))
      try RecordingReader.checkBeginning(path: path)
      #expect(throws: RecordingError.self) { try RecordingReader(path: path, order: .lenient) }
      try Data("a,b\n1,2\n".utf8).write(to: URL(filePath: path))
      #expect(throws: RecordingError.self) { try RecordingReader.checkBeginning(path: path) }
      #expect(throws: RecordingError.self) {
        try RecordingReader.checkBeginning(path: "\(folder)/none.mcap")
      }
    }
  }

  /// 130 MB in messages of 40 kB, from a pipe, which is copied to the disk; in a separate process,
  /// because the tests that run at the same time take memory, too.
  @Test(.timeLimit(.minutes(1))) func `a file of any length takes no memory`() async {
    await #expect(processExitsWith: .success) {
      try inFolder { folder in
        let path = "\(folder)/long.mcap"
        var builder = MCAPBuilder()
        builder.topic(1, "/pressure", "sensor_msgs/msg/FluidPressure")
        let before = try residentMegabytes()
        _ = FileManager.default.createFile(atPath: path, contents: Data(builder.bytes))
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.seekToEnd()
        let rest = [UInt8](repeating: 0x55, count: 40_000)
        for number in 0..<3250 {
          let data = MCAPBuilder.number(98_000, stamp: Int64(number) * 1_000_000)
          let record = builder.message(1, log: Int64(number), data + rest)
          try file.write(contentsOf: Data(record))
        }
        try file.close()
        let pipe = "\(folder)/pipe"
        let writer = Process()
        writer.executableURL = URL(filePath: "/bin/sh")
        writer.arguments = ["-c", "mkfifo \(pipe); cat \(path) > \(pipe)"]
        try writer.run()
        while !FileManager.default.fileExists(atPath: pipe) { usleep(1000) }
        var reader = try RecordingReader(path: pipe, order: .lenient)
        var count = 0
        while try reader.next() != nil { count += 1 }
        #expect(count == 3250)
        #expect(try residentMegabytes() - before < 40)
        writer.waitUntilExit()
      }
    }
  }
}
