// SPDX-License-Identifier: Apache-2.0
import Foundation
import Quantities
import Runtime
import ServedSources
import Testing

/// Tests with a client that shares no line of code with this project: client.py, written from
/// docs/service.md.
@Suite(.timeLimit(.minutes(2))) struct OtherLanguageTests {
  private struct Welcome: Decodable {
    struct Chip: Decodable, Equatable {
      var name: String
      var channels: Int
    }
    var version: Int
    var name: String
    var channels: Int
    var rates: [Double?]
    var isMadeUp: Int
    var chips: [Chip]
    var isSomewhere: Int
    var location: [Double?]
  }
  private struct Writing: Decodable { var writing: [String] }
  private struct Row: Decodable {
    var timestamp: Int64
    var channels: Int
    var missing: UInt32
    var acceleration: [Double]
    var light: Double?
    var source: Int
  }
  private struct Ending: Decodable {
    struct Status: Decodable {
      struct Client: Decodable {
        var program: String
        var process: Int32
      }
      var socket: String
      var clients: [Client]
    }
    struct Chip: Decodable {
      var state: Int
      var error: [Int]
      var sentence: String
    }
    var status: Status
    var wakes: Int
    var chips: [Chip]
  }

  private static func decoded<Value: Decodable>(_ line: String, as: Value.Type) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(line.utf8))
  }

  @Test func `another language gets every sample and can write nothing`() async throws {
    let script = ScriptedSource(
      [.acceleration, .pressure, .illuminance], rate: 250, name: "Prüfstand")
    let served = try Served(script)
    defer { served.end() }
    let client = Process()
    client.executableURL = URL(filePath: "/usr/bin/env")
    client.arguments = [
      "python3", URL(filePath: #filePath).deletingLastPathComponent().path() + "client.py",
      served.path, "300",
    ]
    let path = NSTemporaryDirectory() + "otolith-client-\(UUID().uuidString)"
    try #require(FileManager.default.createFile(atPath: path, contents: nil))
    defer { try? FileManager.default.removeItem(atPath: path) }
    client.standardOutput = try FileHandle(forWritingTo: URL(filePath: path))
    try client.run()
    defer { if client.isRunning { client.terminate() } }
    /// Returns the lines that the client has written, once there are at least this many.
    func lines(_ count: Int) async throws -> [String] {
      var lines: [String] = []
      try #require(
        try await eventually {
          // This is read before the text, so that the text is complete if the client has ended.
          let isRunning = client.isRunning
          let text = try String(contentsOfFile: path, encoding: .utf8)
          // Text without a line end is not yet a line.
          lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .map(String.init)
          return lines.count >= count || !isRunning
        })
      try #require(lines.count >= count, "it has ended early")
      return lines
    }

    let greeting = try await lines(3)
    let welcome = try Self.decoded(greeting[0], as: Welcome.self)
    #expect(welcome.version == 1 && welcome.name == "Prüfstand")
    // In the set of channels, acceleration is bit 0, pressure bit 3 and light bit 6.
    #expect(welcome.channels == 9 + 64)
    #expect(welcome.rates == [250, nil, nil, 250, nil, nil, 250, nil])
    #expect(welcome.isMadeUp == 1 && welcome.isSomewhere == 0)
    #expect(welcome.chips.map(\.channels) == [9 + 64])
    #expect(welcome.location == [nil, nil, nil, nil, nil, nil])
    // memfd_create(2), "File sealing": a mapping for writing fails with EPERM, as does a new size.
    #expect(
      try Self.decoded(greeting[1], as: Writing.self).writing
        == [String](repeating: "Operation not permitted", count: 4))
    #expect(greeting[2] == #"{"wants": "acceleration"}"#)
    #expect(script.isRunning)

    script.fail("die Katze hat die Sensoren")
    for number in 0..<300 {
      var sample = Sample(
        timestamp: Timestamp(nanoseconds: 5_000_000_000 + Int64(number) * 4_000_000),
        channels: [.acceleration, .illuminance])
      sample.scalars[.illuminance] = Double(number) / 3
      sample.acceleration = Vector3(Double(number) / 7, -0.5, -1)
      sample.missing = UInt32(number % 3)
      script.send(sample)
      // The pause lets the client fall asleep now and then.
      if number % 50 == 0 { try await Task.sleep(for: .milliseconds(20)) }
    }
    let all = try await lines(304)
    for number in 0..<300 {
      let row = try Self.decoded(all[3 + number], as: Row.self)
      #expect(row.timestamp == 5_000_000_000 + Int64(number) * 4_000_000)
      #expect(row.acceleration == [Double(number) / 7, -0.5, -1])
      #expect(row.light == Double(number) / 3)
      #expect(
        row.channels == 65 && row.missing == UInt32(number % 3)
          && row.source == 0)
    }
    let ending = try Self.decoded(all[303], as: Ending.self)
    #expect(ending.status.socket == served.path)
    #expect(ending.status.clients.map(\.program) == ["client.py"])
    // The client sleeps until the first sample at least, and may be awake for all others.
    #expect(ending.wakes >= 1 && ending.wakes <= 300)
    #expect(ending.chips.map(\.state) == [2])
    // The error is that of a chip without acknowledgement, at register 0.
    #expect(ending.chips.first?.error == [0, 0, 0, 0, 0])
    #expect(ending.chips.first?.sentence == "die Katze hat die Sensoren")
    client.waitUntilExit()
    #expect(client.terminationStatus == 0)
  }
}
