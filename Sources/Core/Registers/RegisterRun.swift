// SPDX-License-Identifier: Apache-2.0

/// Consecutive registers of one byte each, declared together in a map: the outputs of three axes, a
/// word, or a block of trim values. A register dump names each byte.
public struct RegisterRun<Access: RegisterAccess>: Sendable {
  /// The meaning of the bytes in a run of registers. It determines the suffixes of the registers'
  /// names.
  public enum Pattern: Equatable, Sendable, BitwiseCopyable {
    /// The suffixes of the registers' names are `0`, `1` and so on.
    case bytes
    /// The suffixes of the registers' names are `X`, `Y` and `Z`.
    case axes
    /// The suffixes of the registers' names are `High` and `Low`; for several words `1High`,
    /// `1Low`, `2High` and so on.
    case words(ByteOrder)
    /// The suffixes of the registers' names are `XHigh`, `XLow`, `YHigh` and so on.
    case axisWords(ByteOrder)
  }

  /// The address of the run's first byte.
  public let address: UInt8
  public let count: UInt8
  public let pattern: Pattern
  /// The contents of each byte, or of each word, after power-up; `nil` for measured values and
  /// undocumented registers.
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

  /// The register of the first byte, at which a read of all bytes in one transaction starts.
  @inline(__always)
  public var first: Register<WholeByte, Access> { self[0] }

  /// Returns the register at `index` within the run.
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
  /// Creates a run of registers, one byte each, that are numbered from 0.
  @inline(__always)
  public static func bytes(
    _ address: UInt8, _ count: UInt8, reset: UInt8? = 0
  ) -> RegisterRun<Access> {
    RegisterRun(address, count, .bytes, reset: reset.map { UInt16($0) }, effect: .none)
  }

  /// Creates a run of registers with one byte for each of three axes.
  @inline(__always)
  public static func axes(_ address: UInt8, reset: UInt8? = 0) -> RegisterRun<Access> {
    RegisterRun(address, 3, .axes, reset: reset.map { UInt16($0) }, effect: .none)
  }

  /// Creates a run of registers with one or more two-byte words.
  @inline(__always)
  public static func words(
    _ address: UInt8, _ order: ByteOrder, count: UInt8 = 1, reset: UInt16? = 0,
    effect: ReadEffect = .none
  ) -> RegisterRun<Access> {
    RegisterRun(address, count &* 2, .words(order), reset: reset, effect: effect)
  }

  /// Creates a run of registers with one word for each of three axes.
  @inline(__always)
  public static func axisWords(
    _ address: UInt8, _ order: ByteOrder, reset: UInt16? = 0, effect: ReadEffect = .none
  ) -> RegisterRun<Access> {
    RegisterRun(address, 6, .axisWords(order), reset: reset, effect: effect)
  }
}

/// Consecutive registers of one byte each, in a bank other than bank 0.
public struct BankedRun<Access: RegisterAccess>: Sendable {
  public let bank: UInt8
  public let run: RegisterRun<Access>

  /// The register of the run's first byte.
  @inline(__always)
  public var first: Banked<WholeByte, Access> { Banked(bank, run.first) }
}

extension RegisterRun {
  /// Returns the same run of registers in bank `bank`.
  @inline(__always)
  public func inBank(_ bank: UInt8) -> BankedRun<Access> { BankedRun(bank: bank, run: self) }
}
