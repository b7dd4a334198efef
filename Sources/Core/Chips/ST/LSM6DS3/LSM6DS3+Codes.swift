// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

extension LSM6DS3Map {
  /// The output data rates of both sensors and the FIFO. Only the accelerometer has the two fastest
  /// rates.
  public enum OutputRate: UInt8, FieldValue, CaseIterable {
    case off = 0, hz12, hz26, hz52, hz104, hz208, hz416, hz833, hz1660, hz3330, hz6660
  }

  /// The full scales of the accelerometer in the order of their codes, which is not ascending.
  public enum AccelFullScale: UInt8, FieldValue, CaseIterable { case g2 = 0, g16, g4, g8 }

  /// The full scales of the gyroscope. A code consists of two bits for the range and a lowest bit
  /// that selects 125 degrees per second, whatever the range is.
  public enum GyroFullScale: UInt8, FieldValue, CaseIterable {
    case dps245 = 0, dps125, dps500
    case dps1000 = 4
    case dps2000 = 6
  }

  public enum QueueMode: UInt8, FieldValue, CaseIterable {
    case bypass = 0, untilFull
    case continuousUntilTrigger = 3
    case bypassUntilTrigger, reserved, continuous
  }

  /// The decimation factor of a sensor in the FIFO: with a factor of n, the FIFO stores every n-th
  /// sample.
  public enum Decimation: UInt8, FieldValue, CaseIterable {
    case absent = 0, every1, every2, every3, every4, every8, every16, every32
  }
}

extension LSM6DS3Map.OutputRate {
  public var hertz: Scalar { Scalar(Int(hertzTimes2)) / 2 }

  /// The time between two samples in nanoseconds, rounded, or 0 if the sensor is off. The type has
  /// 32 bits so that division is fast on small processors.
  var periodNanoseconds: UInt32 {
    let hertzTimes2 = UInt32(hertzTimes2)
    return hertzTimes2 == 0 ? 0 : (4_000_000_000 / hertzTimes2 + 1) / 2
  }

  /// Twice the output rate in Hz, from one table of small numbers. Not inlined, so that the program
  /// holds only one copy of the table.
  @inline(never)
  private var hertzTimes2: UInt16 {
    switch self {
    case .off: 0
    case .hz12: 25
    case .hz26: 52
    case .hz52: 104
    case .hz104: 208
    case .hz208: 416
    case .hz416: 832
    case .hz833: 1666
    case .hz1660: 3320
    case .hz3330: 6660
    case .hz6660: 13320
    }
  }
}

extension LSM6DS3Map.AccelFullScale: AccelerationScale {
  public var g: Scalar {
    switch self {
    case .g2: 2
    case .g4: 4
    case .g8: 8
    case .g16: 16
    }
  }

  /// The typical g per count from the data sheet: 61 micro-g at 2 g, which is 0.06 percent less
  /// than the full scale divided by 32768.
  public var gPerCount: Scalar { g * 0.0000305 }
}

extension LSM6DS3Map.GyroFullScale: RotationScale {
  public var degreesPerSecond: Scalar {
    switch self {
    case .dps125: 125
    case .dps245: 245
    case .dps500: 500
    case .dps1000: 1000
    case .dps2000: 2000
    }
  }

  /// The typical degrees per second per count. The converter's range exceeds the nominal full
  /// scale.
  public var degreesPerSecondPerCount: Scalar {
    switch self {
    case .dps125: 0.004375
    case .dps245: 0.00875
    case .dps500: 0.0175
    case .dps1000: 0.035
    case .dps2000: 0.07
    }
  }

  public var radiansPerCount: Scalar { radians(fromDegrees: degreesPerSecondPerCount) }
}

extension LSM6DS3Map.Decimation {
  /// The decimation factor of the sensor in the FIFO; 0 if the sensor's samples are not stored
  /// there.
  public var factor: Int { rawValue < 5 ? Int(rawValue) : 1 << (Int(rawValue) - 2) }
}
