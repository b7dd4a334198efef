// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Registers
public import Sensors

/// The codes that the driver writes into the chip's registers.
public struct AK8963Configuration: ChipCodes {
  public internal(set) var part: AK8963Part
  public internal(set) var rate: AK8963Rate
  /// BIT of CNTL1: words of 16 bits. The AK09916 has no others.
  public internal(set) var isWide: Bool
  /// The identity to go by instead of the one that the chip gives.
  public internal(set) var assumedIdentity: UInt8?

  /// Creates a configuration of codes as they stand in the registers: the mode, of CNTL1 or CNTL2,
  /// and BIT.
  @inline(__always)
  public init(
    part: AK8963Part, rate: AK8963Rate, isWide: Bool = true, assumedIdentity: UInt8? = nil
  ) {
    self.part = part
    self.rate = rate
    self.isWide = isWide
    self.assumedIdentity = assumedIdentity
  }

  /// Neither has a queue, and where they are built in none of their pins is led out.
  @inline(__always)
  public var acquisition: Acquisition { .polling }

  @inline(__always)
  public func isPossible(isSPI: Bool) -> Bool {
    rate.isOf(part) && (isWide || part == .ak8963) && !isSPI
  }

  @inline(__always)
  public var abilities: DriverAbilities { .polling }

  /// No sheet says how well the rate is kept.
  public func makeClock() -> SampleClock { SampleClock(rate: rate.hertz, tolerance: 0.1) }

  /// The one line: what a chip that measures holds and one that was reset does not.
  @inline(__always)
  var mode: RegisterValue {
    switch part {
    case .ak8963:
      RegisterValue(AK8963Map().control1) {
        $0.isWide(isWide) | $0.mode(rate == .hz100 ? .hz100 : .hz8)
      }
    case .ak09916:
      RegisterValue(AK09916Map().control2) {
        switch rate {
        case .hz100: $0.mode(.hz100)
        case .hz50: $0.mode(.hz50)
        case .hz20: $0.mode(.hz20)
        case .hz10, .hz8: $0.mode(.hz10)
        }
      }
    }
  }
}

// Physical settings turned into what the chip has.
extension AK8963Configuration {
  /// Creates the codes nearest to `settings`, which become what the chip really has.
  public init(nearest settings: inout SensorSettings, of part: AK8963Part, isSPI: Bool) {
    // The slowest rate that is not slower than asked.
    var rate = AK8963Rate.hz100
    for slower in AK8963Rate.allCases
    where slower.isOf(part) && slower.hertz >= settings.rate * 0.999 {
      rate = slower
    }
    self.init(part: part, rate: rate, assumedIdentity: settings.assumedIdentity)
    settings.rate = rate.hertz
    settings.bandwidth = rate.hertz / 2
    settings.magneticFieldRange = AK8963Chip.fullScale
    // There is neither a queue nor a pin, no bus behind it, nothing that it detects and no way to
    // take less current.
    settings.acquisition = .polling
    settings.interruptPin = InterruptPin()
    settings.passesThrough = false
    settings.detection.kinds = []
    settings.power = .normal
  }

  /// Creates the codes; `nil` where a rate or range is not positive and finite, or beyond the chip.
  public init?(checking settings: inout SensorSettings, of part: AK8963Part, isSPI: Bool) {
    guard settings.acquisition != .detections, settings.rate > 0, settings.rate <= 100.1,
      settings.magneticFieldRange > 0, settings.magneticFieldRange <= AK8963Chip.fullScale * 1.001
    else { return nil }
    self.init(nearest: &settings, of: part, isSPI: isSPI)
  }
}
