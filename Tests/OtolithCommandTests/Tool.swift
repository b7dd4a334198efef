// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The built executable, run as a user runs it.
enum Tool {
  /// The executable, which is next to the test bundle.
  static var url: URL? {
    let link = "/proc/self/exe"
    guard let own = try? FileManager.default.destinationOfSymbolicLink(atPath: link) else {
      return nil
    }
    let url = URL(filePath: own).deletingLastPathComponent().appending(path: "otolith")
    return FileManager.default.isExecutableFile(atPath: url.path()) ? url : nil
  }

  /// The path of the package.
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path()

  /// The tests' environment, without variables that select a board or this machine's service.
  static var environment: [String: String] {
    var all = ProcessInfo.processInfo.environment
    all["OTOLITH_BOARD"] = nil
    all["OTOLITH_SOCKET"] = ""
    return all
  }

  struct Ending: Sendable {
    var status: Int32
    var output: String
    var errors: String
    /// The duration in seconds, from the start or from the signal if one was sent.
    var seconds: Double

    var lines: [String] { output.split(separator: "\n").map(String.init) }
    var errorLines: [String] { errors.split(separator: "\n").map(String.init) }
  }

  /// Runs `otolith` with `arguments` until it ends, for at most 20 s; interrupts it once it has
  /// printed this many lines.
  static func run(
    _ arguments: String..., in folder: Scratch, interruptAfter lines: Int? = nil,
    environment: [String: String] = [:], output: String? = nil
  ) throws -> Ending {
    let url = try #require(
      url, "otolith is not built with the tests; run: swift build --product otolith")
    return try run(url, arguments, folder, lines, environment, output)
  }

  /// Runs `otolith` with a list of arguments.
  static func run(_ arguments: [String], in folder: Scratch) throws -> Ending {
    let url = try #require(
      url, "otolith is not built with the tests; run: swift build --product otolith")
    return try run(url, arguments, folder, nil, [:], nil)
  }

  /// Runs a shell command in which `$OTOLITH` is the executable.
  static func shell(_ line: String, in folder: Scratch) throws -> Ending {
    let url = try #require(
      url, "otolith is not built with the tests; run: swift build --product otolith")
    return try run(
      URL(filePath: "/bin/sh"), ["-c", line], folder, nil, ["OTOLITH": url.path()], nil)
  }

  private static func run(
    _ url: URL, _ arguments: [String], _ folder: Scratch, _ lines: Int?,
    _ environment: [String: String], _ output: String?
  ) throws -> Ending {
    InheritedSignals.reset()
    let process = Process()
    process.executableURL = url
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: folder.path)
    process.environment = Self.environment.merging(environment) { $1 }
    // The output goes into files, because a pipe could fill up.
    let out = output ?? folder.new()
    let err = folder.new()
    process.standardInput = FileHandle.nullDevice
    let streams = try [out, err].map { try FileHandle(forWritingTo: URL(filePath: $0)) }
    // Foundation keeps the process and its handles. With 1,300 open ones, as after a thousand tests,
    // it reads beyond a page where it lists them for the next process.
    defer { for stream in streams { try? stream.close() } }
    process.standardOutput = streams[0]
    process.standardError = streams[1]
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    var begin = ProcessInfo.processInfo.systemUptime
    try process.run()
    if let lines {
      while process.isRunning, ProcessInfo.processInfo.systemUptime - begin < 20,
        try Data(contentsOf: URL(filePath: out)).count(where: { $0 == 0x0A }) < lines
      { Thread.sleep(forTimeInterval: 0.05) }
      begin = ProcessInfo.processInfo.systemUptime
      process.interrupt()
    }
    // A process that hangs is killed; an hour of simulated time takes 12 to 20 s on an idle
    // processor, and several times that while other tests and builds run.
    if ended.wait(timeout: .now() + 180) == .timedOut {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      Issue.record("otolith \(arguments) did not end")
    }
    let seconds = ProcessInfo.processInfo.systemUptime - begin
    #expect(process.terminationReason == .exit, "otolith \(arguments) crashed")
    return Ending(
      status: process.terminationStatus,
      output: output == nil ? try String(contentsOfFile: out, encoding: .utf8) : "",
      errors: try String(contentsOfFile: err, encoding: .utf8), seconds: seconds)
  }
}

/// A folder for one test, which is removed with this object.
final class Scratch {
  let path: String
  private var count = 0

  init() throws {
    path = FileManager.default.temporaryDirectory
      .appending(path: "otolith-test-\(UUID().uuidString)").path()
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Creates an empty hidden file, and returns its path.
  fileprivate func new() -> String {
    count += 1
    let file = "\(path)/.stream-\(count)"
    _ = FileManager.default.createFile(atPath: file, contents: nil)
    return file
  }

  func write(_ text: String, to name: String) throws {
    try text.write(toFile: "\(path)/\(name)", atomically: true, encoding: .utf8)
  }

  func text(_ name: String) throws -> String {
    try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
  }

  /// The names in the folder, including the program's hidden files.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
      .filter { !$0.hasPrefix(".stream-") }.sorted()
  }
}
