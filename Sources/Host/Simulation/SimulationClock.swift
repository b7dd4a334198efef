// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The clock of a simulated bus.
public protocol SimulationClock: AnyObject {
  var now: Timestamp { get }
  /// Accounts for the duration of a transfer, which advances a virtual clock.
  func spend(_ span: TimeSpan)
}

/// An external clock: the machine's, for a live simulation.
public final class OutsideClock: SimulationClock {
  private let read: @Sendable () -> Timestamp

  public init(_ read: @escaping @Sendable () -> Timestamp) { self.read = read }

  public var now: Timestamp { read() }

  /// Does nothing: transfers take the machine's real time.
  public func spend(_ span: TimeSpan) {}
}

/// A clock that only moves when advanced: tests run hours in seconds, reproducibly. Used from one
/// thread.
public final class VirtualClock: SimulationClock {
  public private(set) var now: Timestamp

  public init(now: Timestamp = Timestamp(nanoseconds: 1_000_000_000)) { self.now = now }

  public func spend(_ span: TimeSpan) { now = now + span }

  /// Advances to `time`; never goes back.
  public func advance(to time: Timestamp) { now = max(now, time) }
}
