// SPDX-License-Identifier: Apache-2.0
internal import Otolith
internal import Synchronization

/// One of a manager's four streams: who gets its items, how often, and the newest of them.
///
/// Thinning by time: an item is handed on when the interval since the last one handed on is over to within half of the
/// sensor's own period, so that a request for a tenth of the rate gets each tenth item.
final class UpdateStream<Item: AnyObject>: @unchecked Sendable {  // everything is guarded by `lock`
  private struct Target {
    let queue: OperationQueue
    let handler: (Item?, (any Error)?) -> Void
  }
  private let lock = NSLock()
  private var interval: TimeInterval = 0.01
  private var generation: UInt64 = 0
  private var active = false
  /// Started, but what it was asked for cannot be had: the handler was told, and nothing follows.
  private var refused = false
  private var target: Target?
  private var newest: Item?
  private var nextDue = -Double.infinity
  private var lastTime = -Double.infinity
  private var period = 0.0
  /// Operations given to the queue and not begun yet.
  private var pending = 0
  /// A queue that is this far behind gets nothing more until it has caught up.
  private static var longestBacklog: Int { 4096 }

  var updateInterval: TimeInterval {
    get { lock.withLock { interval } }
    set {
      lock.withLock {
        // Not a number and negative ask for as fast as can be.
        interval = newValue
        nextDue = -.infinity
      }
    }
  }

  var isActive: Bool { lock.withLock { active } }

  /// Whether it is active and has something to wait for.
  var wantsItems: Bool { lock.withLock { active && !refused } }

  var latest: Item? { lock.withLock { newest } }

  /// Begins, or begins anew with another target. With an `error` the handler is told that, and nothing else.
  func start(
    to queue: OperationQueue?, _ handler: ((Item?, (any Error)?) -> Void)?,
    refusing error: NSError? = nil
  ) {
    lock.withLock {
      generation &+= 1
      active = true
      refused = error != nil
      newest = nil
      nextDue = -.infinity
      lastTime = -.infinity
      pending = 0
      if let queue, let handler {
        target = Target(queue: queue, handler: handler)
      } else {
        target = nil
      }
    }
    if let error { offer(nil, error) }
  }

  /// Ends: no handler begins any more; one that has begun on another thread may still be at work. Returns whether it
  /// was active. Waits for nobody, so that a handler may itself stop its stream.
  func stop() -> Bool {
    lock.withLock {
      generation &+= 1
      defer { active = false }
      target = nil
      newest = nil
      return active
    }
  }

  /// Whether an item of this time is wanted; it must then be offered.
  func wants(at time: TimeInterval) -> Bool {
    lock.withLock {
      // Stopped and started at once, a stream may for a moment be fed by both: the older item is dropped.
      guard active, !refused, time > lastTime else { return false }
      if lastTime > -.infinity { period = time - lastTime }
      lastTime = time
      guard time + period / 2 >= nextDue else { return false }
      let step = interval > 0 ? interval : 0
      // From the plan, not from the item, or the rate would drift; after a gap from the item.
      nextDue = nextDue + step > time ? nextDue + step : time + step
      return true
    }
  }

  /// Hands on an item or an error.
  func offer(_ item: Item?, _ error: NSError? = nil) {
    lock.lock()
    if let item { newest = item }
    guard active, let target, pending < Self.longestBacklog else { return lock.unlock() }
    pending += 1
    let ticket = generation
    lock.unlock()
    let delivery = Delivery(item: item, error: error)
    target.queue.addOperation { [self] in
      guard let handler = begin(ticket) else { return }
      handler(delivery.item, delivery.error)
    }
  }

  /// The handler, if the stream has not been stopped or started again since the operation was queued.
  private func begin(_ ticket: UInt64) -> ((Item?, (any Error)?) -> Void)? {
    lock.withLock {
      guard ticket == generation else { return nil }
      pending -= 1
      return target?.handler
    }
  }

  private struct Delivery: @unchecked Sendable {  // handed over: nobody keeps the other end
    let item: Item?
    let error: NSError?
  }
}
