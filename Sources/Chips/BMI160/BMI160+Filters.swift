// SPDX-License-Identifier: Apache-2.0
public import Quantities

// What the filters let through: figures of the data sheet BST-BMI160-DS000-07, sections 2.4.1 and
// 2.4.2, as CurieIMU's driver of the chip gives them too; oversampled twice and four times
// "approximately" a half and a quarter.
extension BMI160Map.Rate {
  /// The frequency at which the accelerometer's normal filter has lost 3 dB, Hz, in x and y; z is
  /// narrower from 400 Hz on (155, 262, 353).
  public var accelCutoff: Scalar {
    let hertz: InlineArray<7, Scalar> = [10.12, 20.25, 40.5, 80, 162, 324, 684]
    return hertz[Int(rawValue) - 6]
  }

  /// The frequency at which the gyroscope's normal filter has lost 3 dB, Hz.
  public var gyroCutoff: Scalar {
    let hertz: InlineArray<7, Scalar> = [10.7, 20.8, 39.9, 74.6, 136.6, 254.6, 523.9]
    return hertz[Int(rawValue) - 6]
  }

  /// The number of the accelerometer's own samples, 1600 a second, for one at this rate.
  var samplesPerOutput: Scalar { 1600 / hertz }
}

extension BMI160Map.FilterMode {
  /// Oversampled by so much, a filter lets so much less through.
  public var divisor: Scalar { Scalar(4 >> Int(rawValue)) }

  /// The number of samples that are averaged in undersampling.
  public var averagedSamples: Scalar { Scalar(1 << Int(rawValue)) }

  /// The frequency at which that average has lost 3 dB, Hz: of n samples at 1600 Hz where sin(n x)
  /// = n sin(x) / sqrt(2); of one, the accelerometer's own filter.
  public var averageCutoff: Scalar {
    switch self {
    case .oversampled4: 684
    case .oversampled2: 400
    case .normal: 182
    }
  }
}
