// SPDX-License-Identifier: Apache-2.0

/// Runs `call` on `queue`. The handler types of Core Motion are not sendable, and yet are called
/// elsewhere than where they were given: that is the purpose of their queue.
func deliver(on queue: OperationQueue, _ call: @escaping () -> Void) {
  let handedOver = HandedOver(call: call)
  // The queue, too: where its owner has let it go, it still has this to do.
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
