// SPDX-License-Identifier: Apache-2.0

/// The order in which the two bytes of a word are transferred.
public enum ByteOrder: UInt8, Sendable, BitwiseCopyable {
  case lowFirst
  case highFirst

  /// Returns the word that consists of the bytes `first` and `second`, which are in transfer order.
  @inline(__always)
  public func word(_ first: UInt8, _ second: UInt8) -> UInt16 {
    self == .lowFirst
      ? UInt16(second) << 8 | UInt16(first) : UInt16(first) << 8 | UInt16(second)
  }

  /// Returns the bytes of `word` in transfer order.
  @inline(__always)
  public func bytes(_ word: UInt16) -> InlineArray<2, UInt8> {
    let low = UInt8(truncatingIfNeeded: word)
    let high = UInt8(truncatingIfNeeded: word &>> 8)
    return self == .lowFirst ? [low, high] : [high, low]
  }
}

/// A value that a field of a 16-bit register can hold: a number, or any value that a field of an
/// 8-bit register can hold.
public protocol WideFieldValue: Sendable {
  /// The bits of the field's value, right-aligned.
  var wideBits: UInt16 { get }
  /// Creates the value from right-aligned bits; `nil` for a code that the chip's document does not
  /// define.
  init?(wideBits: UInt16)
}

extension FieldValue {
  public var wideBits: UInt16 { UInt16(fieldBits) }

  public init?(wideBits: UInt16) {
    guard let bits = UInt8(exactly: wideBits) else { return nil }
    self.init(fieldBits: bits)
  }
}

extension UInt16: WideFieldValue {
  public var wideBits: UInt16 { self }
  public init?(wideBits: UInt16) { self = wideBits }
}

/// A field of one 16-bit register; see `Bits`.
public struct WideBits<Value: WideFieldValue>: Sendable {
  public let lowest: UInt8
  public let width: UInt8

  /// Creates a field of the bits in `range`, in which bit 0 is the least significant.
  @inline(__always)
  public init(_ range: ClosedRange<UInt8>) {
    lowest = range.lowerBound
    width = range.upperBound - range.lowerBound + 1
  }

  /// The mask of the field's bits in the register.
  @inline(__always)
  public var mask: UInt16 {
    UInt16(truncatingIfNeeded: (1 &<< UInt32(width)) &- 1) &<< UInt16(lowest)
  }

  @inline(__always)
  public func callAsFunction(_ value: Value) -> WideChange {
    WideChange(mask: mask, bits: (value.wideBits &<< UInt16(lowest)) & mask)
  }

  /// Decodes the field from a register's contents; `nil` for an undefined code.
  @inline(__always)
  public func value(in contents: UInt16) -> Value? {
    Value(wideBits: (contents & mask) &>> UInt16(lowest))
  }
}

/// Creates a field of one bit in a 16-bit register, a switch or a flag.
@inline(__always)
public func WideBit(_ position: UInt8) -> WideBits<Bool> { WideBits(position...position) }

/// A 16-bit register that is read and written as a whole; see `Register`. Some chips count
/// addresses in bytes, so that the register has two addresses; other chips count them in words. The
/// transfer is the same in both cases.
public struct WideRegister<Layout: Sendable, Access: RegisterAccess>: Sendable {
  public let address: UInt8
  public let order: ByteOrder
  /// The contents after power-up; `nil` for measured values and undocumented registers.
  public let reset: UInt16?
  public let effect: ReadEffect
  public let layout: Layout

  @inline(__always)
  public init(
    _ address: UInt8, _ order: ByteOrder, _ access: Access.Type, reset: UInt16? = 0,
    effect: ReadEffect = .none, _ layout: Layout
  ) {
    self.address = address
    self.order = order
    self.reset = reset
    self.effect = effect
    self.layout = layout
  }

  /// Returns the change that `fields` makes, for a write, a verification or a table row.
  @inline(__always)
  public func change(_ fields: (Layout) -> WideChange) -> WideChange { fields(layout) }

  /// Returns the raw contents `raw` together with the register's layout, so that fields can be
  /// decoded.
  @inline(__always)
  public func contents(_ raw: UInt16) -> WideContents<Layout> { WideContents(raw: raw, layout) }
}

extension WideRegister where Layout == WholeWord {
  @inline(__always)
  public init(
    _ address: UInt8, _ order: ByteOrder, _ access: Access.Type, reset: UInt16? = 0,
    effect: ReadEffect = .none
  ) {
    self.init(address, order, access, reset: reset, effect: effect, WholeWord())
  }
}

/// The layout of a 16-bit register that holds one number.
public struct WholeWord: Sendable {
  public let value = WideBits<UInt16>(0...15)
  @inline(__always)
  public init() {}
}

/// The contents that were read from a 16-bit register, with the register's layout.
public struct WideContents<Layout: Sendable>: Sendable {
  public let raw: UInt16
  public let layout: Layout

  @inline(__always)
  public init(raw: UInt16, _ layout: Layout) {
    self.raw = raw
    self.layout = layout
  }

  /// Decodes a field of the contents; `nil` if the chip's document does not define the field's
  /// code.
  @inline(__always)
  public func callAsFunction<Value>(_ field: (Layout) -> WideBits<Value>) -> Value? {
    field(layout).value(in: raw)
  }
}
