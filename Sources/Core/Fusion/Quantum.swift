// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

/// The quantisation step of a sensor, determined from its samples.
struct Quantum: Equatable, Sendable {
  /// The smallest nonzero change of an axis so far, in the unit of the samples; infinite before the
  /// first change.
  private(set) var size = Scalar.infinity
  /// True if a change of that size has occurred twice. Quantisation steps repeat; changes by motion
  /// do not.
  private var isRepeated = false

  /// The quantisation step; zero until the samples show one.
  var shown: Scalar { isRepeated ? size : 0 }

  /// Adds the change from one sample to the next.
  mutating func note(_ change: Vector3) {
    note(change.x.magnitude)
    note(change.y.magnitude)
    note(change.z.magnitude)
  }

  private mutating func note(_ difference: Scalar) {
    guard difference > 0, difference < size * (1 + SensorRange.calibrationShare) else {
      return
    }
    isRepeated = difference > size * (1 - SensorRange.calibrationShare)
    if difference < size { size = difference }
  }

  /// Returns the variance of the error that quantisation leaves in the mean of many samples of a
  /// constant, whose noise has the variance `variance`. Without noise it is one twelfth of the
  /// squared step. Noise that spans several steps reduces the error of the mean by the factor
  /// `exp(-2 pi^2 variance / size^2)` (B. Widrow, I. Kollar, *Quantization Noise*, Cambridge 2008:
  /// the characteristic function of the normal distribution).
  func hidden(noise variance: Scalar) -> Scalar {
    guard size < .infinity else { return 0 }
    let square = size * size
    return square / 12 * exp(-4 * .pi * .pi * variance / square)
  }
}

extension FusionEngine {
  /// The variance of the bias at rest that the gyroscope's quantisation causes, as a density,
  /// (rad/s)^2 s. This error is constant during a rest and does not average out.
  var steppedRate: Scalar {
    guard state.epoch.turningTime > 0 else { return 0 }
    // The second difference of noise has six times the variance of the noise, on each of three
    // axes.
    let noise =
      state.epoch.rateBend / (18 * Scalar(state.epoch.turningTime) * state.gyroscope.interval)
    let span = Scalar(max(state.rest.quiet, params.restTau))
    return 2 * span * state.gyroscope.quantum.hidden(noise: noise)
  }
}
