// SPDX-License-Identifier: Apache-2.0
public import LinuxBus
internal import Quantities
public import Registers
public import Sampling

/// What a reader thread does all its life: it lets the drivers of one bus do what is due, then sleeps until an edge comes,
/// until the moment that a driver asked for, or until somebody rings.
public struct ReaderLoop: ~Copyable {
  private let bus: BuiltBus
  private var waiter = Waiter()

  /// A loop that `doorbell` wakes.
  public init(_ bus: BuiltBus, doorbell: Doorbell) {
    self.bus = bus
    waiter.add(doorbell.fileDescriptor)
    for descriptor in bus.descriptors { waiter.add(descriptor) }
  }

  /// Reads the bus on the calling thread as long as `isWanted`, which is asked after every wait, then puts its chips to
  /// sleep. `publish` is called now and then, at most ten times a second. Returns the first chip's error that could not be
  /// put to sleep.
  public func run(
    into consumer: some SampleConsumer, while isWanted: () -> Bool,
    publish: (BusReader) -> Void = { _ in }
  ) -> ChipError? {
    setTimerSlack()
    bus.reader.start(at: monotonicNow())
    var nextPublication = Timestamp.zero
    while isWanted() {
      let now = monotonicNow()
      let next = bus.reader.turn(at: now, to: consumer)
      if now >= nextPublication {
        publish(bus.reader)
        nextPublication = now + .milliseconds(100)
      }
      guard next > now else { continue }
      // A wait that fails ends at once; the next turn finds the same work.
      _ = try? waiter.wait(until: next)
    }
    return bus.reader.stop()
  }
}
