// SPDX-License-Identifier: Apache-2.0
public import ChipCatalog
public import Quantities
public import Registers

/// A port that answers a driver's transfers from a trace, in place of a real chip.
public final class TracePort: ChipPort {
  public let trace: ChipTrace
  private let clock: (() -> Timestamp)?
  private let spend: (TimeSpan) -> Void

  /// Creates a port in recorded time. The clock of the port returns the recorded readings.
  public init(replaying trace: ChipTrace) {
    self.trace = trace
    clock = nil
    spend = { _ in }
  }

  /// Creates a port that uses the caller's clock. The duration of each transaction is added to that
  /// clock.
  public init(
    _ trace: ChipTrace, clock: @escaping () -> Timestamp, spend: @escaping (TimeSpan) -> Void
  ) {
    self.trace = trace
    self.clock = clock
    self.spend = spend
  }

  public var now: Timestamp { clock?() ?? trace.nextClock() }

  public var longestRead: Int { trace.longestRead }

  /// Writes have no limit, because the recorded requests kept within the limits of their adapter.
  public var longestWrite: Int { .max }

  public var isSPI: Bool { trace.opened?.wire == .spi }

  /// The firmware that was recorded while it was loaded into the chip.
  public var firmware: [UInt8] { trace.firmware }

  public func read(_ bytes: inout MutableSpan<UInt8>, from register: UInt8) throws(BusError) {
    defer { spend(trace.lastDuration) }
    try trace.read(&bytes, from: register)
  }

  public func write(_ value: UInt8, to register: UInt8) throws(BusError) {
    defer { spend(trace.lastDuration) }
    try trace.write([value], to: register)
  }

  public func write(_ bytes: Span<UInt8>, to register: UInt8) throws(BusError) {
    defer { spend(trace.lastDuration) }
    try trace.write(bytes.indices.map { bytes[$0] }, to: register)
  }
}
