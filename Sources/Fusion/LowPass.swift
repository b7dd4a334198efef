// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

/// Coefficients of a second-order Butterworth low-pass filter for one sampling interval.
struct LowPassCoefficients: Sendable, BitwiseCopyable {
  private(set) var b0 = 0.0
  private(set) var b1 = 0.0
  private(set) var b2 = 0.0
  private(set) var a1 = 0.0
  private(set) var a2 = 0.0
  private(set) var interval = 0.0

  /// A filter of the time constant `time`: cut-off sqrt(2)/(2 pi time), where a second-order step settles like a
  /// first-order one of that time constant.
  init(time: Double, interval: Double) {
    self.interval = interval
    let cutoff = 2.0.squareRoot() / (2 * Double.pi * time)
    // Bilinear transform, prewarped; held below the Nyquist frequency.
    let ratio = tan(Double.pi * min(cutoff * interval, 0.45))
    let d = ratio * ratio + 2.0.squareRoot() * ratio + 1
    b0 = ratio * ratio / d
    b1 = 2 * b0
    b2 = b0
    a1 = 2 * (ratio * ratio - 1) / d
    a2 = (1 - 2.0.squareRoot() * ratio + ratio * ratio) / d
  }
}

/// A low-pass filter of a number: for the first `time` seconds the mean of what came, then Butterworth.
struct ScalarLowPass: Sendable, BitwiseCopyable {
  private var s1 = 0.0
  private var s2 = 0.0
  private var sum = 0.0
  private var count = 0.0
  private(set) var value = 0.0
  private var isFiltering = false

  mutating func update(_ x: Double, _ c: LowPassCoefficients, time: Double) {
    guard isFiltering else {
      count += 1
      sum += x
      value = sum / count
      if count * c.interval >= time {
        // The state of a filter that has seen this mean for ever.
        s1 = value * (1 - c.b0)
        s2 = value * (c.b2 - c.a2)
        isFiltering = true
      }
      return
    }
    value = c.b0 * x + s1
    s1 = c.b1 * x - c.a1 * value + s2
    s2 = c.b2 * x - c.a2 * value
  }

  /// Begins again, as a filter that has seen `x` for ever.
  mutating func settle(at x: Double, _ c: LowPassCoefficients) {
    value = x
    s1 = x * (1 - c.b0)
    s2 = x * (c.b2 - c.a2)
    isFiltering = true
  }

  mutating func reset() { self = ScalarLowPass() }
}

/// The same for three components.
struct VectorLowPass: Sendable, BitwiseCopyable {
  private var x = ScalarLowPass()
  private var y = ScalarLowPass()
  private var z = ScalarLowPass()

  var value: Vector3 { Vector3(x.value, y.value, z.value) }

  mutating func update(_ v: Vector3, _ c: LowPassCoefficients, time: Double) {
    x.update(v.x, c, time: time)
    y.update(v.y, c, time: time)
    z.update(v.z, c, time: time)
  }

  mutating func settle(at v: Vector3, _ c: LowPassCoefficients) {
    x.settle(at: v.x, c)
    y.settle(at: v.y, c)
    z.settle(at: v.z, c)
  }

  mutating func reset() { self = VectorLowPass() }
}
