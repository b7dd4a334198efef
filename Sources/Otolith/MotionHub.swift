// SPDX-License-Identifier: Apache-2.0
internal import LinuxBus
internal import Logging
internal import Synchronization

/// The one board of a process and everybody who listens to it: the chips run from the first listener to the last.
public final class MotionHub: Sendable {
  /// The hub that `CMMotionManager` uses.
  public static let shared = MotionHub()

  private struct State: Sendable {
    var chosen: Board?
    var session: BoardSession?
    var listeners = 0
    /// What is wrong with the board file that the environment says.
    var errors: BoardErrors?
  }
  private let state = Mutex(State())

  public init() {}

  /// Uses `board` from now on instead of the one that the environment says. Returns false, and changes nothing, once a
  /// session exists.
  @discardableResult
  public func use(_ board: Board) -> Bool {
    state.withLock { state in
      guard state.session == nil else { return false }
      state.chosen = board
      return true
    }
  }

  /// Ends the session, if nobody listens, so that another board can be chosen. Returns false while somebody does.
  @discardableResult
  public func reset() -> Bool {
    state.withLock { state in
      guard state.listeners == 0 else { return false }
      state.session = nil
      state.chosen = nil
      state.errors = nil
      return true
    }
  }

  /// The session of the process's board; made at the first call, and not started by it. `nil` where the board file is
  /// wrong: the log says how.
  public var session: BoardSession? {
    state.withLock { state in
      if let session = state.session { return session }
      if state.chosen == nil {
        do throws(BoardErrors) {
          let selection = try BoardSelection.choose()
          logger.info("board: \(selection.sentence)")
          for remark in selection.remarks { logger.info("\(remark)") }
          state.chosen = selection.board
        } catch {
          // Once is enough: everybody asks again and again.
          if state.errors != error { logger.error("\(error.description)") }
          state.errors = error
          return nil
        }
      }
      state.session = state.chosen.map { BoardSession($0) }
      return state.session
    }
  }

  /// Begins to hand motion to `receiver`; the first listener starts the chips. Throws where the board cannot be opened.
  public func listen(_ receiver: any MotionReceiver) throws(SessionError) -> Listening {
    guard let session else {
      throw .board(state.withLock { $0.errors } ?? BoardErrors([]))
    }
    try state.withLock { state throws(SessionError) in
      if state.listeners == 0 { try session.start() }
      state.listeners += 1
    }
    do { return try Listening(receiver, session: session, hub: self) } catch {
      leave(session)
      throw .open(error)
    }
  }

  /// One listener less; the last one puts the chips to sleep.
  func leave(_ session: BoardSession) {
    state.withLock { state in
      state.listeners -= 1
      if state.listeners == 0 { session.stop() }
    }
  }
}

private let logger = Logger(label: "otolith")
