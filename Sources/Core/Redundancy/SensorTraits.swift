// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The errors that one channel of a chip is expected to have before its first sample: those of the
/// data sheet, or the errors that remain after a calibration. Values are in the channel's unit.
public struct SensorTraits: Equatable, Sendable {
  /// The nominal time between two samples, s.
  public var interval: Scalar
  /// The standard deviation of the white noise of one sample, in each axis, including the noise of
  /// rounding to a count.
  public var noise: Scalar
  /// The standard deviation of the offset, in each axis.
  public var offsetSigma: Scalar
  /// The standard deviation of the relative scale error of an axis.
  public var scaleSigma: Scalar
  /// The standard deviation of the error in the angle between two axes, rad.
  public var crossAxisSigma: Scalar
  /// The standard deviation of slow errors that calibration cannot correct: the effect of
  /// acceleration on gyroscopes, of vibration on accelerometers, of currents on the board on
  /// magnetometers, and of moving air on barometers.
  public var unsteadiness: Scalar
  /// The delay from a motion to the time stamp of the sample that shows it, s.
  public var delay: Scalar
  /// The longest time that a sample waits in the chip before it is read, s.
  public var batchInterval: Scalar
  /// The quantisation step; zero if it is not known.
  public var step: Scalar
  /// The range of the sensor, and the way back from a value to the sensor's own axes; `nil` if it
  /// is not known.
  public var range: SensorRange?

  /// Creates the traits of a part without a data sheet, sampled every `interval` seconds. The
  /// errors are those of the worst common parts.
  public init(_ channel: Channel, interval: Scalar) {
    self.interval = interval > 0 && interval.isFinite ? interval : 0.01
    let row = Unknown.row(of: channel)
    noise = row.density * (0.5 / self.interval).squareRoot()
    offsetSigma = row.offset
    scaleSigma = row.scale
    crossAxisSigma = row.crossAxis
    unsteadiness = row.unsteadiness
    delay = 0
    batchInterval = 0
    step = 0
    range = nil
  }

  /// The errors of a part without a data sheet.
  private struct Unknown {
    /// The noise, in the channel's unit / sqrt(Hz).
    let density: Scalar
    let offset: Scalar
    let scale: Scalar
    /// The cross-axis error, rad.
    let crossAxis: Scalar
    let unsteadiness: Scalar

    static func row(of channel: Channel) -> Unknown {
      switch channel {
      // The MPU-6050 is the noisiest common part. Values from PS-MPU-6000A-00, 6.1 and 6.2; limits
      // are divided by the square root of 3.
      case .rotationRate:
        Unknown(
          density: 0.005 * degree, offset: 12 * degree, scale: 0.017, crossAxis: 0.012,
          unsteadiness: 0.1 * degree)
      case .acceleration:
        Unknown(
          density: 0.0004, offset: 0.03, scale: 0.017, crossAxis: 0.012, unsteadiness: 0.002)
      // HMC5883L, 900405 rev. E, plus the hard iron of the board that a rough calibration leaves.
      case .magneticField:
        Unknown(density: 0.1, offset: 5, scale: 0.03, crossAxis: 0.02, unsteadiness: 1)
      // BMP280, BST-BMP280-DS001, table 2: accuracy of 0.1 kPa. Wind causes errors of 2 Pa.
      case .pressure:
        Unknown(density: 0.001, offset: 0.1, scale: 0, crossAxis: 0, unsteadiness: 0.002)
      default: Unknown(density: 0.1, offset: 1, scale: 0.03, crossAxis: 0, unsteadiness: 0.1)
      }
    }
  }
}

/// One degree in radians.
let degree = Scalar.pi / 180
