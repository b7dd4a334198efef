// SPDX-License-Identifier: Apache-2.0
internal import CLinux
public import Quantities

/// The events of a descriptor: those waited for, and those that ended a wait.
public struct PollEvents: OptionSet, Sendable, BitwiseCopyable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// There is data to read, the end of a stream, or a connection to accept.
  public static let readable = PollEvents(rawValue: 1)
  /// There is room to write.
  public static let writable = PollEvents(rawValue: 2)
  /// The descriptor broke (POLLERR, POLLNVAL). Always waited for. Remove it: it would end every
  /// further wait at once.
  public static let broken = PollEvents(rawValue: 4)
  /// The other end hung up (POLLHUP); data may be left to read. Always waited for, and ends every
  /// further wait, as `broken`.
  public static let hungUp = PollEvents(rawValue: 8)

  /// True if the descriptor broke or hung up.
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

/// Waits on any number of descriptors and a deadline (epoll(7); ppoll(2) where epoll is
/// unavailable). A wait allocates nothing.
public struct Poller: ~Copyable, Sendable {
  // The epoll instance is closed in deinit, and nowhere else.
  private var poller = otolith_poller_make()
  /// The descriptors by index; negative where one was removed.
  private var slots: [pollfd] = []

  /// Creates a poller without descriptors, which waits for deadlines only.
  public init() {}

  deinit {
    var poller = poller
    // The pointer is used within the call only.
    unsafe otolith_poller_close(&poller)
  }

  /// The number of descriptors waited on.
  public var count: Int { slots.count { $0.fd >= 0 } }

  /// Adds a descriptor, which must stay open until it is removed. Returns its index, which may be
  /// that of one removed before.
  @discardableResult
  public mutating func add(_ descriptor: Int32, for events: PollEvents = .readable) -> Int {
    var slot = pollfd(fd: descriptor, events: events.polled, revents: 0)
    let index = slots.firstIndex { $0.fd < 0 } ?? slots.count
    if index < slots.count { slots[index] = slot } else { slots.append(slot) }
    // The pointers are used within the call only, here and below.
    unsafe otolith_poller_add(&poller, &slot, UInt32(index))
    return index
  }

  /// Changes the events to wait for. A descriptor without any still ends a wait where it fails.
  public mutating func change(_ index: Int, to events: PollEvents) {
    guard slots.indices.contains(index), slots[index].fd >= 0,
      slots[index].events != events.polled
    else { return }
    slots[index].events = events.polled
    var slot = slots[index]
    unsafe otolith_poller_change(&poller, &slot, UInt32(index))  // as above
  }

  /// Stops waiting on a descriptor, which is still open; the other indices do not change.
  public mutating func remove(_ index: Int) {
    guard slots.indices.contains(index), slots[index].fd >= 0 else { return }
    unsafe otolith_poller_remove(&poller, slots[index].fd)  // as above
    slots[index] = pollfd(fd: -1, events: 0, revents: 0)
  }

  /// Sleeps until a descriptor is ready or `deadline` (CLOCK_MONOTONIC) has come, whichever is
  /// first; with `.distantFuture` there is no deadline. Signals do not end the wait. Returns the
  /// number of ready descriptors, 0 at the deadline; of more than 64, the others are reported by$
  /// the next wait. Throws if the kernel lacks memory.
  @discardableResult
  public mutating func wait(until deadline: Timestamp) throws(SystemError) -> Int {
    let count = UInt32(slots.count)
    // The pointers are used within the call only.
    let result = unsafe otolith_poller_wait(&poller, &slots, count, deadline.nanoseconds)
    guard result >= 0 else { throw SystemError(errno: -result) }
    return Int(result)
  }

  /// Returns the events of the descriptor with this index that ended the last wait; none where the
  /// wait failed.
  public func events(of index: Int) -> PollEvents {
    slots.indices.contains(index) ? PollEvents(polled: slots[index].revents) : []
  }
}
