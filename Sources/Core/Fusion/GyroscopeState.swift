// SPDX-License-Identifier: Apache-2.0
public import Quantities

extension FusionEngine {
  /// The gyroscope: its newest sample, what is known of its errors, and how the device turns.
  @usableFromInline struct GyroscopeState: Equatable, Sendable {
    /// The newest rate as measured, rad/s, device axes, and its difference from the previous rate.
    var rate = Vector3.zero
    var step = Vector3.zero
    var time: Timestamp?
    /// Mean interval between two rotation rates, s.
    var interval = 0.0
    var ends = RangeEnds(least: SensorRange.leastRotationRate)
    var quantum = Quantum()
    /// The number of axes of the newest rate that are at the end of their range.
    var axesAtEnd = 0
    var repeats: RepeatCheck
    var held = HeldRate()

    /// rad/s, device axes.
    @usableFromInline var bias = Vector3.zero
    /// The matrix that corrects a rate after the bias is subtracted.
    @usableFromInline var matrix = Matrix3.identity
    /// The assumed variance of the errors of that matrix, relative to that in `Params`.
    var errorRatio = 1.0

    /// The newest rate without its bias, and that rate corrected by the matrix, both with the
    /// estimates at its time.
    var unbiasedRate = Vector3.zero
    var turnRate = Vector3.zero
    /// The mean of the corrected rate over the magnetometer's delay relative to the gyroscope,
    /// rad/s.
    var lateTurnRate = Vector3.zero

    /// Mean square of the rotation rate of one axis, (rad/s)^2.
    var rateSquare = 0.0
    /// The rate at the end of the last epoch, rad/s, and the length of that epoch, s.
    private var lastRate = Vector3.zero
    private(set) var lastEpoch = 0.0
    /// Mean square of the change of the rate from one epoch to the next, of one axis, (rad/s)^2.
    private(set) var rateChange = 0.0

    init(_ params: Params) { repeats = RepeatCheck(params) }

    /// Corrects the newest rate with the present estimates.
    mutating func correctRate() {
      unbiasedRate = rate - bias
      turnRate = matrix * unbiasedRate
      lateTurnRate = turnRate
    }

    /// Updates the mean squares of the rate and its change by those of an epoch; `share` is the
    /// epoch's share in the means.
    mutating func follow(_ epoch: borrowing Epoch, interval: Scalar, share: Scalar) {
      let turning = epoch.turning / Scalar(epoch.turningTime) / 3
      rateSquare += share * (turning - rateSquare)
      let change = unbiasedRate - lastRate
      (lastRate, lastEpoch) = (unbiasedRate, interval)
      rateChange += share * (change.dot(change) / 3 - rateChange)
    }
  }
}
