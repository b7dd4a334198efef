// SPDX-License-Identifier: Apache-2.0
public import Buses

/// Why a driver gave up on its chip. Numbers only; whoever speaks to a person turns them into names.
public enum ChipError: Error, Equatable, Sendable {
  /// A transaction on `register` failed.
  case bus(BusError, register: UInt8)
  /// The identity register holds none of the chip's known values.
  case identity(found: UInt8, register: UInt8)
  /// The reset bit did not clear in the time the chip's document allows.
  case resetTimedOut
  /// A configuration register does not hold what was written.
  case rejected(register: UInt8, wrote: UInt8, readBack: UInt8)
  /// The chip cannot sample that fast, that wide or that way.
  case unsupportedSetting

  /// The bus error inside, where there is one.
  public var busError: BusError? {
    if case .bus(let error, _) = self { error } else { nil }
  }
}
