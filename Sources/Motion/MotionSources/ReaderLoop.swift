// SPDX-License-Identifier: Apache-2.0
public import LinuxSystem
public import Quantities
public import Registers
public import Sampling

/// The loop of a reader thread: it runs the due steps of a bus's drivers, then waits for an edge,
/// the next due time of a driver, or its wake-up event.
public struct ReaderLoop: ~Copyable {
  private let bus: BuiltBus
  private let doorbell: WakeEvent
  private var waiter = Poller(isWokenOften: true)

  /// Creates a loop whose wait the event `doorbell` ends.
  public init(_ bus: BuiltBus, doorbell: WakeEvent) {
    self.bus = bus
    self.doorbell = doorbell
    waiter.add(doorbell.fileDescriptor)
    for descriptor in bus.descriptors { waiter.add(descriptor) }
  }

  /// Reads the bus on the calling thread until `isWanted`, which is called after every wait,
  /// returns false; then stops the chips. `publish` is called at most ten times per second.
  /// `adjust` is called before each turn of the loop, may restart chips, and returns the latest
  /// time for its next call. Returns the first error of a chip that could not be stopped.
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
      let look = adjust(bus.reader, now)
      let next = min(look, bus.reader.turn(at: now, to: consumer))
      if now >= nextPublication {
        publish(bus.reader)
        nextPublication = now + .milliseconds(100)
      }
      guard next > now else { continue }
      // If waiting for an event fails, the next turn finds the same due steps.
      _ = try? waiter.wait(until: next)
      // Index 0 is the wake-up event, which was added first.
      if waiter.events(of: 0).contains(.readable) { doorbell.drain() }
    }
    return bus.reader.stop()
  }
}
