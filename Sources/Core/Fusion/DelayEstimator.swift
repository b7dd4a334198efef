// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// An estimator of the magnetometer's delay: the time from a motion to the time stamp of the sample
/// that shows the motion. If a field measurement is rotated into the reference frame with the
/// attitude at the wrong time, the result moves whenever the device turns. The regression of this
/// deviation from the mean field on `d field / d delay` gives the error of the delay.
@usableFromInline struct DelayEstimator: Equatable, Sendable {
  /// The estimated delay, s.
  @usableFromInline private(set) var delay: Scalar
  /// The variance of the delay, s^2.
  @usableFromInline private(set) var variance: Scalar
  /// The recent mean field in the reference frame, microtesla, and the averaging time, s.
  private var mean = Vector3.zero
  private var seen: Seconds = 0
  /// Sums over one epoch: the deviation from the mean field times the derivative of the field with
  /// respect to the delay, and the squares of both.
  private var product = 0.0
  private var square = 0.0
  private var straying = 0.0
  private var count = 0.0
  /// The time constant of the mean field, s: long compared with the turns of a hand, short compared
  /// with the drift of the heading.
  private let meanTau: Scalar
  /// The smallest mean square assumed for deviations of the field that the delay does not cause,
  /// microtesla^2, and their correlation time, s.
  private let straySquare: Scalar
  private let strayTime: Scalar
  /// The largest delay, s.
  private let longest: Scalar

  /// Creates the estimator with the delay in `params`; a standard deviation of zero fixes the
  /// delay. The unevenness of the field and the sampling interval come from the calibrator's
  /// parameters.
  init(_ params: FusionEngine.Params, calibrator: MagneticCalibrator.Params) {
    delay = params.magneticDelay
    variance = params.magneticDelaySigma * params.magneticDelaySigma
    meanTau = params.headingTime
    straySquare = calibrator.fieldUnevenness * calibrator.fieldUnevenness
    strayTime = Scalar(calibrator.spacing)
    longest = Self.longest(params)
  }

  /// Starts with the delay that an earlier engine learned, and with a standard deviation of at most
  /// `sigma`. A fixed delay is not changed.
  mutating func assume(_ known: Scalar, sigma: Scalar) {
    guard variance > 0, known >= 0, known <= longest, sigma >= 0 else { return }
    delay = known
    if sigma * sigma < variance { variance = sigma * sigma }
  }

  /// Returns the upper limit of the magnetometer's delay, s. Attitudes are extrapolated by at most
  /// one epoch, and the delays of the other sensors use a part of it.
  static func longest(_ params: FusionEngine.Params) -> Scalar { Scalar(params.epoch) / 2 }

  /// Adds a field measurement in microtesla, rotated into the reference frame with the current
  /// estimate of the delay, and its derivative with respect to the delay, microtesla/s.
  mutating func add(_ field: Vector3, slope: Vector3) {
    guard Scalar(seen) >= meanTau else { return }
    let stray = field - mean
    product += stray.dot(slope)
    square += slope.dot(slope)
    straying += stray.dot(stray)
    count += 1
  }

  /// Ends an epoch of `interval` seconds whose mean field in the reference frame is `field`.
  mutating func finish(_ field: Vector3, interval seconds: Seconds) {
    guard variance > 0 else { return }
    let interval = Scalar(seconds)
    let follow =
      Scalar(seen) < meanTau ? interval / (Scalar(seen) + interval) : gain(interval, tau: meanTau)
    mean += follow * (field - mean)
    seen += seconds
    guard count > 0, square > 0 else { return }
    // The field measurements of one epoch contain as much information as `interval / (2 strayTime)`
    // independent measurements.
    let strays = max(straying, straySquare * count)
    let noise = strays * 2 * strayTime / (interval * square)
    let error = product / square
    let share = variance / (variance + noise)
    delay -= share * error
    delay = delay < 0 ? 0 : delay > longest ? longest : delay
    variance = (1 - share) * variance
    product = 0
    square = 0
    straying = 0
    count = 0
  }

  /// Restarts the mean of the field, because the reference frame has rotated.
  mutating func restart() {
    mean = .zero
    seen = 0
    product = 0
    square = 0
    straying = 0
    count = 0
  }
}
