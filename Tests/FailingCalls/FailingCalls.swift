// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// System calls that fail in a process started by a test: see failing-calls.c.
package struct FailingCalls: Sendable {
  /// The kinds of calls that are counted.
  package enum Calls: Sendable {
    /// Calls on the files of a folder.
    case files
    /// Calls on sockets, and on shared memory and wake-up events.
    case sockets
    /// Calls that start a thread, in the program and its libraries.
    case threads
  }

  /// The way in which a call fails.
  package enum Failure: CaseIterable, Sendable {
    case inputOutput, noSpace, fullDisk, interrupted, tooManyFiles, short, noMemory, reset, killed
    /// That call and all later ones fail.
    case noThreads

    /// The calls that can fail in this way, in the letters of failing-calls.c; empty if none can.
    func kinds(of calls: Calls) -> String {
      switch (calls, self) {
      case (.threads, .noThreads): "p"
      case (.threads, _), (_, .noThreads): ""
      case (.files, .inputOutput), (.files, .killed): "orwstnul"
      // On a full disk a file can still be removed.
      case (.files, .noSpace), (.files, .fullDisk): "owsn"
      case (.files, .interrupted): "orw"
      case (_, .tooManyFiles): calls == .files ? "o" : "m"
      case (.files, .short): "rw"
      case (.files, _): ""
      case (.sockets, .inputOutput), (.sockets, .noMemory), (.sockets, .killed): "mag"
      case (.sockets, .interrupted): "g"
      case (.sockets, .reset): "ag"
      case (.sockets, _): ""
      }
    }

    /// The error number (errno(3)).
    fileprivate var number: Int {
      switch self {
      case .inputOutput: 5
      case .noSpace, .fullDisk: 28
      case .interrupted: 4
      case .tooManyFiles: 24
      case .noMemory: 12
      case .reset: 104
      case .noThreads: 11
      case .short, .killed: 0
      }
    }

    /// True if the program must continue as if the call had not failed.
    package var isGotOver: Bool { self == .short || self == .interrupted }
  }

  /// True if each call fails in every way; otherwise a selection runs in a hundredth of the time.
  package static let isThorough = ProcessInfo.processInfo.environment["OTOLITH_FAULTS"] == "all"

  /// Returns the numbers of the calls that are made to fail, out of `most`.
  package static func calls(of most: Int) -> [Int] {
    // The step is not a multiple of the number of failures, so that all failures occur.
    Array(stride(from: 1, through: most, by: isThorough || most < 16 ? 1 : most / 8 | 1))
  }

  /// Returns the failures that such calls can have.
  package static func failures(of calls: Calls = .files) -> [Failure] {
    Failure.allCases.filter { !$0.kinds(of: calls).isEmpty }
  }

  /// Returns the failures for call `number`.
  package static func failures(ofCall number: Int, of calls: Calls = .files) -> [Failure] {
    let all = failures(of: calls)
    return isThorough ? all : [all[number % all.count]]
  }

  private static let library = Mutex<String?>(nil)

  /// Builds the library that is loaded into the process, once.
  private static func built() throws -> String {
    try library.withLock { library in
      if let library { return library }
      let source = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "failing-calls.c").path()
      let path = FileManager.default.temporaryDirectory
        .appending(path: "failing-calls-\(UUID().uuidString).so").path()
      let compiler = Process()
      compiler.executableURL = URL(filePath: "/usr/bin/env")
      compiler.arguments = ["cc", "-shared", "-fPIC", "-O1", "-o", path, source, "-ldl"]
      try compiler.run()
      compiler.waitUntilExit()
      guard compiler.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
      library = path
      return path
    }
  }

  private let folder: String
  private let calls: Calls
  private let report: String

  /// Creates failures for calls on files in `folder`, or on sockets.
  package init(in folder: String, of calls: Calls = .files) {
    self.folder = folder
    self.calls = calls
    report = FileManager.default.temporaryDirectory
      .appending(path: "failing-calls-\(UUID().uuidString)").path()
  }

  /// Returns the environment that makes call `number` fail in a process; with 0 none fails and all
  /// are counted.
  package func variables(_ failure: Failure, call number: Int) throws -> [String: String] {
    try [
      "LD_PRELOAD": Self.built(), "FAILING_FOLDER": folder, "FAILING_CALL": "\(number)",
      "FAILING_ERRNO": "\(failure.number)", "FAILING_KINDS": failure.kinds(of: calls),
      "FAILING_ON": [.fullDisk, .noThreads].contains(failure) ? "1" : "0",
      "FAILING_KILL": failure == .killed ? "1" : "0", "FAILING_REPORT": report,
    ]
  }

  /// Returns the same environment as words for a shell.
  package func environment(_ failure: Failure, call number: Int) throws -> String {
    try variables(failure, call: number).map { "\($0)='\($1)'" }.joined(separator: " ")
  }

  /// Returns the number of calls of the last process that ended normally.
  package func count() throws -> Int {
    defer { try? FileManager.default.removeItem(atPath: report) }
    return Int(try String(contentsOfFile: report, encoding: .utf8)) ?? 0
  }
}
