// SPDX-License-Identifier: Apache-2.0

/// All registers of one chip, as stored properties of type `Register`.
public protocol RegisterMap: Sendable {
  init()
}

/// The registers of a part that has most of them in common with a relative: those that are its own,
/// and at all other addresses those of `Base`, but what it lacks.
public protocol DerivedMap: RegisterMap {
  associatedtype Base: RegisterMap
  /// Tells whether the part lacks the register that its relative has at `address`.
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

/// The side effect of reading a register.
public enum ReadEffect: UInt8, Sendable {
  case none
  /// Reading clears it.
  case clears
  /// Each byte read leaves a queue; the address does not advance in a burst.
  case popsQueue
}

/// One 8-bit register: where it is, what may be done to it, what it holds after reset, which fields
/// it has. A row is read by driver, chip model, dump and documentation alike.
///
/// The fields are a tuple of `Bits`, or a structure of them where they are passed on by their type;
/// a field alone is `Bits` by itself. Their names are the only names they have.
public struct Register<Layout: Sendable, Access: RegisterAccess>: Sendable {
  public let address: UInt8
  /// The contents after power-up; `nil` where they are measured values or not documented.
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

  /// Returns the change that `fields` describes, for a write, a verification or a table.
  @inline(__always)
  public func change(_ fields: (Layout) -> Change) -> Change { fields(layout) }

  /// Returns the value read from it, with its fields.
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

/// A register of eight bits that mean one number or one part of a wider word.
public struct WholeByte: Sendable {
  public let value = Bits<UInt8>(0...7)
  @inline(__always)
  public init() {}
}

/// A value read from a register, with its layout at hand.
public struct Contents<Layout: Sendable>: Sendable {
  public let raw: UInt8
  public let layout: Layout

  @inline(__always)
  public init(raw: UInt8, _ layout: Layout) {
    self.raw = raw
    self.layout = layout
  }

  /// Returns the value of a field; `nil` where the code is undefined.
  @inline(__always)
  public func callAsFunction<Value>(_ field: (Layout) -> Bits<Value>) -> Value? {
    field(layout).value(in: raw)
  }
}
