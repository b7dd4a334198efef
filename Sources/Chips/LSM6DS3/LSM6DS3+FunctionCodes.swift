// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

// Codes of the filters, self-tests and embedded functions, as ST's lsm6ds3-pid and lsm6ds3tr-c-pid
// name them.
extension LSM6DS3Map {
  /// The analogue filter before the accelerometer's converter, of the 0x69 parts.
  public enum AntiAlias: UInt8, FieldValue, CaseIterable {
    case hz400 = 0, hz200, hz100, hz50
  }

  /// The accelerometer's second low-pass: a part of the output rate. Not in the order of size.
  public enum LowPass: UInt8, FieldValue, CaseIterable {
    case rateBy50 = 0, rateBy100, rateBy9, rateBy400
  }

  /// The force that the accelerometer's self-test adds.
  public enum AccelStimulus: UInt8, FieldValue, CaseIterable {
    case off = 0, positive, negative
  }

  /// The turn that the gyroscope's self-test adds.
  public enum GyroStimulus: UInt8, FieldValue, CaseIterable {
    case off = 0, positive
    case negative = 3
  }

  /// The angle from an axis within which "up" is on its side.
  public enum TurnAngle: UInt8, FieldValue, CaseIterable {
    case degrees80 = 0, degrees70, degrees60, degrees50
  }

  /// Below this on all axes is free fall.
  public enum FreeFallThreshold: UInt8, FieldValue, CaseIterable {
    case mg156 = 0, mg219, mg250, mg312, mg344, mg406, mg469, mg500
  }
}

extension LSM6DS3TRCMap {
  /// The gyroscope's first low-pass, which it has at its two fastest rates.
  public enum GyroLowPass: UInt8, FieldValue, CaseIterable {
    case strong = 0, normal, light, aggressive
  }

  /// The effect of inactivity on the gyroscope; the accelerometer goes to 12.5 Hz.
  public enum Inactivity: UInt8, FieldValue, CaseIterable {
    case off = 0, gyroAsBefore, gyroSleeps, gyroPoweredDown
  }
}

extension LSM6DS3Map.AntiAlias {
  public var hertz: Scalar { Scalar(400 >> Int(rawValue)) }
}

extension LSM6DS3Map.LowPass {
  /// The number that the output rate is divided by.
  public var divisor: Scalar {
    switch self {
    case .rateBy9: 9
    case .rateBy50: 50
    case .rateBy100: 100
    case .rateBy400: 400
    }
  }
}

extension LSM6DS3Map.TurnAngle {
  public var degrees: Scalar { 80 - 10 * Scalar(rawValue) }
}

extension LSM6DS3Map.FreeFallThreshold {
  public var g: Scalar {
    let g: InlineArray<8, Scalar> = [0.156, 0.219, 0.250, 0.312, 0.344, 0.406, 0.469, 0.500]
    return g[Int(rawValue)]
  }
}

extension LSM6DS3TRCMap.GyroLowPass {
  /// Hz, at an output rate of 833 and of 1660 Hz (LSM6DS3TR-C data sheet, revision 3, table 68: one
  /// source; ST's names for the same filter at 6.66 kHz, 173 to 937 Hz, are in the same order).
  public func hertz(at rate: LSM6DS3Map.OutputRate) -> Scalar? {
    switch (self, rate) {
    case (.aggressive, .hz833): 293
    case (.strong, .hz833): 245
    case (.normal, .hz833): 195
    case (.light, .hz833): 155
    case (.aggressive, .hz1660): 505
    case (.strong, .hz1660): 315
    case (.normal, .hz1660): 224
    case (.light, .hz1660): 168
    default: nil
    }
  }
}
