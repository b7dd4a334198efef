// SPDX-License-Identifier: Apache-2.0
public import Registers

/// A model at the end of a wire: turns the bytes of one transaction into register accesses.
public final class ModelPort {
  public let model: any ChipModel
  private let format: WireFormat
  private let words: ByteOrder?
  private var pointer: UInt8 = 0
  /// Of a word of which one byte travelled: the byte that came, or that is to go.
  private var half: UInt8?

  /// `words`: each address is of a word, whose bytes travel in this order.
  public init(_ model: any ChipModel, format: WireFormat, words: ByteOrder? = nil) {
    self.model = model
    self.format = format
    self.words = words
  }

  /// I2C: the first byte selects a register, the others are written from there on.
  public func write(_ bytes: Span<UInt8>) {
    guard bytes.count > 0 else { return }
    point(at: bytes[0] & ~format.i2cIncrement)
    for index in 1..<max(1, bytes.count) { put(bytes[index], index) }
  }

  /// I2C: reads from the selected register on. The increment bit is honoured by advancing always,
  /// as fielded drivers that leave it out show silicon does.
  public func read(_ bytes: inout MutableSpan<UInt8>) {
    half = nil
    for index in bytes.indices { bytes[index] = next() }
  }

  /// SPI: one frame that writes; the first byte is the command.
  public func frame(_ bytes: Span<UInt8>) {
    defer { model.deselect() }
    guard model.listensToSPI, bytes.count > 0, bytes[0] & format.spiRead == 0 else { return }
    select(bytes[0])
    for index in 1..<max(1, bytes.count) { _ = clock(bytes[index], index, of: bytes[0]) }
  }

  /// SPI: one frame that reads after `command`; `dummyBytes` were clocked between.
  public func frame(_ bytes: inout MutableSpan<UInt8>, after command: UInt8, dummyBytes: Int) {
    defer { model.deselect() }
    if model.listensToSPI { select(command) }
    let isRead = command & format.spiRead != 0
    for index in bytes.indices {
      bytes[index] = isRead ? clock(0, index + dummyBytes + 1, of: command) : unheard
    }
  }

  /// SPI: one frame in both directions at once; `bytes` are replaced by what the chip sends.
  public func exchange(_ bytes: inout MutableSpan<UInt8>) {
    defer { model.deselect() }
    guard bytes.count > 0 else { return }
    let command = bytes[0]
    if model.listensToSPI { select(command) }
    // While the command comes in there is nothing to send.
    bytes[0] = unheard
    for index in 1..<max(1, bytes.count) { bytes[index] = clock(bytes[index], index, of: command) }
  }

  // MARK: Bytes and words

  private func select(_ command: UInt8) {
    point(at: command & ~(format.spiMultiple | format.spiRead) | format.spiImplied)
  }

  /// The byte on a line that the chip has nothing to say on: where it does not drive it, a pull-up
  /// does.
  private var unheard: UInt8 { model.listensToSPI ? 0 : 0xFF }

  /// Byte `index` of a frame that began with `command`: what the chip sends while it is sent
  /// `byte`.
  private func clock(_ byte: UInt8, _ index: Int, of command: UInt8) -> UInt8 {
    guard model.listensToSPI else { return unheard }
    let advances = format.spiMultiple == 0 || command & format.spiMultiple != 0
    guard command & format.spiRead != 0 else {
      put(byte, index, advances: advances)
      return 0
    }
    // Bytes that come before the chip has turned the line around are undefined; ours are zero.
    return index > format.spiDummyBytes ? next(advances: advances) : 0
  }

  /// A transfer begins at `register`.
  private func point(at register: UInt8) {
    pointer = register
    half = nil
  }

  /// The next byte that the chip sends.
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

  /// Byte `index` of a transfer that the chip is sent. A word of which one byte comes is not
  /// written.
  private func put(_ byte: UInt8, _ index: Int, advances: Bool = true) {
    if format.writesPairs {
      // A value at odd places, the next address at even ones.
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
