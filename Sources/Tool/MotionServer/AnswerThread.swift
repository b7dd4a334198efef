// SPDX-License-Identifier: Apache-2.0
internal import LinuxSystem
internal import Quantities
internal import Runtime
internal import Service
internal import Synchronization

/// A thread that answers queries about movement. Queries read from the disk, and neither samples
/// nor other clients may wait for the disk.
final class AnswerThread: Sendable {
  struct Query: Sendable {
    /// The client that sent the query; `nil` for a query by the server itself, whose answer is
    /// dropped.
    let client: ClientSession?
    let serial: UInt32
    let question: ServiceQuestion
    var answer = ServiceAnswer.done
  }
  private struct State: Sendable {
    var asked: [Query] = []
    var answered: [Query] = []
    var isOver = false
  }
  private let state = Mutex(State())
  private let wakeEvent: WakeEvent
  private let thread = Mutex<ThreadHandle?>(nil)

  /// Starts the thread; the event `answerEvent` is signalled each time an answer is ready.
  init(
    _ answer: @escaping @Sendable (ServiceQuestion) -> ServiceAnswer, answerEvent: WakeEvent
  ) throws(ResourceError) {
    wakeEvent = try WakeEvent()
    let handle = ThreadHandle(
      try startThread(name: "otolith answer") { [self] in run(answer, answerEvent) })
    thread.withLock { $0 = handle }
  }

  func ask(_ query: Query) {
    state.withLock { $0.asked.append(query) }
    wakeEvent.signal()
  }

  /// Returns the queries answered since the last call.
  func take() -> [Query] {
    state.withLock { state in
      defer { state.answered = [] }
      return state.answered
    }
  }

  /// Ends the thread after the current query.
  func end() {
    state.withLock { $0.isOver = true }
    wakeEvent.signal()
    thread.withLock { $0.take() }?.join()
  }

  private func run(_ answer: (ServiceQuestion) -> ServiceAnswer, _ answerEvent: WakeEvent) {
    var poller = Poller()
    poller.add(wakeEvent.fileDescriptor)
    while true {
      let (next, isOver) = state.withLock { state in
        (state.asked.isEmpty ? nil : state.asked.removeFirst(), state.isOver)
      }
      if isOver { return }
      if var next {
        next.answer = answer(next.question)
        state.withLock { [next] in $0.answered.append(next) }
        answerEvent.signal()
      } else {
        // If waiting for the event fails, the next wait would fail immediately too, so end the
        // thread.
        guard (try? poller.wait(until: .distantFuture)) != nil else { return }
        wakeEvent.drain()
      }
    }
  }
}
