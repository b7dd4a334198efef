// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

extension BMI160Map {
  /// Output data rates that both sensors have. The accelerometer also goes lower and the gyroscope
  /// to 3200 Hz; those are left out, because sensors of one rate share every frame of the queue and
  /// every time stamp.
  public enum Rate: UInt8, FieldValue, CaseIterable {
    case hz25 = 6, hz50, hz100, hz200, hz400, hz800, hz1600
  }

  /// The setting of the filter in front of the output; code 3 is reserved. In the accelerometer's
  /// undersampling (`accUs`) the same codes average 1, 2 and 4 samples of 1600 Hz (data sheet
  /// BST-BMI160-DS000-07, section 2.4.1.2), and there are more of them, which need more current.
  public enum FilterMode: UInt8, FieldValue, CaseIterable {
    case oversampled4 = 0, oversampled2, normal
  }

  /// Full scale of the accelerometer.
  public enum AccelRange: UInt8, FieldValue, CaseIterable {
    case g2 = 3
    case g4 = 5
    case g8 = 8
    case g16 = 12
  }

  /// Full scale of the gyroscope.
  public enum GyroRange: UInt8, FieldValue, CaseIterable {
    case dps2000 = 0, dps1000, dps500, dps250, dps125
  }

  /// The power mode of a sensor in PMU_STATUS.
  public enum PowerMode: UInt8, FieldValue, CaseIterable {
    case suspend = 0, normal, lowPower, fastStart
  }

  /// The commands of CMD.
  public enum Command: UInt8, FieldValue, CaseIterable {
    case fastOffsetCompensation = 0x03
    case accelSuspend = 0x10
    case accelNormal = 0x11
    case accelLowPower = 0x12
    case gyroSuspend = 0x14
    case gyroNormal = 0x15
    case gyroFastStart = 0x17
    case magSuspend = 0x18
    case magNormal = 0x19
    case magLowPower = 0x1A
    case programNVM = 0xA0
    case fifoFlush = 0xB0
    case interruptReset = 0xB1
    case softReset = 0xB6
  }
}

extension BMI160Map.Rate {
  /// Samples per second: 100 / 2^(8 - code).
  public var hertz: Scalar { Scalar(25 << (Int(rawValue) - 6)) }
}

extension BMI160Map.AccelRange {
  public var g: Scalar {
    switch self {
    case .g2: 2
    case .g4: 4
    case .g8: 8
    case .g16: 16
    }
  }

  /// Typical counts per g (data sheet, sensitivity).
  public var countsPerG: Scalar { 32768 / g }

  /// Its inverse, exactly: both are powers of two.
  var gPerCount: Scalar { g / 32768 }
}

extension BMI160Map.GyroRange {
  public var degreesPerSecond: Scalar { Scalar(2000 >> Int(rawValue)) }

  var radiansPerSecond: Scalar { radians(fromDegrees: degreesPerSecond) }

  /// Typical counts per degree per second (data sheet, sensitivity). Public drivers differ by up to
  /// 0.9 %: Linux rounds to whole micro-rad/s, Zephyr divides the range by 65535.
  public var countsPerDegreePerSecond: Scalar { 16.4 * Scalar(1 << Int(rawValue)) }
}
