// SPDX-License-Identifier: Apache-2.0
internal import CLinux
public import Quantities

/// Events of a descriptor: those to wait for, or those that ended a wait.
public struct PollEvents: OptionSet, Sendable, BitwiseCopyable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The descriptor has data to read, its stream has ended, or a connection can be accepted.
  public static let readable = PollEvents(rawValue: 1)
  /// The descriptor has room for data to be written.
  public static let writable = PollEvents(rawValue: 2)
  /// The descriptor has an error (POLLERR, POLLNVAL). A wait always includes this event. Remove the
  /// descriptor, because otherwise each further wait ends immediately.
  public static let broken = PollEvents(rawValue: 4)
  /// The other end closed the connection (POLLHUP); there may still be data to read. A wait always
  /// includes this event, and ends immediately as with `broken`.
  public static let hungUp = PollEvents(rawValue: 8)

  /// True if the descriptor has an error or the other end closed the connection.
  public var isFailed: Bool { !isDisjoint(with: [.broken, .hungUp]) }

  fileprivate init(polled: Int16) {
    var events: PollEvents = []
    if polled & Int16(POLLIN) != 0 { events.insert(.readable) }
    if polled & Int16(POLLOUT) != 0 { events.insert(.writable) }
    if polled & Int16(POLLERR | POLLNVAL) != 0 { events.insert(.broken) }
    if polled & Int16(POLLHUP) != 0 { events.insert(.hungUp) }
    self = events
  }

  fileprivate var polled: Int16 {
    Int16((contains(.readable) ? POLLIN : 0) | (contains(.writable) ? POLLOUT : 0))
  }
}

/// A poller that waits on any number of descriptors and a deadline (epoll(7), or ppoll(2) if epoll
/// is not available). A wait allocates nothing.
public struct Poller: ~Copyable, Sendable {
  // The epoll instance is closed in the poller's deinit, and nowhere else.
  private var poller: otolith_poller
  /// The descriptors by index. A negative number marks a removed descriptor.
  private var slots: [pollfd] = []

  /// Creates a poller without descriptors, which waits only for deadlines. `isWokenOften` is for
  /// pollers whose deadline is seldom reached, such as the poller of a bus reader. The waits of
  /// such a poller take less time, but the poller uses one more descriptor.
  public init(isWokenOften: Bool = false) { poller = otolith_poller_make(isWokenOften) }

  deinit {
    var poller = poller
    // The C function does not keep the pointer.
    unsafe otolith_poller_close(&poller)
  }

  /// The number of descriptors that the poller waits on.
  public var count: Int { slots.count { $0.fd >= 0 } }

  /// The number of indices that have been given to descriptors.
  package var places: Int { slots.count }

  /// Adds a descriptor, which must stay open until it is removed from the poller. Returns the
  /// descriptor's index. An index can be used again after its descriptor was removed.
  @discardableResult
  public mutating func add(_ descriptor: Int32, for events: PollEvents = .readable) -> Int {
    var slot = pollfd(fd: descriptor, events: events.polled, revents: 0)
    let index = slots.firstIndex { $0.fd < 0 } ?? slots.count
    if index < slots.count { slots[index] = slot } else { slots.append(slot) }
    // The C function does not keep the pointers.
    unsafe otolith_poller_add(&poller, &slot, UInt32(index))
    return index
  }

  /// Changes the events for which the poller waits on a descriptor. Without events, a wait still
  /// ends if the descriptor has an error or its other end closed it.
  public mutating func change(_ index: Int, to events: PollEvents) {
    guard slots.indices.contains(index), slots[index].fd >= 0,
      slots[index].events != events.polled
    else { return }
    slots[index].events = events.polled
    var slot = slots[index]
    unsafe otolith_poller_change(&poller, &slot, UInt32(index))  // valid for the call
  }

  /// Stops waiting on a descriptor, which must still be open. The indices of other descriptors do
  /// not change.
  public mutating func remove(_ index: Int) {
    guard slots.indices.contains(index), slots[index].fd >= 0 else { return }
    unsafe otolith_poller_remove(&poller, slots[index].fd)  // the C function keeps no pointer
    slots[index] = pollfd(fd: -1, events: 0, revents: 0)
  }

  /// Waits until a descriptor is ready or until `deadline` (CLOCK_MONOTONIC), whichever is first.
  /// `.distantFuture` means no deadline. Signals do not end the wait. Returns the number of ready
  /// descriptors, 0 at the deadline. At most 64 descriptors are reported; the next wait reports the
  /// others. Throws if the kernel lacks memory.
  @discardableResult
  public mutating func wait(until deadline: Timestamp) throws(SystemError) -> Int {
    let count = UInt32(slots.count)
    // The C function does not keep the pointers.
    let result = unsafe otolith_poller_wait(&poller, &slots, count, deadline.nanoseconds)
    guard result >= 0 else { throw SystemError(errno: -result) }
    return Int(result)
  }

  /// Returns the events that ended the last wait for the descriptor with this index; none if the
  /// wait failed.
  public func events(of index: Int) -> PollEvents {
    slots.indices.contains(index) ? PollEvents(polled: slots[index].revents) : []
  }
}
