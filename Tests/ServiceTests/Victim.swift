// SPDX-License-Identifier: Apache-2.0
import Foundation
import ServedSources
import Testing

/// Another process at work, which ends with this at the latest.
final class Victim: Sendable {
  private let process: Process
  private let output: URL

  init(_ arguments: [String], environment: [String: String] = [:]) throws {
    // Next to the tests in the build folder.
    let program = try #require(
      Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
        ?? Bundle.main.executableURL
    ).deletingLastPathComponent().appendingPathComponent("ServiceVictim")
    // A file, because a pipe without a reader would hold the process up.
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

  /// Ends it without a warning. Returns when it is gone.
  func kill() {
    signal(SIGKILL)
    process.waitUntilExit()
  }

  /// The lines that it has said, without one that is not whole.
  var lines: [String] {
    let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  /// Waits until it has said `line`.
  func says(_ line: String) async throws -> Bool {
    try await eventually { lines.contains(line) || !process.isRunning } && lines.contains(line)
  }
}
