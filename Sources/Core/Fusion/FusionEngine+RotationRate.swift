// SPDX-License-Identifier: Apache-2.0
public import Quantities

extension FusionEngine {
  /// Adds a measured rotation rate in rad/s, device axes; it includes the bias. Intervals may vary,
  /// and samples may be missing. Returns false, and changes nothing, if the rate is not finite,
  /// exceeds 1000 rad/s, or is older than the previous one. Values that repeat while the device
  /// moves are not used (see `faults`).
  @discardableResult
  public mutating func update(rotationRate: Vector3, at time: Timestamp) -> Bool {
    var recorder = NoRecorder()
    return take(rotationRate: rotationRate, at: time, &recorder)
  }

  @inline(__always)
  mutating func take(
    rotationRate: Vector3, at time: Timestamp, _ recorder: inout some EpochRecorder
  ) -> Bool {
    guard Self.isPlausible(rotationRate, within: 1e3),
      let sinceSample = Self.interval(from: state.gyroscope.repeats.lastTime, to: time)
    else { return false }
    let lastTime = state.gyroscope.repeats.lastTime
    state.gyroscope.repeats.add(
      rotationRate, at: time, after: sinceSample, axesAtEnd: state.gyroscope.axesAtEnd,
      bias: state.errors.biasVariance, params,
      reference: state.accelerometer.newest.map { state.attitude.strapdown.rotate($0) })
    if state.gyroscope.repeats.isHung || state.trust.refused > 0, state.accelerometer.time != nil {
      return false
    }
    guard
      let pause = lastTime == state.gyroscope.time
        ? sinceSample : Self.interval(from: state.gyroscope.time, to: time)
    else { return false }
    // While the gyroscope paused, accelerations propagated the attitude, possibly beyond `time`.
    let seconds = state.trust.coast.map { Self.interval(from: $0.time, to: time) ?? 0 } ?? pause
    let interval = Scalar(seconds)
    let rotationRate = withoutGlitch(rotationRate, after: interval)
    let before = state.gyroscope.time == nil ? rotationRate : state.gyroscope.rate
    let timeBefore = state.gyroscope.time
    state.gyroscope.rate = rotationRate
    state.gyroscope.time = time
    state.gyroscope.interval = followed(state.gyroscope.interval, Scalar(pause))
    if interval > params.longestGap {
      restart(after: Scalar(pause), &recorder)
      return true
    }
    state.rest.add(
      rate: rotationRate,
      strayingBeyond: isInVehicle ? coefficients.vehicleRestRate : coefficients.restRate)
    if let coast = state.trust.coast {
      state.gyroscope.turnRate = coast.rate
      finishCoasting(&recorder)
    }
    // The rotation at the previous rate, with the bias and the matrix of that time.
    let first = state.gyroscope.turnRate * interval
    state.gyroscope.unbiasedRate = rotationRate - state.gyroscope.bias
    let rate = state.gyroscope.matrix * state.gyroscope.unbiasedRate
    state.gyroscope.turnRate = rate
    guard state.attitude.isKnown, interval > 0 else { return true }
    // The mean of both rates plus the first coning term (the cross product), because the axis turns
    // within the interval.
    let second = rate * interval
    let step = rotationRate - before
    let bend = step - state.gyroscope.step
    state.epoch.rateBend += bend.dot(bend) * interval * interval
    state.gyroscope.axesAtEnd =
      params.rotationRateRange?.axesAtEnd(rotationRate)
      ?? state.gyroscope.ends.add(
        rotationRate, change: step, before: state.gyroscope.step,
        count: state.gyroscope.quantum.shown)
    if state.gyroscope.axesAtEnd > 0 {
      state.trust.newFaults.insert(.gyroscopeAtRangeEnd)
      state.epoch.clipped += rate.norm * interval
    }
    state.gyroscope.step = step
    let rotation = (first + second) * 0.5 + first.cross(second) * (1.0 / 12)
    state.attitude.strapdown = state.attitude.strapdown.turned(by: rotation)
    state.attitude.latencyCompensation = Quaternion(leading: rate * params.gyroDelay)
    if state.magnetometer.time != nil { followLateTurn((first + second) * 0.5, over: interval) }
    state.epoch.turning += rate.dot(rate) * interval
    state.epoch.turningTime += seconds
    state.attitude.corrected.advance(interval)
    if state.epoch.turningTime >= coefficients.coastingEpoch {
      carryOn(after: timeBefore, &recorder)
    }
    return true
  }

  /// Returns the rotation rate to use for a sample. If the rate changes by more than any device
  /// can, this is the previous rate. If the next sample confirms the change, the skipped rotation
  /// is added.
  @inline(__always)
  private mutating func withoutGlitch(_ rate: Vector3, after interval: Scalar) -> Vector3 {
    guard state.gyroscope.time != nil, interval > 0, interval < Scalar(params.epoch),
      state.trust.coast == nil
    else {
      state.gyroscope.held.drop()
      return rate
    }
    let jump = rate - state.gyroscope.rate
    if let suspect = state.gyroscope.held.suspect {
      state.gyroscope.held.drop()
      let other = rate - suspect
      guard other.dot(other) < jump.dot(jump) else {
        state.trust.newFaults.insert(.gyroscopeGlitch)
        return rate
      }
      let left = state.gyroscope.matrix * (suspect - state.gyroscope.rate)
      state.attitude.strapdown =
        state.attitude.strapdown
        * Quaternion(smallRotation: left * (0.5 * state.gyroscope.held.interval))
      state.gyroscope.turnRate = state.gyroscope.turnRate + left
      state.gyroscope.rate = suspect
      return rate
    }
    guard jump.dot(jump) > params.glitchRate * params.glitchRate else { return rate }
    (state.gyroscope.held.suspect, state.gyroscope.held.interval) = (rate, interval)
    return state.gyroscope.rate
  }

  /// Adds a rotation of the device to the mean rate over the magnetometer's delay. An exponential
  /// mean whose time constant is half the delay has the right mean age, and needs no stored
  /// samples.
  @inline(__always)
  private mutating func followLateTurn(_ turn: Vector3, over interval: Scalar) {
    let span = (state.magnetometer.delay.delay - params.gyroDelay + interval) * 0.5
    state.gyroscope.lateTurnRate +=
      (turn - state.gyroscope.lateTurnRate * interval) / (span > interval ? span : interval)
  }

  /// Makes tilt and velocity unknown. The next acceleration determines the tilt, and samples since
  /// the last correction are discarded.
  private mutating func forgetMotion(_ recorder: inout some EpochRecorder) {
    state.attitude.isTiltUnknown = true
    state.epoch = Epoch()
    state.rest = RestDetector()
    state.trust.monitor.restart()
    loseVelocity(&recorder)
  }

  /// Restarts after a pause of the gyroscope in which the device turned by an unknown angle. The
  /// next accelerations determine the tilt, and the next magnetic field measurements determine
  /// north. The variance of the bias grows.
  mutating func restart(after gap: Scalar, _ recorder: inout some EpochRecorder) {
    state.attitude.latencyCompensation = .identity
    state.trust.coast = nil
    state.trust.isCoasting = false
    state.gyroscope.correctRate()
    forgetMotion(&recorder)
    forgetHeading(&recorder)
    recorder.forget(.bias)
    let walked = coefficients.biasWalk * min(gap, Scalar(longestPause))
    let variance = walked + squareOfSigma
    state.errors.forgetBias(
      variance: variance < coefficients.anyBias ? variance : coefficients.anyBias)
  }

  /// Makes the heading unknown after a rotation that was not measured.
  mutating func forgetHeading(_ recorder: inout some EpochRecorder) {
    recorder.forget(.heading)
    state.errors.forgetHeading(variance: unknownHeading)
    state.magnetometer.reference.restart()
    state.magnetometer.sums.restart()
    state.magnetometer.delay.restart()
    state.magnetometer.calibrator.restartHeading()
    state.attitude.hasNorth = false
    state.magnetometer.headingSigma = .pi
    state.magnetometer.accuracy = poorAccuracy
    state.attitude.corrected.isAnchored = false
    state.attitude.corrected.waited = 0
    state.attitude.corrected.rate = 0
  }

  private var squareOfSigma: Scalar { gyroBiasSigma * gyroBiasSigma }
}

extension Quaternion {
  /// Creates a rotation from a power series. Below a quarter of a radian, which a device does not
  /// exceed between two samples, four terms are exact to the last bit.
  @inline(never)
  init(smallRotation rotation: Vector3) {
    self = Self.small(rotation)
  }

  @inline(__always)
  private static func small(_ rotation: Vector3) -> Quaternion {
    let square = rotation.dot(rotation) * 0.25
    guard square < 0.0156 else { return Quaternion(rotationVector: rotation) }
    // sin(x)/x and cos(x) of half the angle as polynomials in the square of that angle. The terms
    // are paired so that a processor computes them in parallel.
    let fourth = square * square
    let sine =
      (1 - square * (1.0 / 6))
      + fourth * ((1.0 / 120 - square * (1.0 / 5040)) + fourth * (1.0 / 362_880))
    let cosine =
      (1 - square * 0.5)
      + fourth
      * ((1.0 / 24 - square * (1.0 / 720))
        + fourth * (1.0 / 40_320 - square * (1.0 / 3_628_800)))
    let half = 0.5 * sine
    return Quaternion(w: cosine, x: rotation.x * half, y: rotation.y * half, z: rotation.z * half)
  }

  /// Returns the attitude after a small rotation in device axes. It combines both steps, because it
  /// is called for every sample.
  @inline(__always)
  fileprivate func turned(by rotation: Vector3) -> Quaternion {
    let turn = Self.small(rotation)
    let (a, b, c, d) = (turn.w, turn.x, turn.y, turn.z)
    return Quaternion(
      w: w * a - x * b - y * c - z * d, x: w * b + x * a + y * d - z * c,
      y: w * c - x * d + y * a + z * b, z: w * d + x * c - y * b + z * a)
  }

  /// Creates a rotation from a series to third order. Below 0.15 rad the result is exact, and of
  /// unit length, to a millionth.
  @inline(__always)
  init(leading rotation: Vector3) {
    let square = rotation.dot(rotation) * 0.25
    guard square < 0.0056 else {
      self.init(smallRotation: rotation)
      return
    }
    let half = 0.5 - square * (1.0 / 12)
    self.init(
      w: 1 - square * 0.5, x: rotation.x * half, y: rotation.y * half, z: rotation.z * half)
  }

  /// The quaternion scaled to unit length. A product of unit quaternions is off by rounding errors
  /// only, so one Newton step suffices, without a square root.
  @inlinable @inline(__always)
  var renormalized: Quaternion {
    let square = w * w + x * x + y * y + z * z
    guard square > 0.99, square < 1.01 else { return normalized }
    let factor = 1.5 - 0.5 * square
    return Quaternion(w: w * factor, x: x * factor, y: y * factor, z: z * factor)
  }
}
