// SPDX-License-Identifier: Apache-2.0
public import Registers

/// The manufacturer's self-test of a chip: a type nested in the chip as `SelfTest`.
public protocol ChipSelfTest {
  associatedtype Chip: RegisterChip
  associatedtype Step: ChipStep

  /// True for all but `NoSelfTest`.
  static var exists: Bool { get }

  /// Returns the task of a step. The steps replace those of a start from its `configure` on.
  static func task(_ driver: inout RegisterDriver<Chip, some ChipBus>, at step: Step)
    throws(ChipError) -> ChipTask

  /// Reads a sample if one is available, for a step that collects samples, and adds it to the
  /// driver's `trial`.
  static func read(
    _ driver: inout RegisterDriver<Chip, some ChipBus>, at step: Step, into batch: inout RawBatch)
    throws(ChipError)

  /// Returns the results after the last step.
  static func report(of driver: borrowing RegisterDriver<Chip, some ChipBus>) -> SelfTestReport
}

extension ChipSelfTest {
  @inlinable @inline(__always)
  public static var exists: Bool { true }
}

/// The self-test of a chip without one.
public enum NoSelfTest<Chip: RegisterChip>: ChipSelfTest {
  /// There are no values of this type.
  public struct Step: ChipStep {
    public init?(rawValue: UInt8) { nil }
    public var rawValue: UInt8 { 0 }
  }

  @inlinable @inline(__always)
  public static var exists: Bool { false }

  public static func task(
    _ driver: inout RegisterDriver<Chip, some ChipBus>, at step: Step
  ) throws(ChipError) -> ChipTask { .next }

  public static func read(
    _ driver: inout RegisterDriver<Chip, some ChipBus>, at step: Step, into batch: inout RawBatch
  ) throws(ChipError) {}

  public static func report(
    of driver: borrowing RegisterDriver<Chip, some ChipBus>
  ) -> SelfTestReport { SelfTestReport() }
}
