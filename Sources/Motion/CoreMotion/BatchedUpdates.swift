// SPDX-License-Identifier: Apache-2.0
internal import Otolith

/// One of the two streams of a batched manager, with its started updates and its asynchronous
/// loops.
final class BatchedUpdates<Value: Sendable, Item: AnyObject>:
  @unchecked Sendable  // every `var` is read and written under `lock`; the rest are constants
{
  typealias Handler = ([Item]?, (any Error)?) -> Void
  private let open: (_ failed: (@Sendable (SensorFailure) -> Void)?) -> BatchStream<Value>
  private let needs: ChannelSet
  private let hub: MotionHub
  let item: (Value) -> Item?
  private let queue = OperationQueue.serial("CMBatchedSensorManager")

  private let lock = NSLock()
  private var isStarted = false
  /// The number of the last start; batches queued by an earlier start are dropped.
  private var generation: UInt64 = 0
  private var handler: Handler?
  private var newest: [Item]?
  private var started: BatchStream<Value>?
  private var loops: [UInt64: BatchStream<Value>] = [:]
  private var nextLoop: UInt64 = 0

  init(
    open: @escaping (_ failed: (@Sendable (SensorFailure) -> Void)?) -> BatchStream<Value>,
    needs: ChannelSet, hub: MotionHub, item: @escaping (Value) -> Item?
  ) {
    self.open = open
    self.needs = needs
    self.hub = hub
    self.item = item
  }

  var isActive: Bool { lock.withLock { isStarted || !loops.isEmpty } }

  var latest: [Item]? { lock.withLock { newest } }

  /// The reason why the board cannot deliver batches, if it is known before the board is opened;
  /// otherwise `nil`.
  var refusal: NSError? {
    // If there is no board at all, the attempt to open it reports the reason.
    guard let source = hub.source, !source.has(needs) else { return nil }
    return motionError(CMErrorNotAvailable, "the board has no such sensor")
  }

  /// Starts updates, or restarts them with another handler.
  func start(_ handler: Handler?) {
    // Release the previous handler first and outside the lock, because releasing its objects may
    // stop this stream.
    stopStarted()
    let ticket = lock.withLock {
      generation &+= 1
      isStarted = true
      self.handler = handler
      return generation
    }
    if let refusal { return fail(refusal, ticket) }
    // Open the board synchronously, so that no sample after the start is missed.
    guard let first = opened(ticket) else { return }
    Task { [weak self] in
      var stream = first
      var knowsError = false
      while true {
        do {
          for try await batch in stream {
            knowsError = false
            self?.take(batch, ticket)
          }
          return
        } catch {
          if !knowsError { self?.fail(batchError(error), ticket) }
          knowsError = true
          // Do not retry if the board lacks the sensor, because that does not change.
          if case .missing? = error as? SessionError { return }
        }
        // Other errors may be temporary, so retry after a second.
        try? await Task.sleep(for: .seconds(1))
        guard let next = self?.opened(ticket) else { return }
        stream = next
      }
    }
  }

  /// Opens the stream for the start numbered `ticket`; returns `nil` if that start has been
  /// stopped.
  private func opened(_ ticket: UInt64)
    -> AsyncThrowingStream<SampleBatch<Value>, any Error>?
  {
    guard lock.withLock({ ticket == generation }) else { return nil }
    let stream = open { [weak self] failure in self?.fail(batchError(failure), ticket) }
    let isCurrent = lock.withLock {
      guard ticket == generation else { return false }
      started = stream
      return true
    }
    if !isCurrent { stream.end() }
    return isCurrent ? stream.stream : nil
  }

  /// Ends the started updates; no handler call begins after this function returns.
  func stopStarted() {
    let (old, _) = lock.withLock {
      generation &+= 1
      isStarted = false
      newest = nil
      defer {
        started = nil
        handler = nil
      }
      return (started, handler)
    }
    old?.end()
  }

  /// Ends the started updates and the loops.
  func stop() {
    stopStarted()
    let ended = lock.withLock {
      defer { loops = [:] }
      return loops.values
    }
    for loop in ended { loop.end() }
  }

  private func take(_ batch: SampleBatch<Value>, _ ticket: UInt64) {
    let items = batch.elements.compactMap(item)
    guard !items.isEmpty else { return }
    let isWanted = lock.withLock {
      guard ticket == generation else { return false }
      newest = items
      return handler != nil
    }
    if isWanted { deliverUpdate(items, nil, ticket) }
  }

  /// Reports an error to the handler. The newest batch is `nil` until the sensor responds again.
  private func fail(_ error: NSError, _ ticket: UInt64) {
    lock.withLock { if ticket == generation { newest = nil } }
    deliverUpdate(nil, error, ticket)
  }

  private func deliverUpdate(_ items: [Item]?, _ error: NSError?, _ ticket: UInt64) {
    deliver(on: queue) { [self] in
      let handler = lock.withLock { ticket == generation ? self.handler : nil }
      handler?(items, error)
    }
  }

  // MARK: Loops

  func loop() -> BatchedLoop<Value, Item> {
    if let refusal { return BatchedLoop(refusal: refusal, updates: self) }
    let stream = open(nil)
    let number = lock.withLock {
      nextLoop += 1
      loops[nextLoop] = stream
      return nextLoop
    }
    return BatchedLoop(stream, number, self)
  }

  func left(_ loop: UInt64) -> BatchStream<Value>? {
    lock.withLock { loops.removeValue(forKey: loop) }
  }
}

/// A loop over batches, used by one task.
struct BatchedLoop<Value: Sendable, Item: AnyObject> {
  private var batches: AsyncThrowingStream<SampleBatch<Value>, any Error>.Iterator?
  private var refusal: NSError?
  private let updates: BatchedUpdates<Value, Item>
  /// Ends the stream when the loop is left. Without this object, the manager would keep the stream.
  private let leave: Leave?

  private final class Leave {
    let number: UInt64
    let updates: BatchedUpdates<Value, Item>
    init(_ number: UInt64, _ updates: BatchedUpdates<Value, Item>) {
      self.number = number
      self.updates = updates
    }
    deinit { end() }
    func end() { updates.left(number)?.end() }
  }

  init(_ stream: BatchStream<Value>, _ number: UInt64, _ updates: BatchedUpdates<Value, Item>) {
    batches = stream.stream.makeAsyncIterator()
    leave = Leave(number, updates)
    self.updates = updates
  }

  init(refusal: NSError, updates: BatchedUpdates<Value, Item>) {
    self.refusal = refusal
    self.updates = updates
    leave = nil
  }

  mutating func next() async throws -> [Item]? {
    if let error = refusal.take() { throw error }
    do {
      while let batch = try await batches?.next() {
        let items = batch.elements.compactMap(updates.item)
        // Skip empty batches: the first motions may have no attitude yet.
        if !items.isEmpty { return items }
      }
      leave?.end()
      return nil
    } catch {
      leave?.end()
      throw batchError(error)
    }
  }
}

/// Returns the error that Core Motion's functions throw.
func batchError(_ error: any Error) -> NSError {
  switch error {
  case let error as SessionError: error.motionError
  case let error as SensorFailure: motionError(CMErrorNotAvailable, error.description)
  default: motionError(CMErrorUnknown, "\(error)")
  }
}
