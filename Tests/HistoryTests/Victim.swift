// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A process that writes into a store until it is killed.
struct Victim {
  private let process = Process()
  private let output: URL

  /// Starts the process; `limit` is a shell command that runs first.
  init(_ folder: String, limit: String = "", mode: String = "") throws {
    // The program is in the build folder, next to the tests.
    let program = try #require(
      Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
        ?? Bundle.main.executableURL
    ).deletingLastPathComponent().appendingPathComponent("HistoryVictim")
    // Use a file, because a full pipe would block the process.
    output = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    #expect(FileManager.default.createFile(atPath: output.path, contents: nil))
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", limit + "exec \"$@\"", "victim", program.path, folder, mode]
    process.standardOutput = try FileHandle(forWritingTo: output)
    try process.run()
  }

  private var isSilent: Bool { (try? Data(contentsOf: output).isEmpty) ?? true }

  /// Kills the process with SIGKILL, and returns its output.
  func kill() -> String {
    Foundation.kill(process.processIdentifier, SIGKILL)
    return wait()
  }

  func wait() -> String {
    process.waitUntilExit()
    defer { try? FileManager.default.removeItem(at: output) }
    return (try? String(contentsOf: output, encoding: .utf8)) ?? ""
  }

  static func run(_ folder: String, limit: String = "", mode: String = "") throws -> String {
    try Victim(folder, limit: limit, mode: mode).wait()
  }

  /// Runs the process until `seconds` after its start, or after the first line of its output: on a
  /// busy machine it may be killed before it has written anything.
  static func run(
    _ folder: String, mode: String = "", killedAfter seconds: Double, ofOutput: Bool
  ) throws -> String {
    let victim = try Victim(folder, mode: mode)
    let deadline = Date() + 60
    while ofOutput, victim.isSilent, Date() < deadline { Thread.sleep(forTimeInterval: 0.001) }
    Thread.sleep(forTimeInterval: seconds)
    return victim.kill()
  }
}
