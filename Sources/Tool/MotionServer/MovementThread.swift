// SPDX-License-Identifier: Apache-2.0
internal import LinuxBus
internal import Quantities
internal import Runtime
internal import Service
internal import Synchronization

/// Answers queries about movement on a separate thread: they read from the disk, and neither
/// samples nor other programs may wait for that.
final class MovementThread: Sendable {
  struct Asked: Sendable {
    let member: ClientSession
    let serial: UInt32
    let question: MovementQuestion
  }
  struct Answered: Sendable {
    let member: ClientSession
    let serial: UInt32
    let answer: ServiceAnswer
  }
  private struct State: Sendable {
    var asked: [Asked] = []
    var answered: [Answered] = []
    var isOver = false
  }
  private let state = Mutex(State())
  private let bell: WakeEvent
  private let thread = Mutex<ThreadHandle?>(nil)

  /// Starts the thread; `news` is signalled when an answer is ready.
  init(_ service: MovementService, news: WakeEvent) throws(OpenError) {
    bell = try WakeEvent()
    let handle = ThreadHandle(
      try startThread(name: "otolith answer") { [self] in run(service, news) })
    thread.withLock { $0 = handle }
  }

  func ask(_ asked: Asked) {
    state.withLock { $0.asked.append(asked) }
    bell.ring()
  }

  /// Returns the answers completed since the last call.
  func take() -> [Answered] {
    state.withLock { state in
      defer { state.answered = [] }
      return state.answered
    }
  }

  /// Ends after the current query.
  func end() {
    state.withLock { $0.isOver = true }
    bell.ring()
    thread.withLock { $0.take() }?.join()
  }

  private func run(_ service: MovementService, _ news: WakeEvent) {
    var waiter = Poller()
    waiter.add(bell.fileDescriptor)
    while true {
      let (next, isOver) = state.withLock { state in
        (state.asked.isEmpty ? nil : state.asked.removeFirst(), state.isOver)
      }
      if isOver { return }
      if let next {
        let answer = service.answer(next.question)
        state.withLock {
          $0.answered.append(
            Answered(member: next.member, serial: next.serial, answer: answer))
        }
        news.ring()
      } else {
        // A failing wait would fail again at once, so end the thread.
        guard (try? waiter.wait(until: .distantFuture)) != nil else { return }
        bell.drain()
      }
    }
  }
}
