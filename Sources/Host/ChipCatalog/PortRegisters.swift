// SPDX-License-Identifier: Apache-2.0
public import Registers

/// Access to a chip's registers, of any width and bank, without a driver. The selected bank is
/// determined first and restored afterwards.
public struct PortRegisters {
  private let port: any ChipPort

  public init(_ port: any ChipPort) { self.port = port }

  /// Reads the register that `row` describes.
  public func read(_ row: RegisterRow) throws(BusError) -> UInt16 {
    var bytes: InlineArray<2, UInt8> = [0, 0]
    if let indirect = row.indirect, row.bank != 0 {
      var connection = IndirectBus(HostConnection(port), indirect)
      var span = bytes.mutableSpan
      var first = span._mutatingExtracting(first: 1)
      try connection.read(&first, at: row.place)
      return UInt16(bytes[0])
    }
    try use(row) { (connection: inout BankedBus<HostConnection>) throws(BusError) in
      var span = bytes.mutableSpan
      // `_mutatingExtracting` is the standard library's 6.3 name for `extracting(first:)`; SE-0467
      // removes the underscore.
      var part = span._mutatingExtracting(first: row.size)
      try connection.read(&part, at: row.place)
    }
    return row.order?.word(bytes[0], bytes[1]) ?? UInt16(bytes[0])
  }

  /// Reads all of `rows`, in each bank, without a driver. Continues after a failed read, but stops
  /// after three in succession, because then no chip responds.
  public func readAll(_ rows: [RegisterRow]) {
    var failures = 0
    for row in rows where failures < 3 {
      do throws(BusError) {
        _ = try read(row)
        failures = 0
      } catch { failures += 1 }
    }
  }

  /// Writes the low bits of `value` to the register that `row` describes, in one transaction.
  public func write(_ value: UInt16, to row: RegisterRow) throws(BusError) {
    if let indirect = row.indirect, row.bank != 0 {
      var connection = IndirectBus(HostConnection(port), indirect)
      let byte: InlineArray<1, UInt8> = [UInt8(truncatingIfNeeded: value)]
      return try connection.write(byte.span, at: row.place)
    }
    try use(row) { (connection: inout BankedBus<HostConnection>) throws(BusError) in
      let bytes = (row.order ?? .lowFirst).bytes(value)
      try connection.write(bytes.span.extracting(first: row.size), at: row.place)
    }
  }

  private func use(
    _ row: RegisterRow, _ body: (inout BankedBus<HostConnection>) throws(BusError) -> Void
  ) throws(BusError) {
    guard let window = row.window, window.contains(row.address) else {
      var connection = BankedBus(HostConnection(port), .none, showing: row.bank)
      return try body(&connection)
    }
    let home = window.bank(selectedBy: try contents(of: window.selector))
    var connection = BankedBus(HostConnection(port), window, showing: home)
    do throws(BusError) {
      try body(&connection)
      try connection.showFirstBank()
    } catch {
      // If restoring the register bank fails too, the first error is reported.
      try? port.write(window.contents(selecting: home), to: window.selector)
      throw error
    }
  }

  private func contents(of register: UInt8) throws(BusError) -> UInt8 {
    var byte: InlineArray<1, UInt8> = [0]
    var span = byte.mutableSpan
    try port.read(&span, from: register)
    return byte[0]
  }
}
