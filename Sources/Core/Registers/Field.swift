// SPDX-License-Identifier: Apache-2.0

/// A value that a register field can hold.
public protocol FieldValue: WideFieldValue {
  /// The bits of the field's value, right-aligned.
  var fieldBits: UInt8 { get }
  /// Creates the value from right-aligned bits; `nil` for a code that the chip's document does not
  /// define.
  init?(fieldBits: UInt8)
}

extension FieldValue where Self: RawRepresentable, RawValue == UInt8 {
  @inlinable @inline(__always)
  public var fieldBits: UInt8 { rawValue }

  @inlinable @inline(__always)
  public init?(fieldBits: UInt8) { self.init(rawValue: fieldBits) }
}

extension UInt8: FieldValue {
  public var fieldBits: UInt8 { self }
  public init?(fieldBits: UInt8) { self = fieldBits }
}

extension Bool: FieldValue {
  public var fieldBits: UInt8 { self ? 1 : 0 }
  public init?(fieldBits: UInt8) { self = fieldBits != 0 }
}

/// A field of one register. `field(value)` returns a `Change`.
///
/// The functions that return a change are always inlined. With constant arguments several changes
/// become one constant, so a table row needs only one load instruction on a small processor.
public struct Bits<Value: FieldValue>: Sendable {
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
  public var mask: UInt8 { UInt8(truncatingIfNeeded: (1 &<< UInt16(width)) &- 1) &<< lowest }

  @inline(__always)
  public func callAsFunction(_ value: Value) -> Change {
    Change(mask: mask, bits: (value.fieldBits &<< lowest) & mask)
  }

  /// Decodes the field from a register's contents; `nil` for an undefined code.
  @inline(__always)
  public func value(in contents: UInt8) -> Value? {
    Value(fieldBits: (contents & mask) &>> lowest)
  }
}

extension Bits where Value == UInt8 {
  /// Creates a numeric register field of the bits in `range`.
  @inline(__always)
  public init(_ range: ClosedRange<UInt8>) {
    lowest = range.lowerBound
    width = range.upperBound - range.lowerBound + 1
  }
}

/// Creates a register field of one bit, which is a switch or a flag.
@inline(__always)
public func Bit(_ position: UInt8) -> Bits<Bool> { Bits(position...position) }

/// Some bits of an 8-bit register and the values that they should have.
public typealias Change = BitChange<UInt8>

/// Some bits of a 16-bit register and the values that they should have.
public typealias WideChange = BitChange<UInt16>

/// Some bits of a register and the values that these bits should have, for writing, modifying and
/// verifying.
public struct BitChange<Raw: FixedWidthInteger & Sendable & BitwiseCopyable>:
  Equatable, Sendable, BitwiseCopyable
{
  public var mask: Raw
  public var bits: Raw

  @inline(__always)
  public init(mask: Raw, bits: Raw) {
    self.mask = mask
    self.bits = bits
  }

  /// An empty change, which leaves all bits of a register as they are.
  @inline(__always)
  public static var nothing: BitChange { BitChange(mask: 0, bits: 0) }

  /// Combines two changes of a register. If both change the same bit, the second change wins.
  @inline(__always)
  public static func | (a: BitChange, b: BitChange) -> BitChange {
    BitChange(mask: a.mask | b.mask, bits: a.bits & ~b.mask | b.bits)
  }

  @inline(__always)
  public func applied(to contents: Raw) -> Raw { contents & ~mask | bits }

  /// Returns true if `contents` already has all the bit values that this change sets.
  public func holds(in contents: Raw) -> Bool { contents & mask == bits }
}
