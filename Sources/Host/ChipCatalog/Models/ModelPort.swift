// SPDX-License-Identifier: Apache-2.0
public import Registers

/// A port that connects a model to a bus: it translates the bytes of a transaction to register
/// accesses.
public final class ModelPort {
  public let model: any ChipModel
  private let format: WireFormat
  private let words: ByteOrder?
  private var pointer: UInt8 = 0
  /// The first byte of a register word that was transferred only in part.
  private var half: UInt8?
  /// True if the register address advances in the running I2C transfer.
  private var isAdvancing = true

  /// Creates a port. `words` is the byte order of a chip whose addresses refer to words.
  public init(_ model: any ChipModel, format: WireFormat, words: ByteOrder? = nil) {
    self.model = model
    self.format = format
    self.words = words
  }

  /// Performs an I2C write. The first byte selects a register, and the other bytes are written from
  /// that register on.
  public func write(_ bytes: Span<UInt8>) {
    guard bytes.count > 0 else { return }
    point(at: bytes[0] & ~format.i2cIncrement)
    isAdvancing = !model.needsIncrementBit || bytes[0] & format.i2cIncrement != 0
    for index in 1..<max(1, bytes.count) { put(bytes[index], index, advances: isAdvancing) }
  }

  /// Performs an I2C read, starting at the selected register.
  public func read(_ bytes: inout MutableSpan<UInt8>) {
    half = nil
    for index in bytes.indices { bytes[index] = next(advances: isAdvancing) }
  }

  /// Performs an SPI write frame. The first byte is the command.
  public func frame(_ bytes: Span<UInt8>) {
    defer { model.deselect() }
    guard model.listensToSPI, bytes.count > 0, bytes[0] & format.spiRead == 0 else { return }
    select(bytes[0])
    for index in 1..<max(1, bytes.count) { _ = clock(bytes[index], index, of: bytes[0]) }
  }

  /// Performs an SPI read frame after `command`, with `dummyBytes` in between.
  public func frame(_ bytes: inout MutableSpan<UInt8>, after command: UInt8, dummyBytes: Int) {
    defer { model.deselect() }
    if model.listensToSPI { select(command) }
    let isRead = command & format.spiRead != 0
    for index in bytes.indices {
      bytes[index] = isRead ? clock(0, index + dummyBytes + 1, of: command) : unselectedByte
    }
  }

  /// Performs a full-duplex SPI frame and replaces `bytes` with the chip's response.
  public func exchange(_ bytes: inout MutableSpan<UInt8>) {
    defer { model.deselect() }
    guard bytes.count > 0 else { return }
    let command = bytes[0]
    if model.listensToSPI { select(command) }
    // On SPI the chip has no data yet during the command byte.
    bytes[0] = unselectedByte
    for index in 1..<max(1, bytes.count) { bytes[index] = clock(bytes[index], index, of: command) }
  }

  // MARK: Bytes and words

  private func select(_ command: UInt8) {
    point(at: command & ~(format.spiMultiple | format.spiRead) | format.spiImplied)
  }

  /// The byte that a host reads while the chip sends no data: 0, or 0xFF from the pull-up resistor
  /// if the chip does not respond on SPI.
  private var unselectedByte: UInt8 { model.listensToSPI ? 0 : 0xFF }

  /// Handles byte `index` of a frame that began with `command`, and returns the chip's response.
  private func clock(_ byte: UInt8, _ index: Int, of command: UInt8) -> UInt8 {
    guard model.listensToSPI else { return unselectedByte }
    let advances = format.spiMultiple == 0 || command & format.spiMultiple != 0
    guard command & format.spiRead != 0 else {
      put(byte, index, advances: advances)
      return 0
    }
    // Before the chip's first valid byte the data is undefined; the model returns zero.
    return index > format.spiDummyBytes ? next(advances: advances) : 0
  }

  /// Selects `register` for a new transfer.
  private func point(at register: UInt8) {
    pointer = register
    half = nil
  }

  /// Returns the next byte that the chip sends.
  private func next(advances: Bool = true) -> UInt8 {
    guard let order = words else {
      defer { if advances { pointer = model.successor(of: pointer) } }
      return model.read(pointer)
    }
    if let second = half {
      half = nil
      if advances { pointer = model.successor(of: pointer) }
      return second
    }
    let bytes = order.bytes(model.readWord(pointer))
    half = bytes[1]
    return bytes[0]
  }

  /// Handles byte `index` of a write. A word that is transferred only in part is not written.
  private func put(_ byte: UInt8, _ index: Int, advances: Bool = true) {
    if format.writesPairs {
      // In a transfer of pairs of address and value, the values have odd indices, and the second
      // and all later addresses have even indices.
      if index & 1 == 1 { model.write(byte, to: pointer) } else { pointer = paired(byte) }
      return
    }
    if let order = words {
      guard let first = half else {
        half = byte
        return
      }
      half = nil
      model.writeWord(order.word(first, byte), to: pointer)
    } else {
      model.write(byte, to: pointer)
    }
    if advances { pointer = model.successor(of: pointer) }
  }

  private func paired(_ address: UInt8) -> UInt8 { address & ~format.spiRead | format.spiImplied }
}
