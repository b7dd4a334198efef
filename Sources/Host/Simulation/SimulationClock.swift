// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The clock of a simulated bus.
public protocol SimulationClock: AnyObject {
  var now: Timestamp { get }
  /// Adds the duration of a transfer to a virtual clock.
  func spend(_ span: TimeSpan)
}

/// A clock outside the simulation, which is the machine's clock for a live simulation.
public final class OutsideClock: SimulationClock {
  private let read: @Sendable () -> Timestamp

  public init(_ read: @escaping @Sendable () -> Timestamp) { self.read = read }

  public var now: Timestamp { read() }

  /// Does nothing on a live clock, because transfers take real time.
  public func spend(_ span: TimeSpan) {}
}

/// A clock that changes only when it is advanced, so that tests simulate hours in seconds and are
/// reproducible. The clock may be used only from one thread.
public final class VirtualClock: SimulationClock {
  public private(set) var now: Timestamp

  public init(now: Timestamp = Timestamp(nanoseconds: 1_000_000_000)) { self.now = now }

  public func spend(_ span: TimeSpan) { now = now + span }

  /// Advances the clock to `time`. The clock never goes back.
  public func advance(to time: Timestamp) { now = max(now, time) }
}
