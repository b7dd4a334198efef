// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

// External measurements of the motion, from wheels, GNSS, a camera or a barometer. Each comes with
// a standard deviation and a time. A sample older than a second, or older than the previous one, is
// rejected.
extension FusionEngine {
  /// The axes in which a velocity is given.
  public enum VelocityAxes: UInt8, Sendable {
    /// The axes of the device, for wheel odometry.
    case device
    /// The axes of `attitude9`: X north, Y west, Z up, for GNSS. Rejected before a heading is
    /// known.
    case north
  }

  /// Adds an externally measured velocity in m/s, with `sigma` in m/s for each component. For the
  /// next three seconds the carrier's speed limit is not assumed. Returns false, and changes
  /// nothing, if a number is not finite, the sample is too old, or the axes are not known yet.
  @discardableResult
  public mutating func aid(
    velocity: Vector3, in axes: VelocityAxes, sigma: Scalar, at time: Timestamp
  ) -> Bool {
    guard velocity.isFinite, sigma.isFinite, sigma > 0, hasAttitude, isTimely(time),
      axes == .device || hasHeading
    else { return false }
    if let before = state.velocity.aid.velocityTime, time < before { return false }
    state.velocity.aid.velocity = velocity
    state.velocity.aid.axes = axes
    state.velocity.aid.velocityVariance = sigma * sigma
    state.velocity.aid.velocityTime = time
    state.velocity.aid.isNew = true
    return true
  }

  /// Adds an externally measured heading of `attitude9`: radians about its Z axis, counterclockwise
  /// from above. If the device lies flat, this is its yaw (compass degrees run the other way).
  /// `sigma` is in radians. Without a magnetometer, this heading determines north. Returns false,
  /// and changes nothing, if a number is not finite, the sample is too old, or there is no
  /// gyroscope.
  @discardableResult
  public mutating func aid(yaw: Scalar, sigma: Scalar, at time: Timestamp) -> Bool {
    guard yaw.isFinite, sigma.isFinite, sigma > 0, hasAttitude, isTimely(time),
      let now = state.gyroscope.time
    else { return false }
    // Compare the heading with the attitude at the time stamp of the heading.
    let (span, _) = now.nanoseconds.subtractingReportingOverflow(time.nanoseconds)
    let up = (state.attitude.inclination * state.attitude.strapdown).rotate(
      state.gyroscope.turnRate)
    let expected = yawOf(attitude9) - up.z * Scalar(span) * 1e-9
    let error = wrapped(yaw - expected)
    var recorder = NoRecorder()
    guard state.attitude.hasNorth else {
      state.attitude.northOffset = wrapped(state.attitude.northOffset + error)
      state.attitude.hasNorth = true
      state.errors.forgetHeading(variance: sigma * sigma)
      return true
    }
    guard
      let gain = state.errors.observeHeading(
        noise: sigma * sigma, matrixShare: 1)
    else { return false }
    apply(gain.correction(error), toBias: params.learnsBiasInMotion, &recorder)
    judgeHeading()
    return true
  }

  /// Adds a height in metres above any fixed level, with `sigma` in metres. The changes of the
  /// height give the vertical velocity. Returns false, and changes nothing, if a number is not
  /// finite or the sample is too old.
  @discardableResult
  public mutating func aid(altitude: Scalar, sigma: Scalar, at time: Timestamp) -> Bool {
    guard altitude.isFinite, sigma.isFinite, sigma > 0, hasAttitude, isTimely(time) else {
      return false
    }
    if let before = state.velocity.aid.altitudeTime, time <= before { return false }
    defer {
      state.velocity.aid.altitude = altitude
      state.velocity.aid.altitudeTime = time
      state.velocity.aid.climbed = 0
      state.velocity.aid.climbing = 0
    }
    guard let seconds = Self.interval(from: state.velocity.aid.altitudeTime, to: time),
      Scalar(seconds) < aidedTime, state.velocity.aid.climbing > 0
    else { return true }
    let interval = Scalar(seconds)
    let seen = (altitude - state.velocity.aid.altitude) / interval
    let expected = state.velocity.aid.climbed / state.velocity.aid.climbing
    // The difference of two heights has twice the variance.
    let variance = 2 * sigma * sigma / (interval * interval)
    let noise = Matrix3(diagonal: Vector3(unseen, unseen, variance))
    var recorder = NoRecorder()
    observe(
      .velocity, off: Vector3(0, 0, seen - expected), noise: noise,
      toBias: params.learnsBiasInMotion, &recorder)
    noteTiltSigma()
    return true
  }

  private func yawOf(_ attitude: Quaternion) -> Scalar {
    let m = attitude.rotationMatrix
    return atan2(m.m21, m.m11)
  }

  /// Returns true if `time` is at most one second before or after the latest acceleration.
  private func isTimely(_ time: Timestamp) -> Bool {
    guard let now = state.accelerometer.time else { return false }
    let (span, overflow) = now.nanoseconds.subtractingReportingOverflow(time.nanoseconds)
    return !overflow && span < 1_000_000_000 && span > -1_000_000_000
  }

  /// True if the velocity has been measured recently, so that no assumption is needed.
  var isVelocityAided: Bool { isRecent(state.velocity.aid.velocityTime) }

  /// True if a height has recently given the vertical velocity.
  var isClimbAided: Bool { isRecent(state.velocity.aid.altitudeTime) }

  private func isRecent(_ time: Timestamp?) -> Bool {
    guard let time, let now = state.accelerometer.time else { return false }
    guard now > time else { return true }
    return Scalar(Self.interval(from: time, to: now) ?? .infinity) < aidedTime
  }

  /// The time for which a measured velocity replaces the assumptions about the carrier, s. It is
  /// long enough for one measurement per second of which two in a row are lost.
  private var aidedTime: Scalar {
    3 * params.longestGap
  }

  /// Corrects the estimates by an external velocity, if one has arrived since the last epoch.
  mutating func observeAid(at time: Timestamp, _ recorder: inout some EpochRecorder) {
    guard state.velocity.aid.isNew, let taken = state.velocity.aid.velocityTime else { return }
    state.velocity.aid.isNew = false
    let age = Scalar(Self.interval(from: taken, to: time > taken ? time : taken) ?? 0)
    let turn =
      state.velocity.aid.axes == .device
      ? state.attitude.inclination * state.attitude.strapdown : state.attitude.north.conjugate
    let velocity = turn.rotate(state.velocity.aid.velocity)
    // The change of the velocity since the measurement.
    let since = state.velocity.acceleration * age
    var noise = Matrix3(diagonal: state.velocity.aid.velocityVariance + since.dot(since) / 12)
    if state.velocity.aid.axes == .north {
      // If the velocity is given in north axes, a heading error rotates it.
      let across = Vector3(-velocity.y, velocity.x, 0)
      noise.subtract(across * -state.errors.headingVariance, across)
    }
    let off = velocity + since - state.velocity.value
    let expected = state.errors.velocity.m11 + noise.m11 + state.errors.velocity.m22 + noise.m22
    if off.dot(off) > 25 * expected {
      // Until now the velocity was assumed, not measured. The large innovation therefore says
      // nothing about the tilt, so only replace the velocity.
      state.velocity.value = velocity + since
      state.errors.forgetVelocity(variance: noise.m11 + noise.m22)
      recorder.forget(.velocity)
      return
    }
    observe(.velocity, off: off, noise: noise, toBias: params.learnsBiasInMotion, &recorder)
  }

  /// The most recent external measurements.
  struct Aid: Equatable, Sendable {
    var velocity = Vector3.zero
    var axes = VelocityAxes.device
    var velocityVariance = 0.0
    var velocityTime: Timestamp?
    var isNew = false
    var altitude = 0.0
    var altitudeTime: Timestamp?
    /// The height gained since the last external height, m, integrated from the velocity, and the
    /// time of the integration, s.
    var climbed = 0.0
    var climbing = 0.0
  }
}
