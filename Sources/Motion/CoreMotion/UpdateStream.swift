// SPDX-License-Identifier: Apache-2.0
internal import Otolith

/// One of a manager's streams, with its handler, update interval and newest item.
final class UpdateStream<Item: AnyObject>: @unchecked Sendable {  // each `var` under `lock`
  private struct Target {
    let queue: OperationQueue
    let handler: (Item?, (any Error)?) -> Void
  }
  private let lock = NSLock()
  private var decimation = Decimation(interval: 0.01)
  /// The number of items that were published before the start; these items are not delivered.
  private var first: UInt64 = 0
  /// A new update interval, and the number of the first item to which this interval applies.
  private var nextInterval: (seconds: Double, from: UInt64)?
  private var generation: UInt64 = 0
  private var active = false
  /// True if the stream was started but is not available. The handler has received the error, and
  /// receives nothing else.
  private var refused = false
  /// True if the handler has received the error that the stream's sensor does not respond.
  private var knowsOfSilence = false
  private var target: Target?
  /// Ends the delivery of items to the current start; `nil` if the stream's owner ends the
  /// delivery.
  private var ending: (@Sendable () -> Void)?
  private var newest: Item?
  /// The deliveries in the operation queue that have not begun yet, oldest first.
  private var pending: [Delivery<Item>] = []
  /// The largest number of pending deliveries. A queue with this many receives no more until it has
  /// caught up.
  private static var longestBacklog: Int { 4096 }

  var updateInterval: TimeInterval {
    lock.withLock { nextInterval?.seconds ?? decimation.interval }
  }

  /// Sets the interval to `interval` seconds for items published from now on. `published` returns
  /// the number of earlier items, and is called only while the stream is active. Returns true if
  /// the interval changed.
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

  /// True if the stream is active and available.
  var wantsItems: Bool { lock.withLock { active && !refused } }

  /// The number of items per second that the stream needs; 0 if it needs none.
  var rate: Double {
    lock.withLock {
      guard active, !refused else { return 0 }
      return SampleDemand.rate(every: nextInterval?.seconds ?? decimation.interval)
    }
  }

  /// The time in seconds until which the stream needs no item.
  var due: Double {
    lock.withLock {
      guard active, !refused else { return .infinity }
      return nextInterval == nil ? decimation.due : -.infinity
    }
  }

  var latest: Item? { lock.withLock { newest } }

  /// Starts the stream, or restarts it with another target. Delivery begins with the published item
  /// number `first`. With an `error` the handler receives that error and nothing else. Returns the
  /// number of this start.
  @discardableResult func start(
    from first: UInt64 = 0, to queue: OperationQueue?,
    _ handler: ((Item?, (any Error)?) -> Void)?, refusing error: NSError? = nil
  ) -> UInt64 {
    // Release the previous handler first and outside the lock, because releasing its objects may
    // stop this stream.
    letGo()
    let number = lock.withLock {
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
      return generation
    }
    if let error { offer(nil, error) }
    return number
  }

  /// Passes an item or an error to one start of the stream; has no effect once the stream is
  /// stopped or restarted.
  typealias Sink = @Sendable (Item?, NSError?) -> Void

  /// Starts the stream, or restarts it with another handler. `open` starts the delivery of items to
  /// the given sink, and returns the function that ends it; the stream calls that function when it
  /// is stopped or restarted. With an `error` the handler receives only that error, and nothing is
  /// opened.
  func start(
    to queue: OperationQueue, _ handler: @escaping (Item?, (any Error)?) -> Void,
    refusing error: NSError? = nil, opening open: (@escaping Sink) -> @Sendable () -> Void
  ) {
    // End the old delivery after the new one has started; otherwise the chips would stop in
    // between.
    let old = lock.withLock { ending.take() }
    defer { old?() }
    let number = start(to: queue, handler, refusing: error)
    guard error == nil else { return }
    let end = open { [weak self] item, error in self?.offer(item, error, to: number) }
    // Another thread may have stopped or restarted the stream in the meantime.
    let isCurrent = lock.withLock {
      if generation == number { ending = end }
      return generation == number
    }
    if !isCurrent { end() }
  }

  /// Cancels the pending deliveries, and releases the handler.
  private func letGo() {
    let (old, _) = lock.withLock {
      generation &+= 1
      defer { target = nil }
      return (takePending(), target)
    }
    for delivery in old { delivery.cancel() }
  }

  /// Stops the stream and the delivery of its items: no handler call begins after this function
  /// returns, and pending deliveries are cancelled. A call that has begun on another thread may
  /// still run. Returns true if the stream was active. This function does not wait for handlers, so
  /// that a handler may stop its own stream.
  @discardableResult func stop() -> Bool {
    let (wasActive, old, end, _) = lock.withLock {
      generation &+= 1
      defer {
        active = false
        target = nil
        newest = nil
      }
      // Release the handler outside the lock, because it may hold the manager itself.
      return (active, takePending(), ending.take(), target)
    }
    for delivery in old { delivery.cancel() }
    end?()
    return wasActive
  }

  private func takePending() -> [Delivery<Item>] {
    defer { pending = [] }
    return pending
  }

  /// Returns true if the stream needs the item with this time, before which `number` items were
  /// published. The caller must then call `offer` with the item.
  func wants(at time: TimeInterval, number: UInt64 = .max) -> Bool {
    lock.withLock {
      guard number >= first else { return false }
      if let next = nextInterval, number >= next.from {
        decimation.interval = next.seconds
        nextInterval = nil
      }
      // After a stop and an immediate start, the old and the new session may both deliver for a
      // moment. Drop items that are older than the newest.
      return active && !refused && decimation.takes(time)
    }
  }

  /// Delivers this error and nothing else after it.
  func refuse(_ error: NSError) {
    let isNew = lock.withLock {
      defer { refused = true }
      return active && !refused
    }
    if isNew { offer(nil, error) }
  }

  /// Reports that the sensor does not respond, once until `markResponding()` is called. The newest
  /// item is `nil` until then, so that programs that read the property notice the failure.
  func markSilent(_ error: NSError) {
    let isNew = lock.withLock {
      defer { knowsOfSilence = true }
      newest = nil
      return active && !knowsOfSilence
    }
    if isNew { offer(nil, error) }
  }

  /// Clears the error state, because the sensor responds.
  func markResponding() { lock.withLock { knowsOfSilence = false } }

  func offer(_ item: Item?, _ error: NSError? = nil) { offer(item, error, to: nil) }

  /// Queues an item or an error for the handler, unless the stream was stopped or, with a `number`,
  /// restarted or refused since that start.
  private func offer(_ item: Item?, _ error: NSError?, to number: UInt64?) {
    lock.lock()
    guard active, number.map({ $0 == generation && !refused }) ?? true else {
      return lock.unlock()
    }
    if let item { newest = item }
    guard let target, pending.count < Self.longestBacklog else { return lock.unlock() }
    let delivery = Delivery(self, generation, item, error)
    pending.append(delivery)
    lock.unlock()
    target.queue.addOperation(delivery)
  }

  /// Returns the handler; `nil` if the stream was stopped or restarted after the operation was
  /// queued.
  fileprivate func begin(_ delivery: Delivery<Item>) -> ((Item?, (any Error)?) -> Void)? {
    lock.withLock {
      guard delivery.generation == generation else { return nil }
      remove(delivery)
      return target?.handler
    }
  }

  /// Removes a delivery that will not begin, because the program has emptied its queue.
  fileprivate func forget(_ delivery: Delivery<Item>) { lock.withLock { remove(delivery) } }

  private func remove(_ delivery: Delivery<Item>) {
    // The cancelled delivery is the first one, except in a concurrent queue.
    if let index = pending.firstIndex(where: { $0 === delivery }) { pending.remove(at: index) }
  }
}

/// One call of a handler, as an operation in its queue.
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
