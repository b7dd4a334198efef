// SPDX-License-Identifier: Apache-2.0

/// A value that a field of a register can hold.
public protocol FieldValue: WideFieldValue {
  /// The bits of the value, right-aligned.
  var fieldBits: UInt8 { get }
  /// Creates the value of right-aligned bits; `nil` for a code that the chip's document does not
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

/// Bits of one register that mean one thing. Applied to a value it gives a `Change`.
///
/// What makes a change is always inlined: of constants it is one then, and a table's line costs a
/// small processor a load.
public struct Bits<Value: FieldValue>: Sendable {
  public let lowest: UInt8
  public let width: UInt8

  /// Creates the bits `range`, counted from 0, the least significant.
  @inline(__always)
  public init(_ range: ClosedRange<UInt8>) {
    lowest = range.lowerBound
    width = range.upperBound - range.lowerBound + 1
  }

  /// The field's bits in place.
  @inline(__always)
  public var mask: UInt8 { UInt8(truncatingIfNeeded: (1 &<< UInt16(width)) &- 1) &<< lowest }

  @inline(__always)
  public func callAsFunction(_ value: Value) -> Change {
    Change(mask: mask, bits: (value.fieldBits &<< lowest) & mask)
  }

  /// Returns the value in a register's contents; `nil` for an undefined code.
  @inline(__always)
  public func value(in contents: UInt8) -> Value? {
    Value(fieldBits: (contents & mask) &>> lowest)
  }
}

extension Bits where Value == UInt8 {
  /// Creates the bits `range` of a number.
  @inline(__always)
  public init(_ range: ClosedRange<UInt8>) {
    lowest = range.lowerBound
    width = range.upperBound - range.lowerBound + 1
  }
}

/// Creates one bit of a register that is a switch or a flag.
@inline(__always)
public func Bit(_ position: UInt8) -> Bits<Bool> { Bits(position...position) }

/// Some bits of an 8-bit register and their wanted values.
public typealias Change = BitChange<UInt8>

/// The same of a 16-bit register.
public typealias WideChange = BitChange<UInt16>

/// Some bits of a register and their wanted values: data that serves to write, to modify and to
/// verify alike.
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

  /// No bits at all.
  @inline(__always)
  public static var nothing: BitChange { BitChange(mask: 0, bits: 0) }

  /// Returns both changes; where they touch the same bit the second holds.
  @inline(__always)
  public static func | (a: BitChange, b: BitChange) -> BitChange {
    BitChange(mask: a.mask | b.mask, bits: a.bits & ~b.mask | b.bits)
  }

  @inline(__always)
  public func applied(to contents: Raw) -> Raw { contents & ~mask | bits }

  /// Returns true where `contents` already are as this change would make them.
  public func holds(in contents: Raw) -> Bool { contents & mask == bits }
}
