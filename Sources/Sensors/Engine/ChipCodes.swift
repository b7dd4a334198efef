// SPDX-License-Identifier: Apache-2.0
public import Registers

/// What a chip's registers say of its settings. A driver finds the codes for physical settings in `configure`; firmware whose
/// settings never change names them, and then nothing that searches is linked.
public protocol ChipCodes: Sendable {
  associatedtype Part: ChipPart

  /// The part that the codes are for.
  var part: Part { get }
  /// How samples leave the chip.
  var acquisition: Acquisition { get }
  /// The identity to go by instead of the one that the chip gives.
  var assumedIdentity: UInt8? { get }
  /// Makes a clock for the rate of the samples, which the chip's oscillator keeps as well as its maker says.
  func makeClock() -> SampleClock
  /// What a driver must be able to do for them.
  var abilities: DriverAbilities { get }

  /// The same, with what takes none of `abilities` as a constant.
  func narrowed(to abilities: DriverAbilities) -> Self

  /// The nearest that `part` has to `settings`, which become what it is.
  init(nearest settings: inout SensorSettings, of part: Part, isSPI: Bool)

  /// The same; `nil` for a rate or range that is not positive and finite or beyond the chip.
  init?(checking settings: inout SensorSettings, of part: Part, isSPI: Bool)

  /// Whether a chip can run so: for codes that were named.
  func isPossible(isSPI: Bool) -> Bool

  /// The physical settings that these codes are, for another part to take over; `nil` where no other may.
  var settings: SensorSettings? { get }
}

/// A row of a family of chips, which the identity that is read from a chip selects.
public protocol ChipPart: Equatable, Sendable {
  /// The row of `identity`; `nil` for one that is not of the family.
  init?(identity: UInt8)

  /// Whether a chip that says `identity` is this part.
  func says(_ identity: UInt8) -> Bool

  /// What is expected of a chip that was not asked yet.
  static var expected: Self { get }
}

extension ChipCodes {
  public var settings: SensorSettings? { nil }

  @inline(__always)
  public func narrowed(to abilities: DriverAbilities) -> Self { self }
}
