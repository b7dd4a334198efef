// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `otolith service` during a test, until this object is released or ended.
final class RunningService {
  let socket: String
  private let process = Process()
  private let log: String

  /// Starts the service in `scratch` with the test's own socket. Returns when it listens; throws if
  /// it ends instead.
  convenience init(
    _ arguments: String..., in scratch: Scratch, environment: [String: String] = [:]
  ) throws {
    let url = try #require(Tool.url, "otolith is not built with the tests")
    let socket = scratch.path + "/otolith.sock"
    try self.init(
      url, ["service"] + arguments + ["--socket", socket], socket, scratch, environment)
  }

  init(
    _ executable: URL, _ arguments: [String], _ socket: String, _ scratch: Scratch,
    _ environment: [String: String] = [:]
  ) throws {
    InheritedSignals.reset()
    self.socket = socket
    log = scratch.path + "/.stream-log-\(UUID().uuidString)"
    _ = FileManager.default.createFile(atPath: log, contents: nil)
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: scratch.path)
    process.environment = Tool.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = try FileHandle(forWritingTo: URL(filePath: log))
    try process.run()
    try #require(waitForLog("board: "), "it does not serve: \(logLines)")
  }

  deinit { end() }

  var identifier: Int32 { process.processIdentifier }

  /// The log lines without their times.
  var logLines: [String] {
    ((try? String(contentsOfFile: log, encoding: .utf8)) ?? "").split(separator: "\n")
      .map { $0.split(separator: " ", maxSplits: 1).last.map(String.init) ?? "" }
  }

  /// Waits until a log line contains `text`.
  func waitForLog(_ text: String) -> Bool {
    for _ in 0..<2000 {
      if logLines.contains(where: { $0.contains(text) }) { return true }
      if !process.isRunning { return false }
      Thread.sleep(forTimeInterval: 0.01)
    }
    return false
  }

  /// Ends the service as a service manager does. Returns its exit status.
  @discardableResult
  func end() -> Int32 {
    if process.isRunning { process.terminate() }
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : -1
  }
}

extension RunningService {
  /// The answer of `otolith service status --json`, as far as tests ask for it.
  struct Status: Decodable {
    struct Client: Decodable {
      var program: String
      var process: Int32
    }
    var socket: String
    var process: Int32
    var board: String
    var isRunning: Bool
    var clients: [Client]
    var samples: UInt64
    var uptime: Double
  }

  func status(in scratch: Scratch) throws -> Status {
    let ending = try Tool.run("service", "status", "--json", "--socket", socket, in: scratch)
    #expect(ending.status == 0 && ending.errors.isEmpty, "\(ending.errors)")
    return try JSONDecoder().decode(Status.self, from: Data(ending.output.utf8))
  }
}
