// SPDX-License-Identifier: Apache-2.0
public import Registers

/// The register codes for a chip's settings. `configure` finds the codes for physical settings.
/// Firmware with fixed settings specifies the codes directly, so that the search is not linked into
/// it.
public protocol ChipConfiguration: Sendable {
  associatedtype Part: ChipPart

  /// Creates the register codes for the fastest rate and the widest ranges of all sensors.
  init()

  /// The part of the chip family to which the register codes belong.
  var part: Part { get set }
  var readout: ReadoutMode { get set }
  /// Makes a clock for the sample rate, with the manufacturer's tolerance for the chip's
  /// oscillator.
  func makeClock() -> SampleClock
  /// The abilities that a driver needs for these register codes. By default these are the abilities
  /// of the readout mode.
  var abilities: DriverAbilities { get }

  /// Returns these register codes, but with constants for settings that need an ability outside
  /// `abilities`.
  func narrowed(to abilities: DriverAbilities) -> Self

  /// Returns the limits for the settings of `part`.
  static func limits(of part: Part, power: PowerMode) -> SettingLimits

  /// Chooses the register codes nearest to `settings`, and sets `settings` to the values that these
  /// codes represent. The part and the readout mode are already set, and the request is already
  /// within the part's limits.
  mutating func choose(_ settings: inout SensorSettings, isSPI: Bool)

  /// Computes the register codes that depend on other codes.
  mutating func finalize()

  /// Creates the register codes of `part` that come nearest to `settings`, and sets `settings` to
  /// the values that these codes represent.
  init(nearest settings: inout SensorSettings, of part: Part, isSPI: Bool)

  /// Returns true if a chip supports this combination of register codes.
  func isPossible(isSPI: Bool) -> Bool

  /// The physical settings of these register codes, from which another part of the family can
  /// choose its own codes; `nil` if no other part is allowed.
  var settings: SensorSettings? { get }
}

extension ChipConfiguration {
  /// Creates register codes with this readout mode. `choose` sets the other codes.
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
    finalize()
  }

  /// Creates the register codes nearest to `settings`. Returns `nil` if a rate or range is not
  /// positive and finite or exceeds the part's limits, or if `settings` request only detections
  /// that the part does not have.
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
  public mutating func finalize() {}

  @inlinable @inline(__always)
  package var acquisition: Acquisition { readout.acquisition }

  @inlinable @inline(__always)
  package var power: PowerMode { readout.power }

  @inlinable @inline(__always)
  package var interruptPin: InterruptPin { readout.interruptPin }
}

extension ChipConfiguration where Part: OnlyPart {
  /// The family has only one part, so setting the part has no effect.
  @inlinable @inline(__always)
  public var part: Part {
    get { .expected }
    set {}
  }
}

/// Register codes that alone determine the contents of every register, without any state of the
/// driver.
public protocol ListedCodes: ChipConfiguration {
  associatedtype Row: ConfigurationRow

  /// Returns the register write at `index` of the configuration sequence; `nil` after the last
  /// write, which starts conversions.
  func row(_ index: Int) -> Row?
}

/// A part of a family of chips, selected by the identity read from the chip.
public protocol ChipPart: Equatable, Sendable {
  /// Creates the part for `identity`; `nil` for an identity outside the family.
  init?(identity: UInt8)

  /// Returns true if a chip with `identity` is this part.
  func says(_ identity: UInt8) -> Bool

  /// The part that is assumed until the chip's identity has been read.
  static var expected: Self { get }
}

/// The only part of its family.
public protocol OnlyPart: ChipPart {}

/// A part with the identity `identity`, which is the only part of its family.
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
