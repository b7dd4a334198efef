// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// Calls that fail in a process that a test starts: see failing-calls.c.
package struct FailingCalls: Sendable {
  /// The calls that are counted.
  package enum Calls: Sendable {
    /// On files of a folder.
    case files
    /// On sockets, and on memory and bells that processes share.
    case sockets
    /// That start a thread, in the program and its libraries.
    case threads
  }

  /// The fault of a call.
  package enum Failure: CaseIterable, Sendable {
    case inputOutput, noSpace, fullDisk, interrupted, tooManyFiles, short, noMemory, reset, killed
    /// That thread and all later ones.
    case noThreads

    /// The calls that may fail in this way, as failing-calls.c has it; none: it does not occur.
    func kinds(of calls: Calls) -> String {
      switch (calls, self) {
      case (.threads, .noThreads): "p"
      case (.threads, _), (_, .noThreads): ""
      case (.files, .inputOutput), (.files, .killed): "orwstnul"
      // On a full disk a file can be taken away.
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

    /// errno(3).
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

    /// True if a program notices nothing, or is to behave as if it had not.
    package var isGotOver: Bool { self == .short || self == .interrupted }
  }

  /// All failures of each call in turn, or one of them of some calls: a hundredth of the time.
  package static let isThorough = ProcessInfo.processInfo.environment["OTOLITH_FAULTS"] == "all"

  /// The calls of `most` that are to fail.
  package static func calls(of most: Int) -> [Int] {
    // Not a multiple of the failures, so that all have their turn.
    Array(stride(from: 1, through: most, by: isThorough || most < 16 ? 1 : most / 8 | 1))
  }

  /// The failures that such calls may have.
  package static func failures(of calls: Calls = .files) -> [Failure] {
    Failure.allCases.filter { !$0.kinds(of: calls).isEmpty }
  }

  /// The failures of call `number`.
  package static func failures(ofCall number: Int, of calls: Calls = .files) -> [Failure] {
    let all = failures(of: calls)
    return isThorough ? all : [all[number % all.count]]
  }

  private static let library = Mutex<String?>(nil)

  /// Builds what is loaded into the process, once.
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

  /// On files in `folder`, or on sockets.
  package init(in folder: String, of calls: Calls = .files) {
    self.folder = folder
    self.calls = calls
    report = FileManager.default.temporaryDirectory
      .appending(path: "failing-calls-\(UUID().uuidString)").path()
  }

  /// Returns the settings that let call `number` fail in a process; 0: none fails, all are counted.
  package func variables(_ failure: Failure, call number: Int) throws -> [String: String] {
    try [
      "LD_PRELOAD": Self.built(), "FAILING_FOLDER": folder, "FAILING_CALL": "\(number)",
      "FAILING_ERRNO": "\(failure.number)", "FAILING_KINDS": failure.kinds(of: calls),
      "FAILING_ON": [.fullDisk, .noThreads].contains(failure) ? "1" : "0",
      "FAILING_KILL": failure == .killed ? "1" : "0", "FAILING_REPORT": report,
    ]
  }

  /// The same as words of shell.
  package func environment(_ failure: Failure, call number: Int) throws -> String {
    try variables(failure, call: number).map { "\($0)='\($1)'" }.joined(separator: " ")
  }

  /// The calls that the last process made that ended by itself.
  package func count() throws -> Int {
    defer { try? FileManager.default.removeItem(atPath: report) }
    return Int(try String(contentsOfFile: report, encoding: .utf8)) ?? 0
  }
}
