// SPDX-License-Identifier: Apache-2.0
public import Quantities

extension FusionEngine {
  /// The gyroscope: its newest sample, its estimated errors, and statistics of the rotation.
  @usableFromInline struct GyroscopeState: Equatable, Sendable {
    /// The latest measured rotation rate, rad/s, device axes, and its difference from the previous
    /// rate.
    var rate = Vector3.zero
    var step = Vector3.zero
    var time: Timestamp?
    /// Mean interval between two rotation rates, s.
    var interval = 0.0
    var ends = RangeEnds(least: SensorRange.leastRotationRate)
    var quantum = Quantum()
    /// The number of axes on which the latest rotation rate is at an end of the range.
    var axesAtEnd = 0
    var repeats: RepeatCheck
    var held = HeldRate()

    /// The estimated bias, rad/s, device axes.
    @usableFromInline var bias = Vector3.zero
    /// The matrix that corrects a rate after subtracting the bias.
    @usableFromInline var matrix = Matrix3.identity
    /// The assumed variance of the errors of the gyroscope's correction matrix, relative to the
    /// variance in `Params`.
    var errorRatio = 1.0

    /// The latest rotation rate without the bias, and the same rate corrected by the matrix. Both
    /// use the estimates at the time of the sample.
    var unbiasedRate = Vector3.zero
    var turnRate = Vector3.zero
    /// The mean of the corrected rate over the magnetometer's delay relative to the gyroscope,
    /// rad/s.
    var lateTurnRate = Vector3.zero

    /// Mean square of the rotation rate per axis, (rad/s)^2.
    var rateSquare = 0.0
    /// The rate at the end of the last epoch, rad/s, and the length of that epoch, s.
    private var lastRate = Vector3.zero
    private(set) var lastEpoch = 0.0
    /// Mean square of the change of the rate from one epoch to the next, per axis, (rad/s)^2.
    private(set) var rateChange = 0.0

    init(_ params: Params) { repeats = RepeatCheck(params) }

    /// Corrects the latest rotation rate with the current estimates.
    mutating func correctRate() {
      unbiasedRate = rate - bias
      turnRate = matrix * unbiasedRate
      lateTurnRate = turnRate
    }

    /// Updates the mean squares of the rotation rate and of its change with the values of one
    /// epoch. `share` is the weight of the epoch in the means.
    mutating func follow(_ epoch: borrowing Epoch, interval: Scalar, share: Scalar) {
      let turning = epoch.turning / Scalar(epoch.turningTime) / 3
      rateSquare += share * (turning - rateSquare)
      let change = unbiasedRate - lastRate
      (lastRate, lastEpoch) = (unbiasedRate, interval)
      rateChange += share * (change.dot(change) / 3 - rateChange)
    }
  }
}
