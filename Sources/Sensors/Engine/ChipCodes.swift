// SPDX-License-Identifier: Apache-2.0
public import Registers

/// The codes in a chip's registers that are its settings. A driver finds the codes for physical
/// settings in `configure`; firmware whose settings never change names them, and then nothing that
/// searches is linked.
public protocol ChipCodes: Sendable {
  associatedtype Part: ChipPart

  /// Creates the codes of the fastest rate and the widest ranges of all sensors.
  init()

  /// The part that the codes are for.
  var part: Part { get set }
  var readout: Readout { get set }
  /// Makes a clock for the rate of the samples, which the chip's oscillator keeps as well as its
  /// maker says.
  func makeClock() -> SampleClock
  /// The abilities that a driver must have for them; by default those of the readout.
  var abilities: DriverAbilities { get }

  /// Returns the same codes, with settings that take none of `abilities` as constants.
  func narrowed(to abilities: DriverAbilities) -> Self

  /// Returns the ends of what `part` can be asked for.
  static func limits(of part: Part, power: PowerMode) -> SettingLimits

  /// Chooses the codes nearest to `settings`, which become what they are. The part and the readout
  /// are set already, and nothing is asked for any more that is not within the part's limits.
  mutating func choose(_ settings: inout SensorSettings, isSPI: Bool)

  /// Works out what follows from the codes that were chosen or named.
  mutating func settle()

  /// Creates the nearest codes that `part` has to `settings`, which become those settings.
  init(nearest settings: inout SensorSettings, of part: Part, isSPI: Bool)

  /// Returns true where a chip can run so: for codes that were named.
  func isPossible(isSPI: Bool) -> Bool

  /// The physical settings that these codes are, for another part to take over; `nil` where no
  /// other may.
  var settings: SensorSettings? { get }
}

extension ChipCodes {
  /// Creates codes that are read out like this, the others as `choose` sets them.
  @inlinable @inline(__always)
  public init(_ readout: Readout, _ choose: (inout Self) -> Void = { _ in }) {
    self.init()
    self.readout = readout
    choose(&self)
  }

  public init(nearest settings: inout SensorSettings, of part: Part, isSPI: Bool) {
    settings.keep(Self.limits(of: part, power: settings.power))
    self.init()
    self.part = part
    readout = Readout(settings)
    choose(&settings, isSPI: isSPI)
    settle()
  }

  /// Creates the codes nearest to `settings`; `nil` for a rate or range that is not positive and
  /// finite or beyond the part, and where it can detect nothing of what it alone is asked for.
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

extension ChipCodes where Part: OnlyPart {
  /// There is no other to set.
  @inlinable @inline(__always)
  public var part: Part {
    get { .expected }
    set {}
  }
}

/// Codes that say by themselves what every register is to hold.
public protocol ListedCodes: ChipCodes {
  associatedtype Line: ConfigurationLine

  /// Returns line `index` of the configuration; `nil` past the last, which starts conversions.
  func line(_ index: Int) -> Line?
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

/// The one part of its family.
public protocol OnlyPart: ChipPart {}

/// The one part of its family, which says `identity`.
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
