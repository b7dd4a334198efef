// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// Facts of the EX1 that are known without a part.
extension EX1Chip {
  /// Registers follow one another in a burst by themselves.
  public static var wireFormat: WireFormat { WireFormat() }
  /// Microtesla; there is one range.
  public static var range: Scalar { 800 }
  public static var countsPerMicrotesla: Scalar { 40 }

  /// The fastest first.
  public static func rate(at index: Int) -> Scalar? {
    (0...3).contains(index) ? EX1Map.Rate(rawValue: UInt8(3 - index))?.hertz : nil
  }
}

/// The one part of its family.
public enum EX1Part: UInt8, ChipPart {
  case ex1 = 0xE1

  public static var expected: EX1Part { .ex1 }
}

/// The codes that the driver writes into the chip.
public struct EX1Configuration: ChipCodes {
  public internal(set) var rate: EX1Map.Rate
  /// The identity to go by instead of the one that the chip gives.
  public internal(set) var assumedIdentity: UInt8?

  public init(rate: EX1Map.Rate, assumedIdentity: UInt8? = nil) {
    self.rate = rate
    self.assumedIdentity = assumedIdentity
  }

  public var part: EX1Part { .ex1 }
  public var acquisition: Acquisition { .polling }
  public var abilities: DriverAbilities { .polling }

  public func isPossible(isSPI: Bool) -> Bool { !isSPI }

  public func makeClock() -> SampleClock { SampleClock(rate: rate.hertz, tolerance: 0.1) }

  /// The slowest rate that is not slower than asked; what the chip has not is written back.
  public init(nearest settings: inout SensorSettings, of part: EX1Part, isSPI: Bool) {
    var rate = EX1Map.Rate.hz200
    for candidate in EX1Map.Rate.allCases.reversed()
    where candidate.hertz >= settings.rate * 0.999 {
      rate = candidate
    }
    self.init(rate: rate, assumedIdentity: settings.assumedIdentity)
    settings.rate = rate.hertz
    settings.bandwidth = rate.hertz / 2
    settings.magneticFieldRange = EX1Chip.range
    settings.acquisition = .polling
    settings.interruptPin = InterruptPin()
    settings.passesThrough = false
    settings.detection.kinds = []
  }

  public init?(checking settings: inout SensorSettings, of part: EX1Part, isSPI: Bool) {
    guard settings.acquisition != .detections, settings.rate > 0, settings.rate <= 200.2,
      settings.magneticFieldRange > 0, settings.magneticFieldRange <= EX1Chip.range * 1.001
    else { return nil }
    self.init(nearest: &settings, of: part, isSPI: isSPI)
  }

  /// The one line of the configuration, which starts conversions.
  func line(_ index: Int) -> RegisterValue? {
    index == 0 ? RegisterValue(EX1Map().control) { $0.isRunning(true) | $0.rate(rate) } : nil
  }
}
