// SPDX-License-Identifier: Apache-2.0
public import Registers

/// The manufacturer's self-test of a chip. A chip's type declares its self-test as a nested type
/// with the name `SelfTest`.
public protocol ChipSelfTest {
  associatedtype Chip: RegisterChip
  associatedtype Step: ChipStep

  /// True for every type of self-test except `NoSelfTest`.
  static var exists: Bool { get }

  /// Returns what the engine does in a step of the self-test. In a self-test, these steps replace
  /// the start steps from `configure` on.
  static func action(_ driver: inout RegisterDriver<Chip, some ChipBus>, at step: Step)
    throws(ChipError) -> StepAction

  /// Reads a sample if one is available and adds it to the driver's `testProgress`. This function
  /// is called in steps that collect samples.
  static func read(
    _ driver: inout RegisterDriver<Chip, some ChipBus>, at step: Step, into batch: inout RawBatch)
    throws(ChipError)

  /// Returns the results of the self-test, after its last step.
  static func report(of driver: borrowing RegisterDriver<Chip, some ChipBus>) -> SelfTestReport
}

extension ChipSelfTest {
  @inlinable @inline(__always)
  public static var exists: Bool { true }
}

/// The type for chips that have no self-test.
public enum NoSelfTest<Chip: RegisterChip>: ChipSelfTest {
  /// An empty type of steps, because a chip without a self-test has no steps.
  public struct Step: ChipStep {
    public init?(rawValue: UInt8) { nil }
    public var rawValue: UInt8 { 0 }
  }

  @inlinable @inline(__always)
  public static var exists: Bool { false }

  public static func action(
    _ driver: inout RegisterDriver<Chip, some ChipBus>, at step: Step
  ) throws(ChipError) -> StepAction { .next }

  public static func read(
    _ driver: inout RegisterDriver<Chip, some ChipBus>, at step: Step, into batch: inout RawBatch
  ) throws(ChipError) {}

  public static func report(
    of driver: borrowing RegisterDriver<Chip, some ChipBus>
  ) -> SelfTestReport { SelfTestReport() }
}
