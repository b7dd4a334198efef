// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import BoardCommands
import Foundation
import History
import LinuxSystem
import Logging
import Otolith
import Service
import Synchronization

/// A view that prints a hub's movement counts until it is stopped or the duration has elapsed.
final class MovementView: Sendable {
  private struct State: Sendable {
    var last: String?
    var linesShown = 0
    var failure: Failure?
  }
  private let feed: PedometerStore
  private let start: Date
  private let text: @Sendable (MovementSnapshot) -> String
  /// Returns the part of the text that changes only if the counts change.
  private let essence: @Sendable (MovementSnapshot) -> String
  /// True if each text replaces the previous one on the terminal.
  private let isTable: Bool
  private let state: Mutex<State>
  private let wakeEvent: WakeEvent

  /// Creates a view that prints `text` for the counts since `start`. The text is printed only if
  /// the result of `essence` for these counts has changed; the first result is compared with
  /// `known`. With `isTable` the text is redrawn in place.
  init(
    _ feed: PedometerStore, since start: Date, isTable: Bool, after known: String? = nil,
    essence: (@Sendable (MovementSnapshot) -> String)? = nil,
    _ text: @escaping @Sendable (MovementSnapshot) -> String
  ) throws(Failure) {
    self.feed = feed
    self.start = start
    self.text = text
    self.essence = essence ?? text
    self.isTable = isTable
    state = Mutex(State(last: known))
    do throws(ResourceError) { wakeEvent = try WakeEvent() } catch {
      throw Failure(.resource(error))
    }
  }

  /// Prints counts for `duration` seconds, or until Ctrl-C or SIGTERM. If an error ends the view,
  /// the function throws this error.
  func run(for duration: Double?) throws(Failure) {
    // If the reader closes the pipe (`| head`), the command ends normally, without SIGPIPE.
    signal(SIGPIPE, SIG_IGN)
    let signals = try EndSignals { [wakeEvent] _ in wakeEvent.signal() }
    defer { signals.cancel() }
    if let refusal = feed.refusal { throw Failure(refusal) }
    let stop: @Sendable () -> Void
    do throws(MovementError) {
      stop = try feed.count(since: start) { [weak self] in self?.show($0) }
    } catch { throw Failure(error) }
    var poller = Poller()
    poller.add(wakeEvent.fileDescriptor)
    // Poll the pipe to detect that its reader has closed it, because nothing is written while the
    // device is at rest.
    if let pipe = StandardOutput.pipe { poller.add(pipe) }
    _ = try? poller.wait(
      until: duration.map { Timestamp.now + TimeSpan(seconds: $0) } ?? .distantFuture)
    stop()
    feed.finish()
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  private func show(_ update: Result<MovementSnapshot, MovementError>) {
    let end = state.withLock { state -> Bool in
      switch update {
      case .failure(.silent(let complaint)):
        // An error of the movement counter may be temporary: report it and continue.
        Terminal.complain(complaint)
        return false
      case .failure(let error):
        state.failure = Failure(error)
        return true
      case .success(let update):
        let text = text(update)
        let essence = essence(update)
        guard essence != state.last, !text.isEmpty else { return false }
        state.last = essence
        return !write(text, &state)
      }
    }
    if end { wakeEvent.signal() }
  }

  /// Prints the text. Returns false if standard output has ended.
  private func write(_ text: String, _ state: inout State) -> Bool {
    var bytes = text + "\n"
    if isTable {
      // Move the cursor to the top of the previous table. Each line then clears the rest of its
      // row.
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      bytes = state.linesShown > 0 ? "\u{1B}[\(state.linesShown)A" : ""
      for line in lines { bytes += line + "\u{1B}[K\n" }
      state.linesShown = lines.count
    }
    guard let number = Terminal.write(Array(bytes.utf8), to: 1) else { return true }
    if number != EPIPE && number != ETIMEDOUT { state.failure = Failure(writing: number) }
    return false
  }
}

extension Failure {
  init(_ error: MovementError) {
    switch error {
    case .session(let error): self.init(error)
    case .history(let error):
      self.init(
        error.description, error.kind == .denied ? Self.noPermission : Self.inputOutput)
    case .silent(let complaint): self.init(complaint, Self.unavailable)
    }
  }
}
