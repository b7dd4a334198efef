// SPDX-License-Identifier: Apache-2.0
internal import Runtime
package import Boards
internal import Foundation
internal import Fusion
internal import LinuxBus
internal import Logging
internal import Quantities
internal import Recordings
internal import Synchronization

/// Keeps what a board learns from one run to the next: reads it when the board starts, writes it
/// when it stops and once a minute between, on a thread of its own. Nothing that goes wrong with
/// the file keeps a board from running.
final class LearnedKeeper: Sendable {
  private struct State: Sendable {
    var hasRead = false
    var thread: ThreadHandle?
    /// True once it has been said that the file cannot be written.
    var hasComplained = false
  }
  private let path: String
  /// True where no board file names it.
  private let isUsual: Bool
  private let fingerprint: String
  private let pipeline: MotionPipeline
  private let doorbell: Doorbell
  private let isWanted = Atomic<Bool>(false)
  private let state = Mutex(State())
  /// Between two writes.
  private static let interval = TimeSpan.seconds(60)

  /// `nil` where the board keeps nothing.
  init?(_ board: Board, _ pipeline: MotionPipeline) {
    guard
      let path = LearnedPlace.path(of: board, environment: ProcessInfo.processInfo.environment),
      let doorbell = try? Doorbell()
    else { return nil }
    self.path = path
    isUsual = board.learned == .usual
    fingerprint = board.fingerprint
    self.pipeline = pipeline
    self.doorbell = doorbell
  }

  /// Lets fusion start with what is kept, once, and begins to write.
  func begin() {
    state.withLock { state in
      if !state.hasRead {
        state.hasRead = true
        // What was said now is not said again with each attempt to write.
        state.hasComplained = !read()
      }
      guard state.thread == nil else { return }
      isWanted.store(true, ordering: .releasing)
      // Without a thread there is still what is written at the end.
      guard let thread = try? startThread(name: "learned", { [self] in run() }) else { return }
      state.thread = ThreadHandle(thread)
    }
  }

  /// Writes for the last time. Returns when that is done.
  func end() {
    let thread = state.withLock { $0.thread.take() }
    isWanted.store(false, ordering: .releasing)
    doorbell.ring()
    thread?.join()
    doorbell.drain()
    write()
  }

  private func run() {
    var waiter = Waiter()
    waiter.add(doorbell.fileDescriptor)
    while isWanted.load(ordering: .acquiring) {
      // A wait that fails would fail again at once: then there is still what is written at the end.
      guard let ready = try? waiter.wait(until: monotonicNow() + Self.interval) else { return }
      if ready.isEmpty, isWanted.load(ordering: .acquiring) { write() }
    }
  }

  /// Returns false where something else is in the place of the file, which has been said.
  private func read() -> Bool {
    do throws(BoardErrors) {
      guard let file = try LearnedFile.load(path: path) else { return true }
      if file.board == fingerprint {
        pipeline.assume(file.memory.aged(by: Date().timeIntervalSince1970 - file.written))
      } else {
        logger.notice("the board has changed; what was learned before is forgotten: \(path)")
      }
      return true
    } catch {
      logger.warning("\(Self.complaint(error, path))")
      return false
    }
  }

  private static func complaint(_ errors: BoardErrors, _ path: String) -> String {
    "what is learned is not kept: no file of learned values, which is left as it is: "
      + (errors.errors.first?.description ?? path) + "; move it away, or name another"
  }

  private func write() {
    let memory = pipeline.memory
    // What is there already is better than nothing.
    guard !memory.isEmpty else { return }
    let file = LearnedFile(
      board: fingerprint, written: Date().timeIntervalSince1970.rounded(), memory: memory)
    if isUsual, geteuid() == 0, let owner = LearnedPlace.foreignOwner(of: path) {
      return complain(
        "what is learned is not kept: \(path) would be root's in the folder of user \(owner); run "
          + "this as that user, or set XDG_STATE_HOME to a folder of root's")
    }
    do throws(BoardErrors) {
      // The board file may name anything: only what this wrote is overwritten.
      _ = try LearnedFile.load(path: path)
    } catch { return complain(Self.complaint(error, path)) }
    do throws(FileWriterError) {
      try FileWriter.replace(path, with: file.text, followsLinks: false)
    } catch { complain("what is learned cannot be kept: \(error)") }
  }

  /// Says it, once.
  private func complain(_ line: String) {
    let isNew = state.withLock { state in
      defer { state.hasComplained = true }
      return !state.hasComplained
    }
    if isNew { logger.warning("\(line)") }
  }
}

extension LearnedPlace {
  /// The user that would be locked out by a file that root makes at `path`: the one, not root,
  /// whose file or folder is there already, or the link on the way to it.
  package static func foreignOwner(of path: String) -> Int? {
    var path = path
    var found = 0
    // The folders `learned` and `otolith`, and the one above; what is missing does not count.
    while found < 3, let slash = path.lastIndex(of: "/"), slash > path.startIndex {
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      let owner = attributes?[.ownerAccountID] as? Int
      if let owner, owner != 0 { return owner }
      if owner != nil { found += 1 }
      path = String(path[..<slash])
    }
    return nil
  }

  /// The file of `board`; `nil` where nothing is kept.
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
