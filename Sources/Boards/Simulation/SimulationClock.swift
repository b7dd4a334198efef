// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The clock that a simulated bus lives by.
public protocol SimulationClock: AnyObject {
  var now: Timestamp { get }
  /// A transfer of so many bits took place. On a clock of one's own that is what makes time pass.
  func spend(_ span: TimeSpan)
}

/// A clock driven from outside: by the machine's, for a live simulation.
public final class OutsideClock: SimulationClock {
  private let read: @Sendable () -> Timestamp

  public init(_ read: @escaping @Sendable () -> Timestamp) { self.read = read }

  public var now: Timestamp { read() }

  /// Transfers take the time that the machine takes.
  public func spend(_ span: TimeSpan) {}
}

/// A clock that stands still until it is told: tests run hours in seconds, and always alike. One
/// thread.
public final class VirtualClock: SimulationClock {
  public private(set) var now: Timestamp

  public init(now: Timestamp = Timestamp(nanoseconds: 1_000_000_000)) { self.now = now }

  public func spend(_ span: TimeSpan) { now = now + span }

  /// Goes forward to `time`; never back.
  public func advance(to time: Timestamp) { now = max(now, time) }
}
