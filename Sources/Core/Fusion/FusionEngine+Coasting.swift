// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

/// The tilt and the rotation rate of a device whose gyroscope is silent. The rate decays from the
/// last known rate, and gravity corrects both. Both horizontal axes share one variance of the tilt.
/// The variance of the heading grows.
struct Coast: Equatable, Sendable {
  /// The estimated rotation rate, rad/s, device axes.
  var rate: Vector3
  /// The time up to which the attitude has been propagated.
  var time: Timestamp
  private var level: RandomTurn
  private var heading = RandomTurn(variance: 0)
  /// Correlation time of the rate, s.
  private let tau: Scalar

  /// The variance of the tilt, rad^2.
  var tilt: Scalar { level.angle }

  init(rate: Vector3, lasting tau: Scalar, tilt: Scalar, at time: Timestamp) {
    self.rate = rate
    self.tau = tau
    self.time = time
    level = RandomTurn(variance: tilt)
  }

  /// Predicts over an interval of any length. `square` is the mean square of the rotation rate,
  /// (rad/s)^2 per axis. Returns the rotation in that interval, rad.
  mutating func predict(_ interval: Scalar, square: Scalar) -> Vector3 {
    let (kept, span) = level.predict(interval, tau: tau, square: square)
    heading.predict(interval, tau: tau, square: square)
    defer { rate = rate * kept }
    return rate * span
  }

  /// Returns the gains with which gravity, measured with the variance `noise`, corrects tilt and
  /// rate.
  mutating func observe(noise: Scalar) -> (tilt: Scalar, rate: Scalar) {
    level.observe(noise: noise)
  }

  /// Returns the variance that was added to the heading since the last call, rad^2.
  mutating func takeHeading() -> Scalar { heading.takeAngle() }
}

/// The covariance of an angle and its rate, where the rate is an Ornstein-Uhlenbeck process.
private struct RandomTurn: Equatable, Sendable {
  private(set) var angle: Scalar
  private var both = 0.0
  private var rate = 0.0

  init(variance: Scalar) { angle = variance }

  /// Predicts the covariance exactly over an interval of any length, for a rate with the
  /// correlation time `tau`, s, and the mean square `square`, (rad/s)^2. Returns the share of the
  /// rate that remains, and the time, s, in which the full rate would give the same turn.
  @discardableResult
  mutating func predict(_ interval: Scalar, tau: Scalar, square: Scalar) -> (Scalar, Scalar) {
    let kept = exp(-interval / tau)
    let span = tau * (1 - kept)
    angle +=
      span * (2 * both + span * rate)
      + square * tau * (2 * interval - tau * (1 - kept) * (3 - kept))
    both = kept * (both + span * rate) + square * span * (1 - kept)
    rate = kept * kept * rate + square * (1 - kept * kept)
    return (kept, span)
  }

  mutating func observe(noise: Scalar) -> (tilt: Scalar, rate: Scalar) {
    let inverse = 1 / (angle + noise)
    let gains = (tilt: angle * inverse, rate: both * inverse)
    rate -= gains.rate * both
    both -= gains.tilt * both
    angle -= gains.tilt * angle
    return gains
  }

  mutating func takeAngle() -> Scalar {
    defer { angle = 0 }
    return angle
  }
}

extension FusionEngine {
  /// True if the gyroscope is silent or repeats a value, so that the attitude follows the
  /// accelerometer.
  @inlinable
  public var isCoasting: Bool { state.trust.isCoasting }

  /// The faults in recent samples: those in the filter's current epoch and in the previous epoch.
  public var faults: SensorFaults { state.trust.faults.union(state.trust.newFaults) }

  /// Returns true if the gyroscope cannot be used at `time`, because it is silent, hung or at
  /// fault.
  @inline(__always)
  func isGyroscopeSilent(at time: Timestamp) -> Bool {
    guard let last = state.gyroscope.time else { return true }
    if state.gyroscope.repeats.isHung || state.trust.refused > 0 { return true }
    return isSilent(since: last, at: time, interval: state.gyroscope.interval)
  }

  /// Returns true if a sensor with the sample interval `interval` has sent nothing for so long that
  /// it counts as silent.
  @inline(__always)
  func isSilent(since last: Timestamp, at time: Timestamp, interval: Scalar) -> Bool {
    guard time > last else { return false }
    let pause = max(Scalar(params.epoch), params.silentSamples * interval)
    return Scalar(Self.interval(from: last, to: time) ?? 0) > pause
  }

  /// Ends an epoch in which the accelerometer became silent or hung; from then on the attitude
  /// follows the gyroscope alone. `before` is the time stamp of the previous rotation rate. If
  /// `before` is not newer than the last acceleration, the accelerometer does not count as silent
  /// yet, because both sensors may have slowed down together.
  mutating func carryOn(
    after before: Timestamp?, _ recorder: inout some EpochRecorder
  ) {
    guard let last = state.accelerometer.repeats.lastTime, let now = state.gyroscope.time,
      let before
    else {
      return
    }
    let isHung = state.accelerometer.repeats.isHung
    guard
      isHung
        || before > last
          && isSilent(since: last, at: now, interval: state.accelerometer.interval)
    else { return }
    state.trust.newFaults.insert(isHung ? .accelerometerHung : .accelerometerSilent)
    let rest = state.epoch.turningTime - state.epoch.elapsed
    let missing = rest > 0 ? Scalar(rest) : 0
    state.epoch.turned.add(state.attitude.strapdown.rotationMatrix, times: missing)
    state.epoch.turn += state.gyroscope.unbiasedRate * missing
    state.epoch.elapsed = state.epoch.turningTime
    finishEpoch(hasForce: false, at: now, &recorder)
  }

  /// Increases the variance of the velocity for a time without accelerations, based on the recent
  /// mean square of the acceleration.
  mutating func missForce(_ seconds: Scalar) {
    let gained = standardGravity * seconds
    let variance = state.velocity.transientSquare / 3 * gained * gained
    let most = coefficients.mostVelocity
    state.errors.widen(velocity: variance < most ? variance : most)
  }

  /// Propagates the attitude with the accelerometer only. A pause of the accelerometer is treated
  /// as a longer step, whose variance includes the possible rotation during the pause.
  mutating func coast(
    _ force: Vector3, at time: Timestamp, _ recorder: inout some EpochRecorder
  ) {
    var coast = state.trust.coast ?? startedCoast(at: time, &recorder)
    state.trust.newFaults.insert(
      state.trust.refused > 0
        ? .gyroscopeRefuted : state.gyroscope.repeats.isHung ? .gyroscopeHung : .gyroscopeSilent)
    let seconds = Self.interval(from: coast.time, to: time) ?? 0
    let interval = Scalar(seconds < longestPause ? seconds : longestPause)
    coast.time = time
    if state.trust.refused > 0 { state.trust.refused -= Seconds(interval) }
    let turn = coast.predict(interval, square: state.gyroscope.rateSquare)
    state.attitude.strapdown = state.attitude.strapdown * Quaternion(smallRotation: turn)
    correctCoast(&coast, by: force, over: interval)
    state.attitude.corrected.advance(interval)
    state.epoch.elapsed += Seconds(interval)
    state.trust.coast = coast
    if state.epoch.elapsed >= coefficients.epoch {
      noteCoast()
      finishEpoch(hasForce: false, at: time, &recorder)
    }
  }

  /// Ends the epoch of the gyroscope's last samples, and returns the initial state for coasting.
  private mutating func startedCoast(
    at time: Timestamp, _ recorder: inout some EpochRecorder
  ) -> Coast {
    if state.epoch.turningTime > 0 {
      state.epoch.elapsed = max(state.epoch.elapsed, state.epoch.turningTime)
      finishEpoch(hasForce: state.epoch.count > 0, at: time, &recorder)
    }
    state.epoch = Epoch()
    state.attitude.latencyCompensation = .identity
    state.trust.isCoasting = true
    let tau = correlationTime
    // The mean square lags behind a rotation that has just begun, so use the newest rate if it is
    // larger.
    let newest = state.gyroscope.turnRate.dot(state.gyroscope.turnRate) / 3
    if newest > state.gyroscope.rateSquare { state.gyroscope.rateSquare = newest }
    var coast = Coast(
      rate: state.gyroscope.turnRate, lasting: tau, tilt: state.errors.largestTiltVariance,
      at: state.gyroscope.time ?? time)
    if state.gyroscope.repeats.isHung {
      // While the gyroscope repeated its value, the attitude was propagated with that value, so add
      // the variance of this time.
      _ = coast.predict(Scalar(state.gyroscope.repeats.same), square: state.gyroscope.rateSquare)
    }
    return coast
  }

  /// The recent correlation time of the rotation rate, s. Within an epoch of length `t`, the mean
  /// square change of the rate is `2 S (1 - exp(-t / tau))`, where `S` is the mean square of the
  /// rate.
  private var correlationTime: Scalar {
    let most = params.velocityTau
    guard state.gyroscope.rateSquare > 0 else { return most }
    let kept = 1 - state.gyroscope.rateChange / (2 * state.gyroscope.rateSquare)
    guard kept < 1 else { return most }
    // Correlation times cannot be measured if they are shorter than half an epoch, or longer than
    // the averaging time of these squares.
    let least = exp(Scalar(-2))
    return min(most, -state.gyroscope.lastEpoch / log(kept > least ? kept : least))
  }

  /// Rotates the attitude towards the specific force, weighted by the variances of both.
  private mutating func correctCoast(_ coast: inout Coast, by force: Vector3, over interval: Scalar)
  {
    let attitude = state.attitude.inclination * state.attitude.strapdown
    guard interval > 0, let up = force.normalized.map({ attitude.rotate($0) }) else { return }
    let square = force.dot(force)
    let off = square.squareRoot() - 1
    state.accelerometer.square +=
      gain(interval, tau: params.velocityTau) * (square - state.accelerometer.square)
    let beyond = state.accelerometer.square > 1 ? state.accelerometer.square - 1 : 0
    let own = (beyond + off * off) / 3 + coefficients.restAcceleration
    let gains = coast.observe(noise: own * Scalar(params.epoch) / interval)
    // The shortest rotation that makes the specific force vertical.
    let angle = acos(up.z > 1 ? 1 : up.z < -1 ? -1 : up.z)
    let across = sqrt(up.x * up.x + up.y * up.y)
    let axis =
      across > 1e-6 ? Vector3(up.y, -up.x, 0) / across : up.z > 0 ? .zero : Vector3(1, 0, 0)
    let turn = axis * angle
    state.attitude.inclination =
      (Quaternion(smallRotation: turn * gains.tilt) * state.attitude.inclination).normalized
    coast.rate += attitude.conjugate.rotate(turn * gains.rate)
  }

  /// Sets the covariance of the attitude while coasting. The tilt comes from the accelerometer, so
  /// it is no longer correlated with the gyroscope's errors.
  private mutating func noteCoast() {
    guard var coast = state.trust.coast else { return }
    state.errors.forgetTilt(variance: coast.tilt)
    let most = unknownHeading - state.errors.headingVariance
    let heading = coast.takeHeading()
    state.errors.widen(tilt: 0, heading: heading < most ? heading : most > 0 ? most : 0)
    if state.errors.biasVariance < coefficients.anyBias {
      state.errors.widen(
        bias: Matrix3(diagonal: coefficients.biasWalk * Scalar(state.epoch.elapsed)))
    }
    state.trust.coast = coast
  }

  /// Ends coasting when the gyroscope delivers samples again.
  mutating func finishCoasting(_ recorder: inout some EpochRecorder) {
    noteCoast()
    state.trust.coast = nil
    state.trust.isCoasting = false
    // The uncertainty of the heading is a radian or more, so let the next field measurement set the
    // heading directly.
    if state.errors.headingVariance > 1 { forgetHeading(&recorder) }
    state.epoch = Epoch()
    state.rest = RestDetector()
    state.trust.monitor.restart()
    state.accelerometer.newest = nil
    state.accelerometer.step = .zero
    noteTiltSigma()
    loseVelocity(&recorder)
    recorder.forget([.tilt, .heading])
  }
}
