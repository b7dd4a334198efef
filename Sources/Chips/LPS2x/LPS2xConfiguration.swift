// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The codes that the driver writes into the chip's registers. `LPS2x.configure` finds them from
/// physical settings; firmware whose settings never change names them, and then nothing that
/// searches is linked.
public struct LPS2xConfiguration: ChipCodes {
  public let part: LPS2xPart
  /// ODR of CTRL_REG1.
  let rate: UInt8
  let filter: LPS22HBMap.Filter
  public let acquisition: Acquisition
  /// Low power averages as little as there is, or runs at low current, and leaves the chip alone
  /// for longer.
  public let power: PowerMode
  public let interruptPin: InterruptPin
  /// The identity to go by instead of the one that the chip gives.
  public let assumedIdentity: UInt8?

  /// Creates a configuration of an LPS25H, of codes as they stand in the registers (ST DocID023722
  /// revision 6, section 8).
  ///
  /// - Parameters:
  ///   - rate: Samples per second, the ODR bits of CTRL_REG1; not `oneShot`.
  ///   - acquisition: `dataReady` or `polling`.
  ///   - power: `normal` averages 512 conversions of pressure and 64 of temperature, `low` 8 of
  ///     each.
  ///   - interruptPin: The way in which INT1 drives its line.
  ///   - assumedIdentity: For a clone that says something else than 0xBD.
  @inline(__always)
  public init(
    rate: LPS25HMap.Rate, acquisition: Acquisition, power: PowerMode = .normal,
    interruptPin: InterruptPin = InterruptPin(), assumedIdentity: UInt8? = nil
  ) {
    self.init(
      .lps25h, rate.rawValue, .half, acquisition, power, interruptPin, assumedIdentity)
  }

  /// Creates a configuration of an LPS22HB, of codes as they stand in the registers (ST DocID027083
  /// revision 6, section 9).
  ///
  /// - Parameters:
  ///   - rate: Samples per second, the ODR bits of CTRL_REG1; not `oneShot`.
  ///   - filter: The low-pass filter of the pressure, EN_LPFP and LPFP_CFG.
  ///   - acquisition: `dataReady` or `polling`.
  ///   - power: `low` sets LC_EN of RES_CONF.
  ///   - interruptPin: The way in which INT_DRDY drives its line.
  ///   - assumedIdentity: For a clone that says something else than 0xB1.
  @inline(__always)
  public init(
    rate: LPS22HBMap.Rate, filter: LPS22HBMap.Filter, acquisition: Acquisition,
    power: PowerMode = .normal, interruptPin: InterruptPin = InterruptPin(),
    assumedIdentity: UInt8? = nil
  ) {
    self.init(.lps22hb, rate.rawValue, filter, acquisition, power, interruptPin, assumedIdentity)
  }

  @inline(__always)
  init(
    _ part: LPS2xPart, _ rate: UInt8, _ filter: LPS22HBMap.Filter, _ acquisition: Acquisition,
    _ power: PowerMode, _ interruptPin: InterruptPin, _ assumedIdentity: UInt8?
  ) {
    self.part = part
    self.rate = rate
    self.filter = filter
    self.acquisition = acquisition
    self.power = power
    self.interruptPin = interruptPin
    self.assumedIdentity = assumedIdentity
  }

  @inline(__always)
  public func isPossible(isSPI: Bool) -> Bool {
    rate > 0 && (acquisition == .dataReady || acquisition == .polling) && interruptPin.number == 1
  }

  @inline(__always)
  public var abilities: DriverAbilities {
    DriverAbilities(acquisition).union(power == .low ? .lowPower : [])
  }

  public func makeClock() -> SampleClock { SampleClock(rate: hertz, tolerance: 0.1) }

  var hertz: Scalar { part.hertz(rate) ?? 1 }

  /// Returns line `index` of the configuration; `nil` past the last, which starts conversions.
  /// Block update: a word's bytes are of one sample.
  func line(_ index: Int) -> RegisterValue? {
    let isLow = power == .low
    let isReady = acquisition == .dataReady
    if part == .lps25h {
      let map = LPS25HMap()
      return switch index {
      case 0:
        RegisterValue(map.resolution) {
          $0.temperatureAverage(isLow ? 0 : 3) | $0.pressureAverage(isLow ? 0 : 3)
        }
      case 1:
        RegisterValue(map.control3) {
          $0.activeLow(interruptPin.isActiveLow) | $0.openDrain(interruptPin.isOpenDrain)
        }
      case 2: RegisterValue(map.control4) { $0.dataReady(isReady) }
      case 3:
        RegisterValue(map.control1) {
          $0.isActive(true) | $0.rate(LPS25HMap.Rate(rawValue: rate) ?? .hz1) | $0.blockUpdate(true)
        }
      default: nil
      }
    }
    let map = LPS22HBMap()
    return switch index {
    case 0: RegisterValue(map.resolution) { $0.lowCurrent(isLow) }
    case 1: RegisterValue(map.control2) { $0.addressIncrement(true) }
    case 2:
      RegisterValue(map.control3) {
        $0.activeLow(interruptPin.isActiveLow) | $0.openDrain(interruptPin.isOpenDrain)
          | $0.dataReady(isReady)
      }
    case 3:
      RegisterValue(map.control1) {
        $0.rate(LPS22HBMap.Rate(rawValue: rate) ?? .hz1) | $0.filter(filter) | $0.blockUpdate(true)
      }
    default: nil
    }
  }
}

// Physical settings turned into what the chip has.
extension LPS2xConfiguration {
  /// Creates the codes of `part` nearest to `settings`, which become what the chip really has.
  public init(nearest settings: inout SensorSettings, of part: LPS2xPart, isSPI: Bool) {
    // The slowest rate that is not slower than asked.
    var rate: UInt8 = 1
    while rate < part.fastest, let hertz = part.hertz(rate), hertz < settings.rate * 0.999 {
      rate += 1
    }
    let hertz = part.hertz(rate) ?? 1
    // The widest filter within the bandwidth that is wanted.
    var filter = LPS22HBMap.Filter.half
    if part == .lps22hb, let bandwidth = settings.bandwidth {
      if filter.relativeBandwidth * hertz > bandwidth * 1.001 { filter = .ninth }
      if filter.relativeBandwidth * hertz > bandwidth * 1.001 { filter = .twentieth }
    }
    settings.rate = hertz
    settings.bandwidth = filter.relativeBandwidth * hertz
    // No queue is used, and there is no bus behind it, and nothing that it detects.
    if settings.acquisition == .fifo { settings.acquisition = .polling }
    settings.passesThrough = false
    settings.detection.kinds = []
    self.init(
      part, rate, filter, settings.acquisition, settings.power, settings.interruptPin,
      settings.assumedIdentity)
  }

  /// Creates the codes; `nil` where a rate is not positive and finite or beyond the chip, or the
  /// pin is not its own.
  public init?(checking settings: inout SensorSettings, of part: LPS2xPart, isSPI: Bool) {
    guard settings.acquisition != .detections, settings.interruptPin.number == 1,
      let fastest = part.hertz(part.fastest), settings.rate > 0, settings.rate <= fastest * 1.001
    else { return nil }
    self.init(nearest: &settings, of: part, isSPI: isSPI)
  }
}

/// The rows of the family. None stands in for the other: registers and wire formats differ.
public enum LPS2xPart: UInt8, CaseIterable, ChipPart {
  case lps25h = 0xBD
  case lps22hb = 0xB1

  public init?(identity: UInt8) { nil }

  public func says(_ identity: UInt8) -> Bool { identity == rawValue }

  public static var expected: LPS2xPart { .lps22hb }

  /// Returns the samples per second of the rate field's code; `nil` past the last.
  func hertz(_ code: UInt8) -> Scalar? {
    switch (self, code) {
    case (_, 1): 1
    case (.lps25h, 2): 7
    case (.lps25h, 3): 12.5
    case (.lps25h, 4): 25
    case (.lps22hb, 2): 10
    case (.lps22hb, 3): 25
    case (.lps22hb, 4): 50
    case (.lps22hb, 5): 75
    default: nil
    }
  }

  /// The code of the fastest rate.
  var fastest: UInt8 { self == .lps25h ? 4 : 5 }

  /// The part's wire format. Of the LPS25H bit 7 of the sub-address advances an I2C burst and bit 6
  /// of the command an SPI burst (DocID023722, section 5.1); the LPS22HB advances by itself
  /// (IF_ADD_INC).
  public var wireFormat: WireFormat {
    self == .lps25h ? WireFormat(i2cIncrement: 0x80, spiMultiple: 0x40) : WireFormat()
  }

  /// Counts a degree, and the temperature at 0 (DocID023722, 8.17; DocID027083, 9.19).
  public var countsPerDegree: Scalar { self == .lps25h ? 480 : 100 }
  public var zeroCountsDegrees: Scalar { self == .lps25h ? 42.5 : 0 }
}

/// Facts of the family without a part at hand.
extension LPS2xChip {
  /// 4096 counts a hectopascal.
  public static var countsPerKilopascal: Scalar { 40_960 }

  /// A frame: pressure (3 bytes) and temperature (2), low bytes first.
  public static var frameSize: Int { 5 }

  /// Returns the output data rates in Hz, fastest first.
  public static func rate(at index: Int, of part: LPS2xPart) -> Scalar? {
    index < 0 || index >= Int(part.fastest) ? nil : part.hertz(part.fastest - UInt8(index))
  }
}
