// SPDX-License-Identifier: Apache-2.0
public import Buses
public import ChipModels
public import Quantities

/// A bus inside the process with chip models on it. One thread.
public final class SimulatedBus {
  public let clock: any SimulationClock
  /// Bits per second; a byte with its acknowledge takes nine on I2C.
  private let speed: Int64
  private var places: [(select: UInt8, port: ModelPort)] = []
  /// How many transactions there were, and how many bytes in them.
  public private(set) var transactions = 0
  public private(set) var bytes = 0

  public init(clock: any SimulationClock, speed: Int64 = 400_000) {
    self.clock = clock
    self.speed = speed
  }

  /// Puts a model at an I2C address or SPI chip select.
  public func attach(_ port: ModelPort, at select: UInt8) { places.append((select, port)) }

  /// The model there, at the present; a transfer of `count` bytes begins.
  fileprivate func begin(_ select: UInt8, count: Int) throws(BusError) -> ModelPort {
    transactions += 1
    for place in places where place.select == select {
      bytes += count
      place.port.model.advance(to: clock.now)
      return place.port
    }
    clock.spend(TimeSpan(nanoseconds: 9_000_000_000 / speed))
    throw .noAcknowledge
  }

  /// The model there, at the present, in the middle of a transfer.
  fileprivate func present(_ select: UInt8) -> ModelPort? {
    for place in places where place.select == select {
      place.port.model.advance(to: clock.now)
      return place.port
    }
    return nil
  }

  fileprivate func end(count: Int) {
    clock.spend(TimeSpan(nanoseconds: Int64(count) * 9_000_000_000 / speed))
  }
}

/// The I2C face of a simulated bus.
public struct SimulatedI2C: I2CBus {
  private let bus: SimulatedBus

  public init(_ bus: SimulatedBus) { self.bus = bus }

  public var now: Timestamp { bus.clock.now }

  public func write(_ bytes: Span<UInt8>, to address: UInt8) throws(BusError) {
    let count = bytes.count + 1
    try bus.begin(address, count: count).write(bytes)
    bus.end(count: count)
  }

  public func read(_ bytes: inout MutableSpan<UInt8>, after register: UInt8, from address: UInt8)
    throws(BusError)
  {
    // Two addresses and a register travel before the chip is asked for its first byte.
    let pointer: InlineArray<1, UInt8> = [register]
    try bus.begin(address, count: bytes.count + 3).write(pointer.span)
    bus.end(count: 3)
    bus.present(address)?.read(&bytes)
    bus.end(count: bytes.count)
  }
}

/// One chip select of a simulated bus.
public struct SimulatedSPI: SPIDevice {
  private let bus: SimulatedBus
  private let select: UInt8

  public init(_ bus: SimulatedBus, select: UInt8) {
    self.bus = bus
    self.select = select
  }

  public var now: Timestamp { bus.clock.now }

  public func write(_ bytes: Span<UInt8>) throws(BusError) {
    try bus.begin(select, count: bytes.count).frame(bytes)
    bus.end(count: bytes.count)
  }

  public func read(_ bytes: inout MutableSpan<UInt8>, after command: UInt8, dummyBytes: Int)
    throws(BusError)
  {
    let count = bytes.count + 1 + dummyBytes
    try bus.begin(select, count: count).frame(&bytes, after: command, dummyBytes: dummyBytes)
    bus.end(count: count)
  }
}
