// SPDX-License-Identifier: Apache-2.0

/// Consecutive whole-byte registers in one row of a map: the output of three axes, a word, a block
/// of trim values. A register dump names each byte.
public struct RegisterRun<Access: RegisterAccess>: Sendable {
  /// The meaning of the bytes, which decides the suffixes of their names.
  public enum Pattern: Equatable, Sendable, BitwiseCopyable {
    /// `0`, `1` and so on.
    case bytes
    /// `X`, `Y`, `Z`.
    case axes
    /// `High` and `Low`; for several words `1High`, `1Low`, `2High` and so on.
    case words(ByteOrder)
    /// `XHigh`, `XLow`, `YHigh` and so on.
    case axisWords(ByteOrder)
  }

  /// The address of the first byte.
  public let address: UInt8
  public let count: UInt8
  public let pattern: Pattern
  /// The contents of each byte, or word, after power-up; `nil` for measured values and undocumented
  /// registers.
  let reset: UInt16?
  public let effect: ReadEffect

  @inline(__always)
  init(
    _ address: UInt8, _ count: UInt8, _ pattern: Pattern, reset: UInt16?, effect: ReadEffect
  ) {
    self.address = address
    self.count = count
    self.pattern = pattern
    self.reset = reset
    self.effect = effect
  }

  /// The first byte, where a read of all bytes in one transaction starts.
  @inline(__always)
  public var first: Register<WholeByte, Access> { self[0] }

  /// Returns the byte at `index`.
  @inline(__always)
  public subscript(index: UInt8) -> Register<WholeByte, Access> {
    Register(address &+ index, reset: reset(at: index), effect: effect)
  }
}

extension RegisterRun {
  @inline(__always)
  private func reset(at index: UInt8) -> UInt8? {
    guard let reset else { return nil }
    let isHigh =
      switch pattern {
      case .bytes, .axes: false
      case .words(let order), .axisWords(let order): (order == .highFirst) == (index & 1 == 0)
      }
    return UInt8(truncatingIfNeeded: isHigh ? reset >> 8 : reset)
  }
}

extension Register where Layout == WholeByte {
  /// Creates a run of bytes numbered from 0.
  @inline(__always)
  public static func bytes(
    _ address: UInt8, _ count: UInt8, reset: UInt8? = 0
  ) -> RegisterRun<Access> {
    RegisterRun(address, count, .bytes, reset: reset.map { UInt16($0) }, effect: .none)
  }

  /// Creates one byte for each of three axes.
  @inline(__always)
  public static func axes(_ address: UInt8, reset: UInt8? = 0) -> RegisterRun<Access> {
    RegisterRun(address, 3, .axes, reset: reset.map { UInt16($0) }, effect: .none)
  }

  /// Creates one or more two-byte words.
  @inline(__always)
  public static func words(
    _ address: UInt8, _ order: ByteOrder, count: UInt8 = 1, reset: UInt16? = 0,
    effect: ReadEffect = .none
  ) -> RegisterRun<Access> {
    RegisterRun(address, count &* 2, .words(order), reset: reset, effect: effect)
  }

  /// Creates one word for each of three axes.
  @inline(__always)
  public static func axisWords(
    _ address: UInt8, _ order: ByteOrder, reset: UInt16? = 0, effect: ReadEffect = .none
  ) -> RegisterRun<Access> {
    RegisterRun(address, 6, .axisWords(order), reset: reset, effect: effect)
  }
}

/// Consecutive whole-byte registers in another bank.
public struct BankedRun<Access: RegisterAccess>: Sendable {
  public let bank: UInt8
  public let run: RegisterRun<Access>

  /// The first byte.
  @inline(__always)
  public var first: Banked<WholeByte, Access> { Banked(bank, run.first) }
}

extension RegisterRun {
  /// Returns the same run in another bank.
  @inline(__always)
  public func inBank(_ bank: UInt8) -> BankedRun<Access> { BankedRun(bank: bank, run: self) }
}
