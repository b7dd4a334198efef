// SPDX-License-Identifier: Apache-2.0
internal import Runtime
package import Boards
internal import Foundation
internal import Fusion
internal import LinuxSystem
internal import Logging
internal import Quantities
internal import Recordings
internal import Synchronization

/// An object that stores what fusion has learned about a board. The file is read at the start, and
/// written once per minute and at the stop, on a separate thread. An error with the file never
/// stops the board.
final class LearnedKeeper: Sendable {
  private struct State: Sendable {
    var hasRead = false
    var thread: ThreadHandle?
    /// True once the log contains the error that the file cannot be written.
    var hasComplained = false
  }
  private let path: String
  /// True if the path is the default path, not a path from the board file.
  private let isUsual: Bool
  private let fingerprint: String
  private let pipeline: MotionPipeline
  private let wakeEvent: WakeEvent
  private let isWanted = Atomic<Bool>(false)
  private let state = Mutex(State())
  /// The time between two writes.
  private static let interval = TimeSpan.seconds(60)

  /// Creates the keeper; returns `nil` if the board stores nothing.
  init?(_ board: Board, _ pipeline: MotionPipeline) {
    guard
      let path = LearnedPlace.path(of: board, environment: ProcessInfo.processInfo.environment),
      let wakeEvent = try? WakeEvent()
    else { return nil }
    self.path = path
    isUsual = board.learned == .usual
    fingerprint = board.fingerprint
    self.pipeline = pipeline
    self.wakeEvent = wakeEvent
  }

  /// Sets fusion's initial values to the stored ones, once, and starts writing.
  func begin() {
    state.withLock { state in
      if !state.hasRead {
        state.hasRead = true
        // An error reported now is not reported again at each attempt to write.
        state.hasComplained = !read()
      }
      guard state.thread == nil else { return }
      isWanted.store(true, ordering: .releasing)
      // If no thread can be started, the values are still written at the end.
      guard let thread = try? startThread(name: "learned", { [self] in run() }) else { return }
      state.thread = ThreadHandle(thread)
    }
  }

  /// Writes the learned values a last time, and returns when this is done.
  func end() {
    let thread = state.withLock { $0.thread.take() }
    isWanted.store(false, ordering: .releasing)
    wakeEvent.signal()
    thread?.join()
    wakeEvent.drain()
    write()
  }

  private func run() {
    var poller = Poller()
    poller.add(wakeEvent.fileDescriptor)
    while isWanted.load(ordering: .acquiring) {
      // If waiting for the event fails, the next wait would fail immediately too, so end the
      // thread. The last write still takes place.
      guard let ready = try? poller.wait(until: monotonicNow() + Self.interval) else { return }
      if ready == 0, isWanted.load(ordering: .acquiring) { write() }
    }
  }

  /// Reads the learned values. Returns false, and logs the reason, if the file at the path does not
  /// contain learned values.
  private func read() -> Bool {
    do throws(BoardErrors) {
      guard let file = try LearnedFile.load(path: path) else { return true }
      if file.board == fingerprint {
        pipeline.assume(file.memory.aged(by: Date().timeIntervalSince1970 - file.written))
      } else {
        logger.notice("the board has changed; earlier learned values are discarded: \(path)")
      }
      return true
    } catch {
      logger.warning("\(Self.complaint(error, path))")
      return false
    }
  }

  private static func complaint(_ errors: BoardErrors, _ path: String) -> String {
    "learned values are not stored: not a file of learned values, left unchanged: "
      + (errors.errors.first?.description ?? path) + "; move it away, or name another"
  }

  private func write() {
    let memory = pipeline.memory
    // If nothing was learned, keep the file of an earlier run.
    guard !memory.isEmpty else { return }
    let file = LearnedFile(
      board: fingerprint, written: Date().timeIntervalSince1970.rounded(), memory: memory)
    if isUsual, geteuid() == 0, let owner = LearnedPlace.foreignOwner(of: path) {
      return complain(
        "learned values are not stored: \(path) would belong to root in the folder of user "
          + "\(owner); run this as that user, or set XDG_STATE_HOME to a folder that belongs to "
          + "root")
    }
    do throws(BoardErrors) {
      // The board file may name any path, so overwrite only a file of learned values.
      _ = try LearnedFile.load(path: path)
    } catch { return complain(Self.complaint(error, path)) }
    do throws(FileWriterError) {
      try FileWriter.replace(path, with: file.text, followsLinks: false)
    } catch { complain("learned values cannot be stored: \(error)") }
  }

  /// Logs an error, but only once.
  private func complain(_ line: String) {
    let isNew = state.withLock { state in
      defer { state.hasComplained = true }
      return !state.hasComplained
    }
    if isNew { logger.warning("\(line)") }
  }
}

extension LearnedPlace {
  /// Returns the user who could no longer write the file if root created it at `path`: the owner of
  /// the existing file, folder or link on the way to that path. Returns `nil` if that owner is
  /// root.
  package static func foreignOwner(of path: String) -> Int? {
    var path = path
    var found = 0
    // Check the folders `learned` and `otolith` and their parent; those that do not exist are
    // skipped.
    while found < 3, let slash = path.lastIndex(of: "/"), slash > path.startIndex {
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      let owner = attributes?[.ownerAccountID] as? Int
      if let owner, owner != 0 { return owner }
      if owner != nil { found += 1 }
      path = String(path[..<slash])
    }
    return nil
  }

  /// Returns the path of the file for `board`; `nil` if the board stores no learned values.
  package static func path(of board: Board, environment: [String: String]) -> String? {
    switch board.learned {
    case .off: return nil
    case .file(let path): return path
    case .usual: break
    }
    if board.isMadeUp { return nil }
    let folder = stateFolder(environment: environment)
    let last = board.file.split(separator: "/").last.map(String.init) ?? ""
    let stem = last.hasSuffix(".yaml") ? String(last.dropLast(5)) : last
    let name = stem.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
    return "\(folder)/otolith/learned/\(name.isEmpty ? "board" : name).yaml"
  }
}

private let logger = Logger(label: "otolith.learned")
