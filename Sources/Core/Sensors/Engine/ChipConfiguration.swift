// SPDX-License-Identifier: Apache-2.0
public import Registers

/// The register codes for a chip's settings. `configure` finds the codes for physical settings;
/// firmware with fixed settings names the codes, and then no code that searches for them is linked.
public protocol ChipConfiguration: Sendable {
  associatedtype Part: ChipPart

  /// Creates the codes for the fastest rate and the widest ranges of all sensors.
  init()

  /// The part that the codes are for.
  var part: Part { get set }
  var readout: ReadoutMode { get set }
  /// Makes a clock for the sample rate, with the manufacturer's tolerance for the chip's
  /// oscillator.
  func makeClock() -> SampleClock
  /// The abilities that a driver needs for these codes; by default those of the readout.
  var abilities: DriverAbilities { get }

  /// Returns the same codes, in which settings that need none of `abilities` are constants.
  func narrowed(to abilities: DriverAbilities) -> Self

  /// Returns the limits for settings of `part`.
  static func limits(of part: Part, power: PowerMode) -> SettingLimits

  /// Chooses the codes nearest to `settings`, and replaces `settings` by their actual values. The
  /// part and the readout are already set, and the request is already within the part's limits.
  mutating func choose(_ settings: inout SensorSettings, isSPI: Bool)

  /// Derives the remaining codes from those chosen or named.
  mutating func settle()

  /// Creates the codes of `part` nearest to `settings`, and replaces `settings` by their actual
  /// values.
  init(nearest settings: inout SensorSettings, of part: Part, isSPI: Bool)

  /// Returns true if a chip supports this combination of named codes.
  func isPossible(isSPI: Bool) -> Bool

  /// The physical settings of these codes, for another part of the family to use; `nil` if no
  /// other part is allowed.
  var settings: SensorSettings? { get }
}

extension ChipConfiguration {
  /// Creates codes with this readout, and the other codes as `choose` sets them.
  @inlinable @inline(__always)
  public init(_ readout: ReadoutMode, _ choose: (inout Self) -> Void = { _ in }) {
    self.init()
    self.readout = readout
    choose(&self)
  }

  public init(nearest settings: inout SensorSettings, of part: Part, isSPI: Bool) {
    settings.keep(Self.limits(of: part, power: settings.power))
    self.init()
    self.part = part
    readout = ReadoutMode(settings)
    choose(&settings, isSPI: isSPI)
    settle()
  }

  /// Creates the codes nearest to `settings`; `nil` for a rate or range that is not positive and
  /// finite or exceeds the part's limits, and where the settings request only detections that the
  /// part does not have.
  public init?(checking settings: inout SensorSettings, of part: Part, isSPI: Bool) {
    guard settings.isWithin(Self.limits(of: part, power: settings.power)) else { return nil }
    let isDetecting = settings.acquisition == .detections
    self.init(nearest: &settings, of: part, isSPI: isSPI)
    if isDetecting, acquisition != .detections || settings.detection.kinds.isEmpty { return nil }
  }

  @inlinable @inline(__always)
  public var abilities: DriverAbilities { readout.abilities }

  @inlinable @inline(__always)
  public func narrowed(to abilities: DriverAbilities) -> Self {
    var narrowed = self
    narrowed.readout = readout.narrowed(to: abilities)
    return narrowed
  }

  public var settings: SensorSettings? { nil }

  @inlinable @inline(__always)
  public mutating func settle() {}

  @inlinable @inline(__always)
  package var acquisition: Acquisition { readout.acquisition }

  @inlinable @inline(__always)
  package var power: PowerMode { readout.power }

  @inlinable @inline(__always)
  package var interruptPin: InterruptPin { readout.interruptPin }
}

extension ChipConfiguration where Part: OnlyPart {
  /// A family of one part: setting it has no effect.
  @inlinable @inline(__always)
  public var part: Part {
    get { .expected }
    set {}
  }
}

/// Codes that determine the contents of every register without further state.
public protocol ListedCodes: ChipConfiguration {
  associatedtype Line: ConfigurationLine

  /// Returns row `index` of the configuration; `nil` past the last row, which starts conversions.
  func line(_ index: Int) -> Line?
}

/// A row of a family of chips, selected by the identity read from the chip.
public protocol ChipPart: Equatable, Sendable {
  /// Creates the row for `identity`; `nil` for an identity outside the family.
  init?(identity: UInt8)

  /// Returns true if a chip with `identity` is this part.
  func says(_ identity: UInt8) -> Bool

  /// The part that is assumed until the identity was read.
  static var expected: Self { get }
}

/// The only part of its family.
public protocol OnlyPart: ChipPart {}

/// The only part of its family, with this `identity`.
public struct SinglePart<let identity: Int>: OnlyPart {
  @inlinable @inline(__always)
  init() {}

  @inlinable @inline(__always)
  public init?(identity said: UInt8) {
    guard Int(said) == identity else { return nil }
  }

  @inlinable @inline(__always)
  public static var expected: SinglePart<identity> { SinglePart() }
}

extension ChipPart {
  public func says(_ identity: UInt8) -> Bool { Self(identity: identity) == self }
}

extension ChipPart where Self: RawRepresentable<UInt8> {
  public init?(identity: UInt8) { self.init(rawValue: identity) }
}
