// SPDX-License-Identifier: Apache-2.0
public import LinuxBus
public import Quantities
public import Registers
public import Sampling

/// The loop of a reader thread: it lets the drivers of one bus do what is due, then sleeps until an
/// edge comes, until the moment that a driver asked for, or until its doorbell rings.
public struct ReaderLoop: ~Copyable {
  private let bus: BuiltBus
  private let doorbell: Doorbell
  private var waiter = Waiter()

  /// A loop that `doorbell` wakes.
  public init(_ bus: BuiltBus, doorbell: Doorbell) {
    self.bus = bus
    self.doorbell = doorbell
    waiter.add(doorbell.fileDescriptor)
    for descriptor in bus.descriptors { waiter.add(descriptor) }
  }

  /// Reads the bus on the calling thread as long as `isWanted`, which is asked after every wait,
  /// then puts its chips to sleep. `publish` is called now and then, at most ten times a second,
  /// `adjust` before each turn: it may restart chips, and returns when it wants to be called at the
  /// latest. Returns the first chip's error that could not be put to sleep.
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
      // A wait that fails ends at once; the next turn finds the same work.
      let ready = try? waiter.wait(until: next)
      // The first that it waits on.
      if ready?.contains(0) == true { doorbell.drain() }
    }
    return bus.reader.stop()
  }
}
