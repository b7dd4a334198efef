// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// Rest: for a while neither the rotation rate nor the acceleration has strayed from its own slow
/// average, and the average rotation is small enough to be bias.
struct RestDetector: Equatable, Sendable {
  private(set) var rate = LowPass()
  private(set) var acceleration = LowPass()
  private var quiet = 0.0
  private(set) var isAtRest = false

  mutating func add(
    rate sample: Vector3, interval: Double, bias: BiasFilter, params: FusionEngine.Params,
    decay: ButterworthDecay
  ) {
    let before = rate.isEmpty ? sample : rate.value
    rate.add(sample, interval: interval, tau: params.restTau, decay: decay)
    let strayed = sample - before
    let inside =
      bias.admits(rate.value, margin: params.restBiasMargin)
    let threshold = params.restRotationRate
    if !inside || strayed.dot(strayed) > threshold * threshold { disturb() }
  }

  mutating func add(
    acceleration sample: Vector3, interval: Double, params: FusionEngine.Params,
    decay: ButterworthDecay
  ) {
    let before = acceleration.isEmpty ? sample : acceleration.value
    acceleration.add(sample, interval: interval, tau: params.restTau, decay: decay)
    let strayed = sample - before
    let threshold = params.restAcceleration
    if strayed.dot(strayed) > threshold * threshold {
      disturb()
    } else {
      quiet += interval
      // Without a gyroscope nothing says that the device does not turn.
      if quiet >= params.restTime && !rate.isEmpty { isAtRest = true }
    }
  }

  mutating func disturb() {
    quiet = 0
    isAtRest = false
  }
}
