// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

extension ICM42688PMap {
  /// Output data rates. 32, 16 and 4 kHz are left out of what the driver offers: I2C at 400 kHz
  /// carries 2 kHz of both sensors, and a chip's rates are the same on any wire.
  public enum Rate: UInt8, FieldValue, CaseIterable {
    case khz32 = 1, khz16, khz8, khz4, hz2000, hz1000, hz200, hz100, hz50, hz25, hz12_5, hz6_25,
      hz3_125, hz1_5625, hz500
  }

  /// Full scale of the accelerometer.
  public enum AccelRange: UInt8, FieldValue, CaseIterable {
    case g16 = 0, g8, g4, g2
  }

  /// Full scale of the gyroscope: each half of the one before.
  public enum GyroRange: UInt8, FieldValue, CaseIterable {
    case dps2000 = 0, dps1000, dps500, dps250, dps125, dps62_5, dps31_25, dps15_625
  }

  /// The low-pass in front of the output, by its bandwidth: half of the rate, or of the rate or 400
  /// Hz, what is more, the part that is named. In the accelerometer's low power the same codes are
  /// averages of 1 and of 16 samples.
  public enum Filter: UInt8, FieldValue, CaseIterable {
    case half = 0, quarter, fifth, eighth, tenth, sixteenth, twentieth, fortieth
    case lowLatency = 14, lowLatency8
  }

  /// The modes of a sensor; `lowPower` is the accelerometer's alone, `standby` the gyroscope's.
  public enum PowerMode: UInt8, FieldValue, CaseIterable {
    case off = 0, standby, lowPower, lowNoise
  }

  public enum FIFOMode: UInt8, FieldValue, CaseIterable {
    case bypass = 0, stream, stopWhenFull, stopWhenFullToo
  }

  /// The wire that the chip is to ignore.
  public enum Interface: UInt8, FieldValue, CaseIterable {
    case neither = 0, neitherToo, spi, i2c
  }
}

extension ICM42688PMap.Rate {
  /// Samples per second.
  public var hertz: Scalar {
    switch self {
    case .khz32, .khz16, .khz8, .khz4, .hz2000, .hz1000:
      Scalar(32000 >> (Int(rawValue) - 1))
    case .hz500: 500
    default: 200 / Scalar(1 << (Int(rawValue) - 7))
    }
  }
}

extension ICM42688PMap.AccelRange {
  public var g: Scalar { Scalar(16 >> Int(rawValue)) }

  /// Typical (table 2): 2048 a g at 16 g.
  var gPerCount: Scalar { g / 32768 }
}

extension ICM42688PMap.GyroRange {
  public var degreesPerSecond: Scalar { 2000 / Scalar(1 << Int(rawValue)) }

  var radiansPerSecond: Scalar { radians(fromDegrees: degreesPerSecond) }

  /// Typical (table 1): 16.4 a degree per second at 2000.
  public var countsPerDegreePerSecond: Scalar { 16.4 * Scalar(1 << Int(rawValue)) }
}

extension ICM42688PMap.Filter {
  /// Returns its bandwidth at `rate`, in Hz (sections 5.5 to 5.6, where the filters are of second
  /// order).
  func cutoff(at rate: Scalar) -> Scalar {
    let base = max(rate, 400)
    return switch self {
    case .half: rate / 2
    case .quarter: base / 4
    case .fifth: base / 5
    case .eighth: base / 8
    case .tenth: base / 10
    case .sixteenth: base / 16
    case .twentieth: base / 20
    case .fortieth: base / 40
    case .lowLatency: base
    case .lowLatency8: max(8 * rate, 200)
    }
  }
}
