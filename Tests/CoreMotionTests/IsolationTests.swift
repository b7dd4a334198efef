// SPDX-License-Identifier: Apache-2.0
import CoreMotion
import Testing

/// Handlers created in a main actor's class are isolated to it. Called on another queue they trap,
/// as with Apple's framework; otherwise their author would not notice the race.
@Suite struct IsolationTests {
  @MainActor final class Model {
    var codes: [Int] = []
    let counter = CMStepCounter()
    let pedometer = CMPedometer()

    func ask(on queue: OperationQueue) {
      counter.queryStepCountStarting(from: Date(), to: .distantPast, to: queue) { _, error in
        self.codes.append((error as NSError?)?.code ?? 0)
      }
    }
  }

  @Test @MainActor func `a handler for the main queue runs on it`() async throws {
    let model = Model()
    model.ask(on: .main)
    for _ in 0..<500 where model.codes.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
    #expect(model.codes == [107])
  }

  @Test func `a handler that is called off the main queue traps`() async {
    await #expect(processExitsWith: .signal(SIGILL)) {
      let model = await Model()
      await model.ask(on: OperationQueue())
      try await Task.sleep(for: .seconds(5))
    }
  }

  /// The same process ends normally if the handler is called on the main queue.
  @Test func `a handler that is called on the main queue does not trap`() async {
    await #expect(processExitsWith: .success) {
      let model = await Model()
      await model.ask(on: .main)
      try await Task.sleep(for: .milliseconds(200))
    }
  }
}
