// SPDX-License-Identifier: Apache-2.0
public import Registers
public import ChipCatalog
public import Quantities

/// A bus inside the process that connects models of chips. The bus may be used only from one
/// thread.
public final class SimulatedBus {
  private struct Place {
    var select: UInt8
    var port: ModelPort
    /// The faults of the chip model; `nil` if it has none.
    var faults: FaultyModel?
    /// The chip whose auxiliary bus connects the model; `nil` if the model is connected directly.
    var host: (any ChipModel)?
  }

  public let clock: any SimulationClock
  /// The clock of the bus in bits per second.
  private let speed: Int64
  /// The number of bits per byte: nine on I2C, with the acknowledgement, and eight on SPI.
  private let bitsPerByte: Int64
  private var places: [Place] = []
  /// The ports, by address, of chips inside other chips. A port is added when the chip is first
  /// used.
  private var builtInPorts: [UInt8: ModelPort] = [:]
  /// The faults that hold a line of the bus low.
  private var stuck: [FaultTiming] = []
  /// The number of transactions of the bus, and the number of bytes in these transactions.
  public private(set) var transactions = 0
  public private(set) var bytes = 0

  public init(clock: any SimulationClock, speed: Int64 = 400_000, bitsPerByte: Int64 = 9) {
    self.clock = clock
    self.speed = speed
    self.bitsPerByte = bitsPerByte
  }

  /// Connects a model at an I2C address or an SPI chip select. `faults` is the port's model if the
  /// chip has faults. A chip with a `host` responds only while the host connects its auxiliary bus.
  public func attach(
    _ port: ModelPort, at select: UInt8, faults: FaultyModel? = nil,
    behind host: (any ChipModel)? = nil
  ) {
    places.append(Place(select: select, port: port, faults: faults, host: host))
  }

  /// Starts the faults that affect the bus itself. The faults' times are relative to now.
  public func befall(_ faults: [Fault], seed: UInt64 = 1) {
    stuck = faults.filter { $0.kind == .stuckBus }
      .map { FaultTiming($0, origin: clock.now, seed: seed) }
  }

  /// The addresses or chip selects at which a model is connected.
  public var selects: [UInt8] { places.map(\.select) }

  // MARK: Transfers

  /// Performs an I2C transaction: writes `sent` to the device at `address` and, if `received` is
  /// not empty, fills `received` after a repeated start.
  @_lifetime(received: copy received)
  public func transfer(
    _ sent: Span<UInt8>, _ received: inout MutableSpan<UInt8>, at address: UInt8
  ) throws(BusError) {
    // The address bytes of a transfer take time too.
    let before = sent.count + (sent.count > 0 || received.count == 0 ? 1 : 0)
    let after = received.count > 0 ? received.count + 1 : 0
    let place = try begin(address, count: before + after)
    if sent.count == 0, received.count > 0, place.port.model.needsRepeatedStart {
      spend(1)
      throw .noAcknowledge
    }
    place.port.write(sent)
    spend(before)
    guard received.count > 0 else { return }
    // The second address byte is transferred before the chip's first data byte.
    spend(1)
    place.port.model.advance(to: clock.now)
    place.port.read(&received)
    place.faults?.distort(&received)
    spend(after - 1)
  }

  /// Performs a full-duplex SPI frame: sends `bytes` and replaces them with the received bytes.
  public func exchange(_ bytes: inout MutableSpan<UInt8>, at select: UInt8) throws(BusError) {
    let place = try begin(select, count: bytes.count)
    place.port.exchange(&bytes)
    place.faults?.distort(&bytes)
    spend(bytes.count)
  }

  fileprivate func write(_ bytes: Span<UInt8>, toFrameAt select: UInt8) throws(BusError) {
    try begin(select, count: bytes.count).port.frame(bytes)
    spend(bytes.count)
  }

  fileprivate func read(
    _ bytes: inout MutableSpan<UInt8>, after command: UInt8, dummyBytes: Int, atFrame select: UInt8
  ) throws(BusError) {
    let count = bytes.count + 1 + dummyBytes
    let place = try begin(select, count: count)
    place.port.frame(&bytes, after: command, dummyBytes: dummyBytes)
    place.faults?.distort(&bytes)
    spend(count)
  }

  /// Returns the model at `select` at the start of a transfer of `count` bytes, with the model's
  /// time advanced to now.
  private func begin(_ select: UInt8, count: Int) throws(BusError) -> Place {
    transactions += 1
    for index in stuck.indices where stuck[index].strikes(at: clock.now) {
      clock.spend(Self.timeout)
      throw .timeout
    }
    for place in places where place.select == select {
      place.port.model.advance(to: clock.now)
      if let host = place.host {
        host.advance(to: clock.now)
        guard host.passesThrough else { continue }
      }
      if let error = place.faults?.failure(at: clock.now) {
        // A transfer that gets no acknowledgement ends after the address.
        if error == .timeout { clock.spend(Self.timeout) } else { spend(1) }
        throw error
      }
      bytes += count
      return place
    }
    if let place = builtIn(at: select) {
      bytes += count
      return place
    }
    spend(1)
    throw .noAcknowledge
  }

  /// Returns a chip at `address` inside another chip whose auxiliary bus is connected. (A chip that
  /// a board file describes is among `places`.)
  private func builtIn(at address: UInt8) -> Place? {
    guard !selects.contains(address) else { return nil }
    for place in places {
      let host = place.port.model
      host.advance(to: clock.now)
      guard host.passesThrough, let model = host.builtIn(at: address, sensing: nil) else {
        continue
      }
      model.advance(to: clock.now)
      // The port is kept, because its register pointer must remain from one transaction to the
      // next.
      let port = builtInPorts[address] ?? ModelPort(model, format: WireFormat())
      builtInPorts[address] = port
      return Place(select: address, port: port, faults: nil, host: host)
    }
    return nil
  }

  /// The longest time for which SMBus 2.0 (section 3.1.1) allows a device to stretch the clock.
  private static var timeout: TimeSpan { .milliseconds(25) }

  private func spend(_ count: Int) {
    clock.spend(TimeSpan(nanoseconds: Int64(count) * bitsPerByte * 1_000_000_000 / speed))
  }
}

/// The I2C interface of a simulated bus.
public struct SimulatedI2C: I2CBus {
  private let bus: SimulatedBus

  public init(_ bus: SimulatedBus) { self.bus = bus }

  public var now: Timestamp { bus.clock.now }

  public func write(_ bytes: Span<UInt8>, to address: UInt8) throws(BusError) {
    var nothing = InlineArray<1, UInt8>(repeating: 0)
    var span = nothing.mutableSpan
    // `_mutatingExtracting` is the standard library's 6.3 name for `extracting(first:)`; SE-0467
    // removes the underscore.
    var none = span._mutatingExtracting(first: 0)
    try bus.transfer(bytes, &none, at: address)
  }

  public func read(_ bytes: inout MutableSpan<UInt8>, after register: UInt8, from address: UInt8)
    throws(BusError)
  {
    let pointer: InlineArray<1, UInt8> = [register]
    try bus.transfer(pointer.span, &bytes, at: address)
  }
}

/// The SPI interface of a simulated bus, for one chip select.
public struct SimulatedSPI: SPIDevice {
  private let bus: SimulatedBus
  private let select: UInt8

  public init(_ bus: SimulatedBus, select: UInt8) {
    self.bus = bus
    self.select = select
  }

  public var now: Timestamp { bus.clock.now }

  public func write(_ bytes: Span<UInt8>) throws(BusError) {
    try bus.write(bytes, toFrameAt: select)
  }

  public func read(_ bytes: inout MutableSpan<UInt8>, after command: UInt8, dummyBytes: Int)
    throws(BusError)
  {
    try bus.read(&bytes, after: command, dummyBytes: dummyBytes, atFrame: select)
  }
}
