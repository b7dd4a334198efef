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
    for index in 1..<max(1, bytes.count) {
      if format.writesPairs {
        writePaired(bytes, index)
        continue
      }
      put(bytes[index])
    }
  }

  /// I2C: reads from the selected register on. The increment bit is honoured by advancing always, as fielded
  /// drivers that leave it out show silicon does.
  public func read(_ bytes: inout MutableSpan<UInt8>) {
    half = nil
    for index in bytes.indices { bytes[index] = next() }
  }

  /// SPI: one frame that writes; the first byte is the command.
  public func frame(_ bytes: Span<UInt8>) {
    defer { model.deselect() }
    guard model.listensToSPI, bytes.count > 0, bytes[0] & format.spiRead == 0 else { return }
    point(at: bytes[0] & ~format.spiMultiple | format.spiImplied)
    for index in 1..<max(1, bytes.count) {
      if format.writesPairs {
        writePaired(bytes, index, implied: format.spiImplied)
        continue
      }
      put(bytes[index], advances: advances(bytes[0]))
    }
  }

  /// SPI: one frame that reads after `command`; `dummyBytes` were clocked between.
  public func frame(_ bytes: inout MutableSpan<UInt8>, after command: UInt8, dummyBytes: Int) {
    defer { model.deselect() }
    guard model.listensToSPI else {
      // Nobody drives the line; a pull-up does.
      for index in bytes.indices { bytes[index] = 0xFF }
      return
    }
    point(at: command & ~(format.spiRead | format.spiMultiple) | format.spiImplied)
    for index in bytes.indices {
      // Bytes that come before the chip has turned the line around are undefined; ours are zero.
      guard index + dummyBytes >= format.spiDummyBytes, command & format.spiRead != 0 else {
        bytes[index] = 0
        continue
      }
      bytes[index] = next(advances: advances(command))
    }
  }

  /// SPI: one frame in both directions at once; `bytes` are replaced by what the chip sends.
  public func exchange(_ bytes: inout MutableSpan<UInt8>) {
    defer { model.deselect() }
    guard bytes.count > 0 else { return }
    guard model.listensToSPI else {
      for index in bytes.indices { bytes[index] = 0xFF }
      return
    }
    let command = bytes[0]
    let reads = command & format.spiRead != 0
    point(at: command & ~(format.spiMultiple | format.spiRead) | format.spiImplied)
    // While the command comes in there is nothing to send.
    bytes[0] = 0
    for index in 1..<max(1, bytes.count) {
      let sent = bytes[index]
      bytes[index] = 0
      if reads {
        guard index > format.spiDummyBytes else { continue }
        bytes[index] = next(advances: advances(command))
      } else if format.writesPairs {
        if index & 1 == 1 {
          model.write(sent, to: pointer)
        } else {
          pointer = sent & ~format.spiRead | format.spiImplied
        }
      } else {
        put(sent, advances: advances(command))
      }
    }
  }

  // MARK: Bytes and words

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

  /// The next byte that the chip is sent. A word of which one byte comes is not written.
  private func put(_ byte: UInt8, advances: Bool = true) {
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

  /// Byte `index` of a transfer of pairs: a value at odd places, the next address at even ones.
  private func writePaired(_ bytes: Span<UInt8>, _ index: Int, implied: UInt8 = 0) {
    if index & 1 == 1 {
      model.write(bytes[index], to: pointer)
    } else {
      pointer = bytes[index] | implied
    }
  }

  private func advances(_ command: UInt8) -> Bool {
    format.spiMultiple == 0 || command & format.spiMultiple != 0
  }
}
