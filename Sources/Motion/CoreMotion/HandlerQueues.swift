// SPDX-License-Identifier: Apache-2.0

/// Runs `call` on `queue`. This function exists because Core Motion's handler types are not
/// Sendable, although handlers are called on another thread.
func deliver(on queue: OperationQueue, _ call: @escaping () -> Void) {
  let handedOver = HandedOver(call: call)
  // Retain the queue, because its owner may release it before this call has run.
  queue.addOperation { [queue] in
    withExtendedLifetime(queue) { handedOver.call() }
  }
}

private struct HandedOver: @unchecked Sendable {  // made here, called once, on the queue alone
  let call: () -> Void
}

extension OperationQueue {
  /// Returns a queue that calls one handler at a time.
  static func serial(_ name: String) -> OperationQueue {
    let queue = OperationQueue()
    queue.name = name
    queue.maxConcurrentOperationCount = 1
    return queue
  }
}
