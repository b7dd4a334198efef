// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

// Whatever the gyroscope and the field do, the tilt is bounded by gravity.
extension FusionEngine {
  /// Levels the attitude at once where the mean specific force does not point up: a tilt of a
  /// quarter turn does not show in the velocity, nor half a turn in anything linear. In the first
  /// second of all, when the very first sample may have been a knock, sooner.
  mutating func checkUp(_ seconds: Seconds, _ recorder: inout some EpochRecorder) {
    state.up.add(state.epoch.impulse, over: seconds, tau: upTau)
    let up = state.up.value
    let norm = up.norm
    let least = state.age < upTau ? 0.9 : 0.5
    state.age += seconds
    guard norm > 0.5, norm < 2, up.z < least * norm else { return }
    state.surprise += 1
    if let up = up.normalized { level(up) }
    startTilt(norm: norm, &recorder)
    loseVelocity(&recorder)
    state.up = SlowMean()
    state.longUp = SlowMean()
    state.longTurn = SlowMean()
  }

  /// Takes the tilt from the mean specific force where it is too far off. Over seconds that force
  /// is up, but for the speed that the device may have gained. Where it is farther off, what was
  /// believed is wrong: the bias learned from a turn that passed for rest, or a speed that was
  /// none. So the tilt is taken from the force, as far as it says, and the covariance widened by
  /// what was missed.
  mutating func checkConsistency(_ seconds: Seconds, _ recorder: inout some EpochRecorder) {
    followRide(seconds, &recorder)
    state.longUp.add(
      state.epoch.impulse, over: seconds,
      tau: rides ? Vehicle.consistencyTime : params.consistencyTime)
    let span = Scalar(state.longUp.time)
    guard span > 1 else { return }
    let up = state.longUp.value
    let square = up.x * up.x + up.y * up.y
    let sigma = (rides ? Vehicle.speedLimit : params.speedLimit) / (standardGravity * span)
    let allowed = sigma * sigma
    guard !isVelocityAided, square > 9 * (allowed + state.errors.tiltVariance) else { return }
    // Or it is a vehicle that pushes.
    if board() { return }
    state.surprise += 1
    state.errors.widen(tilt: square)
    state.errors.widen(bias: Matrix3(diagonal: square / (span * span)))
    loseVelocity(&recorder)
    state.speedSquare = coefficients.leastVelocity
    state.longUp = SlowMean()
    state.longTurn = SlowMean()
    state.rest.disturb()
    // `attitude x up` brings it upright: seen is the tilt (up.y, -up.x). The heading is not.
    let noise = Matrix3(diagonal: Vector3(allowed, allowed, unseen))
    observe(
      .attitude, off: Vector3(up.y, -up.x, 0), noise: noise, toBias: params.learnsBiasInMotion,
      &recorder)
  }

  /// Returns true while the gyroscope is not to be believed. Velocities that surprise again and
  /// again, far beyond what the filter and the carrier admit, are no velocities, and a horizon that
  /// has to be found anew twice within seconds was not lost by chance: the gyroscope is not the one
  /// that its data sheet describes, or is mounted otherwise than was said. For a while, longer each
  /// time, up is then the specific force of the last moment, and everything learned begins anew.
  mutating func distrustsGyroscope(_ seconds: Seconds, _ recorder: inout some EpochRecorder) -> Bool
  {
    if state.surprise > mostSurprise {
      state.surprise = 0
      state.distrustTime = state.distrustTime < 300 ? 2 * state.distrustTime + 30 : 600
      state.distrusted = state.distrustTime
      restartErrors(&recorder)
      state.bias = .zero
      state.up = SlowMean()
    }
    guard state.distrusted > 0 else { return false }
    state.distrusted -= seconds
    state.up.add(state.epoch.impulse, over: seconds, tau: momentTau)
    let norm = state.up.value.norm
    if let up = state.up.value.normalized {
      level(up)
      startTilt(norm: norm, &recorder)
      // It is the Z axis now.
      state.up.turnUp()
    }
    loseVelocity(&recorder)
    state.longUp = SlowMean()
    state.longTurn = SlowMean()
    return true
  }

  /// Forgets the velocity, whose change was not observed.
  mutating func loseVelocity(_ recorder: inout some EpochRecorder) {
    state.velocity = .zero
    state.errors.forgetVelocity(variance: coefficients.velocityAtStart)
    recorder.forget(.velocity)
  }
}

/// The recent mean of what was integrated: at first of everything, then over a time constant.
struct SlowMean: Equatable, Sendable {
  private(set) var value = Vector3.zero
  /// s, at most the time constant.
  private(set) var time: Seconds = 0

  /// Turns the frame so that its Z axis is where the value points.
  mutating func turnUp() { value = Vector3(0, 0, value.norm) }

  /// Takes an integral over so many seconds.
  mutating func add(_ integral: Vector3, over seconds: Seconds, tau: Seconds) {
    let interval = Scalar(seconds)
    let follow =
      time < tau ? interval / (Scalar(time) + interval) : gain(interval, tau: Scalar(tau))
    value += follow * (integral / interval - value)
    time = time + seconds < tau ? time + seconds : tau
  }
}

/// Of the mean specific force, s: no hand and no vehicle keeps up two g sideways for as long.
private let upTau: Seconds = 1

/// Recordings of hands, pockets and runs stay below one.
private let mostSurprise = 2.0
/// s: short against the turns of a hand, long against its shakes.
private let momentTau: Seconds = 0.1

/// Variance of a quantity that is not observed.
let unseen = 1e6
