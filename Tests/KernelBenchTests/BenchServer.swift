// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Testing

/// `otolith simulate --kernel`: the process that serves the bench's buses.
final class BenchServer: Sendable {
  private let process = Process()
  private let output = Pipe()

  private static let current = Mutex<(String, BenchServer)?>(nil)

  /// Serves the simulated board `board`: by the running process if it has the same board, because a
  /// start takes time, otherwise by a new one. The chips stay as the previous test left them.
  @discardableResult
  static func serve(_ board: String, hold: String? = nil) throws -> BenchServer {
    try current.withLock { current in
      let key = board + (hold ?? "")
      if let (other, server) = current, other == key, server.process.isRunning { return server }
      current?.1.stop()
      current = nil
      let server = try BenchServer(board, hold: hold)
      current = (key, server)
      return server
    }
  }

  /// Ends the running process.
  static func serveNothing() {
    current.withLock { current in
      current?.1.stop()
      current = nil
    }
  }

  /// Starts to serve a simulated board, and waits until it is ready.
  private init(_ board: String, hold: String?) throws {
    let file = try Scratch.file(board, named: "simulated.yaml")
    // It has a higher priority than the readers, so that edges come in time on one processor.
    process.executableURL = URL(fileURLWithPath: "/usr/bin/chrt")
    process.arguments =
      ["-f", "50", Tool.path, "simulate", "--board", file, "--kernel"]
      + (hold.map { ["--hold", $0] } ?? [])
    process.standardError = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    var said = ""
    while !said.contains("\n") {
      let bytes = output.fileHandleForReading.availableData
      guard !bytes.isEmpty else { throw Failure(said: said) }
      said += String(decoding: bytes, as: UTF8.self)
    }
    greeting = said
  }

  /// The process's output when it was ready.
  let greeting: String

  struct Failure: Error { var said: String }

  /// Stops the process, so that it answers no request.
  func suspend() { _ = process.suspend() }
  func resume() { _ = process.resume() }

  func stop() {
    guard process.isRunning else { return }
    process.terminate()
    process.waitUntilExit()
  }

  deinit { stop() }
}

/// The command under test.
enum Tool {
  static let path = program("otolith")

  /// Returns the path of a program, which is next to the test bundle.
  static func program(_ name: String) -> String {
    let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    return bundle.deletingLastPathComponent().appendingPathComponent(name).path
  }

  struct Outcome {
    var status: Int32
    var output: String
    var errors: String

    /// The error lines, without the line that names the board.
    var complaint: [Substring] {
      errors.split(separator: "\n").filter { !$0.hasPrefix("board: ") }
    }
  }

  /// Runs the command to its end.
  static func run(_ arguments: String..., as user: [String] = []) throws -> Outcome {
    try run(arguments, as: user)
  }

  static func run(_ arguments: [String], as user: [String] = []) throws -> Outcome {
    // Another user may not have access to the checkout, so the program is copied.
    let command = user + [user.isEmpty ? path : try Scratch.copy(path)] + arguments
    return try Running(command).end()
  }

  /// A command that runs while a test goes on.
  struct Running {
    private let process = Process()
    /// Files, because a command whose pipe nobody reads would wait.
    private let (output, errors): (String, String)

    /// Starts a program, which is found by its path or by PATH, with its arguments.
    init(_ command: [String]) throws {
      output = try Scratch.file("", named: "output")
      errors = try Scratch.file("", named: "errors")
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = command
      process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
      process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: errors))
      process.standardInput = FileHandle.nullDevice
      try process.run()
    }

    /// Waits until the command has ended.
    func end() throws -> Outcome {
      process.waitUntilExit()
      return Outcome(
        status: process.terminationStatus, output: try VirtualBench.read(output),
        errors: try VirtualBench.read(errors))
    }
  }
}

/// Temporary files of a test.
enum Scratch {
  private static let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("otolith-kernel-bench-\(getpid())")

  static func copy(_ path: String) throws -> String {
    let copy = try file("", named: "copy")
    try FileManager.default.removeItem(atPath: copy)
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    return copy
  }

  static func file(_ text: String, named name: String) throws -> String {
    let own = folder.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
    let file = own.appendingPathComponent(name)
    try Data(text.utf8).write(to: file)
    return file.path
  }
}
