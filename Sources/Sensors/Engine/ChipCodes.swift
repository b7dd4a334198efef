// SPDX-License-Identifier: Apache-2.0
public import Registers

/// The codes in a chip's registers that are its settings. A driver finds the codes for physical
/// settings in `configure`; firmware whose settings never change names them, and then nothing that
/// searches is linked.
public protocol ChipCodes: Sendable {
  associatedtype Part: ChipPart

  /// The part that the codes are for.
  var part: Part { get }
  /// The way in which samples leave the chip.
  var acquisition: Acquisition { get }
  /// The identity to go by instead of the one that the chip gives.
  var assumedIdentity: UInt8? { get }
  /// Makes a clock for the rate of the samples, which the chip's oscillator keeps as well as its
  /// maker says.
  func makeClock() -> SampleClock
  /// The abilities that a driver must have for them.
  var abilities: DriverAbilities { get }

  /// Returns the same codes, with settings that take none of `abilities` as constants.
  func narrowed(to abilities: DriverAbilities) -> Self

  /// Creates the nearest codes that `part` has to `settings`, which become those settings.
  init(nearest settings: inout SensorSettings, of part: Part, isSPI: Bool)

  /// Creates the codes nearest to `settings`; `nil` for a rate or range that is not positive and
  /// finite or beyond the chip.
  init?(checking settings: inout SensorSettings, of part: Part, isSPI: Bool)

  /// Returns true where a chip can run so: for codes that were named.
  func isPossible(isSPI: Bool) -> Bool

  /// The physical settings that these codes are, for another part to take over; `nil` where no
  /// other may.
  var settings: SensorSettings? { get }
}

/// A row of a family of chips, which the identity that is read from a chip selects.
public protocol ChipPart: Equatable, Sendable {
  /// Creates the row of `identity`; `nil` for one that is not of the family.
  init?(identity: UInt8)

  /// Returns true where a chip that says `identity` is this part.
  func says(_ identity: UInt8) -> Bool

  /// The part that a chip is taken for until it was asked.
  static var expected: Self { get }
}

extension ChipPart {
  public func says(_ identity: UInt8) -> Bool { Self(identity: identity) == self }
}

extension ChipPart where Self: RawRepresentable<UInt8> {
  public init?(identity: UInt8) { self.init(rawValue: identity) }
}

extension ChipCodes {
  public var settings: SensorSettings? { nil }

  @inline(__always)
  public func narrowed(to abilities: DriverAbilities) -> Self { self }
}
