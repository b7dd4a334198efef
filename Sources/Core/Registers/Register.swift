// SPDX-License-Identifier: Apache-2.0

/// All registers of a chip, as stored properties of type `Register`.
public protocol RegisterMap: Sendable {
  init()
}

/// The register map of a part that shares most registers with a related part. The map has the
/// part's own registers; at all other addresses it has the registers of `Base`, except the
/// registers that the part lacks.
public protocol DerivedMap: RegisterMap {
  associatedtype Base: RegisterMap
  /// Returns true if the part lacks the register that `Base` has at `address`.
  static func lacks(_ address: UInt8) -> Bool
}

extension DerivedMap {
  public static func lacks(_ address: UInt8) -> Bool { false }
}

/// The kind of access that a register allows. It is a type, so that a read of a write-only register
/// does not compile.
public protocol RegisterAccess: Sendable {
  static var isReadable: Bool { get }
  static var isWritable: Bool { get }
}
public protocol ReadableAccess: RegisterAccess {}
public protocol WritableAccess: RegisterAccess {}

public enum ReadOnly: ReadableAccess {
  public static var isReadable: Bool { true }
  public static var isWritable: Bool { false }
}
public enum ReadWrite: ReadableAccess, WritableAccess {
  public static var isReadable: Bool { true }
  public static var isWritable: Bool { true }
}
public enum WriteOnly: WritableAccess {
  public static var isReadable: Bool { false }
  public static var isWritable: Bool { true }
}

/// The side effect of a read of a register.
public enum ReadEffect: UInt8, Sendable {
  case none
  /// A read clears the register.
  case clears
  /// A read of a byte removes that byte from a FIFO. In a burst the address does not advance.
  case popsQueue
}

/// An 8-bit register: its address, access, contents after a reset and fields. The driver, the
/// chip's model, the register dump and the documentation all use this one description.
///
/// The fields are a tuple of `Bits`, or a structure if a generic function needs the layout's type.
/// The layout of a register with a single field is that field's `Bits`. The labels in the layout
/// are the names of the fields.
public struct Register<Layout: Sendable, Access: RegisterAccess>: Sendable {
  public let address: UInt8
  /// The contents after power-up; `nil` for measured values and undocumented registers.
  public let reset: UInt8?
  public let effect: ReadEffect
  public let layout: Layout

  @inline(__always)
  public init(
    _ address: UInt8, reset: UInt8? = 0, effect: ReadEffect = .none, _ layout: Layout
  ) {
    self.address = address
    self.reset = reset
    self.effect = effect
    self.layout = layout
  }

  /// Returns the change that `fields` makes, for a write, a verification or a table row.
  @inline(__always)
  public func change(_ fields: (Layout) -> Change) -> Change { fields(layout) }

  /// Returns the raw contents `raw` together with the register's layout, so that fields can be
  /// decoded.
  @inline(__always)
  public func contents(_ raw: UInt8) -> Contents<Layout> { Contents(raw: raw, layout) }
}

extension Register where Layout == WholeByte {
  @inline(__always)
  public init(_ address: UInt8, reset: UInt8? = 0, effect: ReadEffect = .none) {
    self.init(address, reset: reset, effect: effect, WholeByte())
  }
}

/// A register that can only be read.
public typealias RO<Layout: Sendable> = Register<Layout, ReadOnly>

/// A register that can be read and written.
public typealias RW<Layout: Sendable> = Register<Layout, ReadWrite>

/// A register that can only be written.
public typealias WO<Layout: Sendable> = Register<Layout, WriteOnly>

/// The layout of a register that holds one number, or one byte of a wider number.
public struct WholeByte: Sendable {
  public let value = Bits<UInt8>(0...7)
  @inline(__always)
  public init() {}
}

/// The contents that were read from a register, with the register's layout.
public struct Contents<Layout: Sendable>: Sendable {
  public let raw: UInt8
  public let layout: Layout

  @inline(__always)
  public init(raw: UInt8, _ layout: Layout) {
    self.raw = raw
    self.layout = layout
  }

  /// Decodes a field of the contents; `nil` if the chip's document does not define the field's
  /// code.
  @inline(__always)
  public func callAsFunction<Value>(_ field: (Layout) -> Bits<Value>) -> Value? {
    field(layout).value(in: raw)
  }
}
