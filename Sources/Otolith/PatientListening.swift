// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A place at a hub that is had as soon as the source can be opened: an attempt that is refused is
/// repeated each second until this is stopped or let go. All managers recover so.
package final class PatientListening: Sendable {
  private struct State: Sendable {
    var listening: Listening?
    var isOver = false
    var repetition: Task<Void, Never>?
  }
  private let state = Mutex(State())
  /// Held by the one that tries.
  private let turn = Mutex<Void>(())
  private let listen: @Sendable () throws(SessionError) -> Listening

  /// Between two attempts.
  private static let interval = Duration.seconds(1)

  /// Creates a place that `listen` seeks at the hub: for nothing before `begin`.
  package init(_ listen: @escaping @Sendable () throws(SessionError) -> Listening) {
    self.listen = listen
  }

  deinit { stop() }

  /// Begins to listen, now or later. Returns the reason why not now. Not to be called with a lock
  /// held that the receiver takes.
  package func begin() -> SessionError? {
    let error = attempt()
    guard error != nil else { return nil }
    state.withLock { state in
      guard !state.isOver, state.listening == nil, state.repetition == nil else { return }
      state.repetition = Task { [weak self] in
        repeat {
          // A task that is cancelled ends.
          guard (try? await Task.sleep(for: Self.interval)) != nil else { return }
        } while self?.attempt() != nil
        self?.state.withLock { $0.repetition = nil }
      }
    }
    return error
  }

  private func attempt() -> SessionError? {
    turn.withLock { _ in
      guard state.withLock({ !$0.isOver && $0.listening == nil }) else { return nil }
      let listening: Listening
      do throws(SessionError) { listening = try listen() } catch { return error }
      let isOver = state.withLock { state in
        if !state.isOver { state.listening = listening }
        return state.isOver
      }
      if isOver { listening.stopWithoutWaiting() }
      return nil
    }
  }

  /// Stops listening, and seeks it no longer: as `Listening.stop`.
  package func stop() {
    let (listening, repetition) = state.withLock { state in
      state.isOver = true
      defer { (state.listening, state.repetition) = (nil, nil) }
      return (state.listening, state.repetition)
    }
    repetition?.cancel()
    listening?.stop()
  }

  /// Tells the hub that the receiver's `demand` has changed.
  package func demandChanged() { state.withLock { $0.listening }?.demandChanged() }

  /// Lets the receiver's arbitrary frames begin again, as `Listening.resetYaw(from:)` does.
  package func resetYaw(from number: UInt64) {
    state.withLock { $0.listening }?.resetYaw(from: number)
  }
}
