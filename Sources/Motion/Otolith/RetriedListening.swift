// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A registration at a hub that retries: if the source cannot be opened, it tries again each second
/// until it is stopped or released. All managers use it.
package final class RetriedListening: Sendable {
  private struct State: Sendable {
    var listening: Listening?
    var isOver = false
    var repetition: Task<Void, Never>?
  }
  private let state = Mutex(State())
  /// A lock that is held during an attempt to open the source.
  private let turn = Mutex<Void>(())
  private let listen: @Sendable () throws(SessionError) -> Listening

  /// The time between two attempts to open the source.
  private static let interval = Duration.seconds(1)

  /// Creates the registration; `listen` registers the receiver. Nothing happens before `begin`.
  package init(_ listen: @escaping @Sendable () throws(SessionError) -> Listening) {
    self.listen = listen
  }

  deinit { stop() }

  /// Starts to listen, now or as soon as possible. Returns the error if the source cannot be opened
  /// now. Do not call this function while holding a lock that the receiver takes.
  package func begin() -> SessionError? {
    let error = attempt()
    guard error != nil else { return nil }
    state.withLock { state in
      guard !state.isOver, state.listening == nil, state.repetition == nil else { return }
      state.repetition = Task { [weak self] in
        repeat {
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

  /// Stops listening and retrying, like `Listening.stop`.
  package func stop() {
    let (listening, repetition) = state.withLock { state in
      state.isOver = true
      defer { (state.listening, state.repetition) = (nil, nil) }
      return (state.listening, state.repetition)
    }
    repetition?.cancel()
    listening?.stop()
  }

  /// Informs the hub that the receiver's `demand` has changed.
  package func demandChanged() { state.withLock { $0.listening }?.demandChanged() }

  /// Restarts the receiver's arbitrary frames, like `Listening.resetYaw(from:)`.
  package func resetYaw(from number: UInt64) {
    state.withLock { $0.listening }?.resetYaw(from: number)
  }
}
