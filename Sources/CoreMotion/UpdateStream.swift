// SPDX-License-Identifier: Apache-2.0
internal import Otolith

/// One of a manager's streams: its handler, its interval, and its newest item.
final class UpdateStream<Item: AnyObject>: @unchecked Sendable {  // each `var` under `lock`
  private struct Target {
    let queue: OperationQueue
    let handler: (Item?, (any Error)?) -> Void
  }
  private let lock = NSLock()
  private var decimation = Decimation(interval: 0.01)
  /// Items that were published before it was started are not for it.
  private var first: UInt64 = 0
  /// The interval that holds from an item on that was not yet there when it was set.
  private var nextInterval: (seconds: Double, from: UInt64)?
  private var generation: UInt64 = 0
  private var active = false
  /// True where it was started but is not available: the handler was told, and nothing follows.
  private var refused = false
  /// True where the handler knows that its sensor is silent.
  private var knowsOfSilence = false
  private var target: Target?
  private var newest: Item?
  /// The deliveries given to the queue and not begun yet, oldest first.
  private var pending: [Delivery<Item>] = []
  /// A queue that is this far behind gets nothing more until it has caught up.
  private static var longestBacklog: Int { 4096 }

  var updateInterval: TimeInterval {
    lock.withLock { nextInterval?.seconds ?? decimation.interval }
  }

  /// Takes one item each `interval` seconds, beginning with those published from now on:
  /// `published` says how many were before, and is asked only while it is active. Returns true
  /// where that is another interval than before.
  func setInterval(_ interval: TimeInterval, published: () -> UInt64) -> Bool {
    let isActive = isActive
    let from = isActive ? published() : 0
    return lock.withLock {
      let isNew = (nextInterval?.seconds ?? decimation.interval) != interval
      if isActive {
        if isNew { nextInterval = (interval, from) }
      } else {
        nextInterval = nil
        decimation.interval = interval
      }
      return isNew
    }
  }

  var isActive: Bool { lock.withLock { active } }

  /// True where it is active and waits for items.
  var wantsItems: Bool { lock.withLock { active && !refused } }

  /// The items per second that it needs; 0 where it waits for none.
  var rate: Double {
    lock.withLock {
      guard active, !refused else { return 0 }
      return SampleDemand.rate(every: nextInterval?.seconds ?? decimation.interval)
    }
  }

  /// The time before which it waits for no item, seconds.
  var due: Double {
    lock.withLock {
      guard active, !refused else { return .infinity }
      return nextInterval == nil ? decimation.due : -.infinity
    }
  }

  var latest: Item? { lock.withLock { newest } }

  /// Begins, or begins anew with another target, with the item before which `first` were published.
  /// With an `error` the handler is given that and nothing else.
  func start(
    from first: UInt64 = 0, to queue: OperationQueue?,
    _ handler: ((Item?, (any Error)?) -> Void)?, refusing error: NSError? = nil
  ) {
    // First, and outside the lock: what the last handler alone holds may, as it goes, stop this
    // very stream.
    letGo()
    lock.withLock {
      generation &+= 1
      active = true
      refused = error != nil
      knowsOfSilence = false
      newest = nil
      self.first = first
      if let next = nextInterval.take() { decimation.interval = next.seconds }
      decimation.restart()
      if let queue, let handler {
        target = Target(queue: queue, handler: handler)
      } else {
        target = nil
      }
    }
    if let error { offer(nil, error) }
  }

  /// Takes back the deliveries waiting in the queue, and releases the handler.
  private func letGo() {
    let (old, _) = lock.withLock {
      generation &+= 1
      defer { target = nil }
      return (takePending(), target)
    }
    for delivery in old { delivery.cancel() }
  }

  /// Ends: no handler begins any more, and deliveries waiting in the queue are cancelled; one that
  /// has begun on another thread may still be running. Returns true where it was active. Waits for
  /// no handler, so that a handler may itself stop its stream.
  func stop() -> Bool {
    let (wasActive, old, _) = lock.withLock {
      generation &+= 1
      defer {
        active = false
        target = nil
        newest = nil
      }
      // The handler is let go outside the lock: what it holds may be the manager itself.
      return (active, takePending(), target)
    }
    for delivery in old { delivery.cancel() }
    return wasActive
  }

  private func takePending() -> [Delivery<Item>] {
    defer { pending = [] }
    return pending
  }

  /// Returns true where an item of this time, before which `number` were published, is wanted; it
  /// must then be offered.
  func wants(at time: TimeInterval, number: UInt64 = .max) -> Bool {
    lock.withLock {
      guard number >= first else { return false }
      if let next = nextInterval, number >= next.from {
        decimation.interval = next.seconds
        nextInterval = nil
      }
      // Stopped and started at once, a stream may for a moment be fed by both: the older item is
      // dropped.
      return active && !refused && decimation.takes(time)
    }
  }

  /// Gives the handler that error and nothing else from now on.
  func refuse(_ error: NSError) {
    let isNews = lock.withLock {
      defer { refused = true }
      return active && !refused
    }
    if isNews { offer(nil, error) }
  }

  /// Reports that the sensor is silent, once until `isHeard`, whichever caller notices it first.
  /// There is no newest item until the sensor is back: a program that pulls sees that it is gone.
  func isSilent(_ error: NSError) {
    let isNews = lock.withLock {
      defer { knowsOfSilence = true }
      newest = nil
      return active && !knowsOfSilence
    }
    if isNews { offer(nil, error) }
  }

  /// Notes that the sensor is not, or no longer, silent.
  func isHeard() { lock.withLock { knowsOfSilence = false } }

  /// Hands on an item or an error.
  func offer(_ item: Item?, _ error: NSError? = nil) {
    lock.lock()
    guard active else { return lock.unlock() }
    if let item { newest = item }
    guard let target, pending.count < Self.longestBacklog else { return lock.unlock() }
    let delivery = Delivery(self, generation, item, error)
    pending.append(delivery)
    lock.unlock()
    target.queue.addOperation(delivery)
  }

  /// Returns the handler, if the stream has not been stopped or started again since the operation
  /// was queued.
  fileprivate func begin(_ delivery: Delivery<Item>) -> ((Item?, (any Error)?) -> Void)? {
    lock.withLock {
      guard delivery.generation == generation else { return nil }
      remove(delivery)
      return target?.handler
    }
  }

  /// Forgets a delivery that will not begin any more, since a program has emptied its queue.
  fileprivate func forget(_ delivery: Delivery<Item>) { lock.withLock { remove(delivery) } }

  private func remove(_ delivery: Delivery<Item>) {
    // The first, but in a queue that works off several at once.
    if let index = pending.firstIndex(where: { $0 === delivery }) { pending.remove(at: index) }
  }
}

/// One call of a handler.
private final class Delivery<Item: AnyObject>: Operation,
  @unchecked Sendable  // all constants; the handler is called once, on the queue
{
  private let stream: UpdateStream<Item>
  let generation: UInt64
  private let item: Item?
  private let error: NSError?

  init(_ stream: UpdateStream<Item>, _ generation: UInt64, _ item: Item?, _ error: NSError?) {
    self.stream = stream
    self.generation = generation
    self.item = item
    self.error = error
  }

  override func cancel() {
    super.cancel()
    stream.forget(self)
  }

  override func main() {
    guard let handler = stream.begin(self) else { return }
    handler(item, error)
  }
}
