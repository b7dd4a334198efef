// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// The access to one chip's registers on a host, for any bus. The same compiled driver serves
/// device nodes and the simulation. The protocol declares the mutating requirements of
/// `RegisterBus` again, because a call on a reference does not mutate the reference.
public protocol ChipPort: AnyObject, RegisterBus {
  func read(_ bytes: inout MutableSpan<UInt8>, from register: UInt8) throws(BusError)
  func write(_ value: UInt8, to register: UInt8) throws(BusError)
  func write(_ bytes: Span<UInt8>, to register: UInt8) throws(BusError)

  /// The firmware for the chip; empty for a chip without firmware.
  var firmware: [UInt8] { get }
}

extension ChipPort {
  public var firmwareSize: Int { firmware.count }

  public func readFirmware(_ bytes: inout MutableSpan<UInt8>, from offset: Int) {
    let firmware = firmware
    for index in bytes.indices where firmware.indices.contains(offset + index) {
      bytes[index] = firmware[offset + index]
    }
  }

  /// Reads one 8-bit register.
  package func read(_ register: UInt8) throws(BusError) -> UInt8 {
    var bytes: InlineArray<1, UInt8> = [0]
    var span = bytes.mutableSpan
    try read(&span, from: register)
    return bytes[0]
  }

  public func write(_ bytes: Span<UInt8>, to register: UInt8) throws(BusError) {
    guard bytes.count <= 1 else { throw .tooLong(limit: 1) }
    if bytes.count == 1 { try write(bytes[0], to: register) }
  }
}

/// A port that wraps any connection of the portable core.
public final class ConnectionPort<Connection: RegisterBus & ~Copyable>: ChipPort {
  // Exclusivity checks are off because accesses cannot overlap: only one thread uses the port, and
  // a connection calls nothing that refers to its port. A check at each call would cost as much as
  // the call.
  @safe @exclusivity(unchecked) private var connection: Connection

  public let longestRead: Int
  public let longestWrite: Int
  public let isSPI: Bool
  public let firmware: [UInt8]

  /// Creates a port. `firmware` is the firmware that the driver loads into the chip; it is empty
  /// for a chip without firmware.
  public init(_ connection: consuming Connection, firmware: [UInt8] = []) {
    self.firmware = firmware
    longestRead = connection.longestRead
    longestWrite = connection.longestWrite
    isSPI = connection.isSPI
    self.connection = connection
  }

  public var now: Timestamp { connection.now }

  public func read(_ bytes: inout MutableSpan<UInt8>, from register: UInt8) throws(BusError) {
    try connection.read(&bytes, from: register)
  }

  public func write(_ value: UInt8, to register: UInt8) throws(BusError) {
    try connection.write(value, to: register)
  }

  public func write(_ bytes: Span<UInt8>, to register: UInt8) throws(BusError) {
    try connection.write(bytes, to: register)
  }
}

/// The connection of a driver on a host. Each transaction is one dynamic call and allocates
/// nothing.
public struct HostConnection: RegisterBus, ~Copyable {
  private let port: any ChipPort

  public init(_ port: any ChipPort) { self.port = port }

  public var now: Timestamp { port.now }

  public var longestRead: Int { port.longestRead }

  public var longestWrite: Int { port.longestWrite }

  public var isSPI: Bool { port.isSPI }

  public var firmwareSize: Int { port.firmwareSize }

  public func readFirmware(_ bytes: inout MutableSpan<UInt8>, from offset: Int) {
    port.readFirmware(&bytes, from: offset)
  }

  public mutating func read(_ bytes: inout MutableSpan<UInt8>, from register: UInt8)
    throws(BusError)
  {
    try port.read(&bytes, from: register)
  }

  public mutating func write(_ value: UInt8, to register: UInt8) throws(BusError) {
    try port.write(value, to: register)
  }

  public mutating func write(_ bytes: Span<UInt8>, to register: UInt8) throws(BusError) {
    try port.write(bytes, to: register)
  }
}
