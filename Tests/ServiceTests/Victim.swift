// SPDX-License-Identifier: Apache-2.0
import Foundation
import ServedSources
import Testing

/// A separate process for a test to stop or kill. It ends with this object at the latest.
final class Victim: Sendable {
  private let process: Process
  private let output: URL

  init(_ arguments: [String], environment: [String: String] = [:]) throws {
    // The program is next to the tests in the build folder.
    let program = try #require(
      Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
        ?? Bundle.main.executableURL
    ).deletingLastPathComponent().appendingPathComponent("ServiceVictim")
    // The output goes to a file, because a pipe that is not read would hold the process up.
    output = FileManager.default.temporaryDirectory.appendingPathComponent(
      "otolith-\(UUID().uuidString)")
    #expect(FileManager.default.createFile(atPath: output.path, contents: nil))
    process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = try FileHandle(forWritingTo: output)
    try process.run()
  }

  deinit {
    if process.isRunning { signal(SIGKILL) }
    try? FileManager.default.removeItem(at: output)
  }

  func signal(_ number: Int32) { Foundation.kill(process.processIdentifier, number) }

  /// Kills the process without a warning. Returns when it is gone.
  func kill() {
    signal(SIGKILL)
    process.waitUntilExit()
  }

  /// The complete lines that the process has written.
  var lines: [String] {
    let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  /// Waits until the process has written `line`. Returns whether it has.
  func says(_ line: String) async throws -> Bool {
    try await eventually { lines.contains(line) || !process.isRunning } && lines.contains(line)
  }
}
