// SPDX-License-Identifier: Apache-2.0
import Foundation
import Recordings
import Testing

/// Inputs without an end, or without line ends: no more is read than is needed for the error.
@Suite struct EndlessInputTests {
  /// Returns the error for a file with this text, without its path.
  private func complaint(ofFile text: String) throws -> String? {
    let path = "\(FileManager.default.temporaryDirectory.path())/otolith-\(UUID()).csv"
    try Data(text.utf8).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    return complaint(path: path)?.replacing(path, with: "walk.csv")
  }

  private func complaint(path: String) -> String? {
    do {
      var reader = try RecordingReader(path: path)
      while try reader.next() != nil {}
      return nil
    } catch {
      return error.description
    }
  }

  @Test(.timeLimit(.minutes(1))) func `a device without an end is refused by its begin`() {
    #expect(
      complaint(path: "/dev/zero")
        == "/dev/zero: the file is binary, expected a recording's CSV text")
  }

  @Test func `a text without a header is refused by its begin`() throws {
    #expect(
      try complaint(ofFile: String(repeating: "y\n", count: 100_000))
        == "walk.csv:1:1: no column 'timestamp', expected a header row with 'timestamp'")
    #expect(
      try complaint(ofFile: String(repeating: "\n", count: 100_000))
        == "walk.csv: the file is empty, expected a header row with 'timestamp'")
  }

  @Test func `a line without an end is refused at its place`() throws {
    let rows = "timestamp,pressure\n0,98\n1,98\n"
    let digits = String(repeating: "9", count: 1_000_000)
    #expect(
      try complaint(ofFile: rows + "2," + digits)
        == "walk.csv:4: the line has more than 262144 bytes, expected a recording's CSV text")
    // Long files of short lines are read, and long lines up to the limit.
    let comment = String(repeating: "x", count: 200_000)
    #expect(
      try complaint(
        ofFile: "timestamp,note,pressure\n" + (0..<40_000).map { "\($0),,98\n" }.joined()
          + "40000,\(comment),98\n") == nil)
  }

  @Test func `an error shows no control character of a file's name`() {
    #expect(
      complaint(path: "/nowhere/\u{1B}[31m.csv") == "/nowhere/\\u001B[31m.csv: no such file")
  }

  /// In a separate process, because the tests that run at the same time take memory, too.
  @Test(.timeLimit(.minutes(1))) func `a recording of any length takes no memory`() async {
    await #expect(processExitsWith: .success) {
      try inFolder { folder in
        let path = "\(folder)/long.csv"
        let writer = Process()
        writer.executableURL = URL(filePath: "/bin/sh")
        // 100 MB in rows of 4 kB.
        let note = String(repeating: "x", count: 4080)
        writer.arguments = [
          "-c",
          "mkfifo \(path); { echo timestamp,pressure,note; yes 1,98,\(note) | head -n 25000; } > \(path)",
        ]
        try writer.run()
        while !FileManager.default.fileExists(atPath: path) { usleep(1000) }
        var reader = try RecordingReader(path: path)
        let before = try residentMegabytes()
        var count = 0
        while try reader.next() != nil { count += 1 }
        #expect(count == 25_000)
        #expect(try residentMegabytes() - before < 40)
        writer.waitUntilExit()
      }
    }
  }
}

/// Returns the memory of this process in MB, from the kernel.
func residentMegabytes() throws -> Int {
  let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
  return try #require(Int(line.filter(\.isNumber))) / 1000
}
