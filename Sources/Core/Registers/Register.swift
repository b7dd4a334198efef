// SPDX-License-Identifier: Apache-2.0

/// All registers of one chip, as stored properties of type `Register`.
public protocol RegisterMap: Sendable {
  init()
}

/// The register map of a part that shares most registers with a relative: the part's own registers,
/// and at all other addresses those of `Base`, except the registers it lacks.
public protocol DerivedMap: RegisterMap {
  associatedtype Base: RegisterMap
  /// Returns true if the part lacks the register that its relative has at `address`.
  static func lacks(_ address: UInt8) -> Bool
}

extension DerivedMap {
  public static func lacks(_ address: UInt8) -> Bool { false }
}

/// The access that a register allows, as a type, so that reading a write-only register does not
/// compile.
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

/// The side effect of a read.
public enum ReadEffect: UInt8, Sendable {
  case none
  /// Reading clears the register.
  case clears
  /// Each byte read is removed from a FIFO; the address does not advance in a burst.
  case popsQueue
}

/// One 8-bit register: its address, access, contents after reset and fields. Driver, chip model,
/// register dump and documentation all read the same row.
///
/// The fields are a tuple of `Bits`, or a structure where a generic function takes the layout; a
/// single field is a `Bits` itself. The names in the layout are the only names of the fields.
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

  /// Returns the change that `fields` describes, for writing, verifying or a table.
  @inline(__always)
  public func change(_ fields: (Layout) -> Change) -> Change { fields(layout) }

  /// Returns the contents `raw` with the register's fields.
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

/// The layout of a register that holds one number or one byte of a wider word.
public struct WholeByte: Sendable {
  public let value = Bits<UInt8>(0...7)
  @inline(__always)
  public init() {}
}

/// Contents read from a register, with its layout.
public struct Contents<Layout: Sendable>: Sendable {
  public let raw: UInt8
  public let layout: Layout

  @inline(__always)
  public init(raw: UInt8, _ layout: Layout) {
    self.raw = raw
    self.layout = layout
  }

  /// Decodes a field; `nil` if the code is undefined.
  @inline(__always)
  public func callAsFunction<Value>(_ field: (Layout) -> Bits<Value>) -> Value? {
    field(layout).value(in: raw)
  }
}
