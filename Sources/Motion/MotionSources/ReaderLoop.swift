// SPDX-License-Identifier: Apache-2.0
public import LinuxSystem
public import Quantities
public import Registers
public import Sampling

/// The loop of a reader thread: it runs the due steps of a bus's drivers, then waits for an edge,
/// the next due time of a driver, or its wake-up event.
public struct ReaderLoop: ~Copyable {
  private let bus: BuiltBus
  private let wakeEvent: WakeEvent
  private var poller = Poller(isWokenOften: true)

  /// Creates a loop for `bus`; the event `wakeEvent` ends its waits.
  public init(_ bus: BuiltBus, wakeEvent: WakeEvent) {
    self.bus = bus
    self.wakeEvent = wakeEvent
    poller.add(wakeEvent.fileDescriptor)
    for descriptor in bus.descriptors { poller.add(descriptor) }
  }

  /// Reads the bus on the calling thread until `isWanted` returns false, then stops the chips.
  /// `isWanted` is called after every wait, and `publish` at most ten times per second. `adjust` is
  /// called before each turn of the loop, may restart chips, and returns the latest time for its
  /// next call. Returns the first error of a chip that could not be stopped.
  public mutating func run(
    into consumer: some SampleConsumer, while isWanted: () -> Bool,
    publish: (BusReader) -> Void = { _ in },
    adjust: (BusReader, Timestamp) -> Timestamp = { _, _ in .distantFuture }
  ) -> ChipError? {
    setTimerSlack()
    bus.reader.start(at: monotonicNow())
    var nextPublication = Timestamp.zero
    while isWanted() {
      let now = monotonicNow()
      let nextCheck = adjust(bus.reader, now)
      let next = min(nextCheck, bus.reader.turn(at: now, to: consumer))
      if now >= nextPublication {
        publish(bus.reader)
        nextPublication = now + .milliseconds(100)
      }
      guard next > now else { continue }
      // If waiting for an event fails, the next turn finds the same steps due.
      _ = try? poller.wait(until: next)
      // A descriptor with an error would end each wait at once. Its driver finds the error too.
      for index in 1..<poller.places where poller.events(of: index).isFailed {
        poller.remove(index)
      }
      // Index 0 is the wake-up event, which was added first.
      if poller.events(of: 0).contains(.readable) { wakeEvent.drain() }
    }
    return bus.reader.stop()
  }
}
