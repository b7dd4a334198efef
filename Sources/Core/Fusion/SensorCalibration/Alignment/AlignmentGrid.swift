// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

/// The times at which two series are compared, and the smoothing of both.
struct AlignmentGrid {
  let begin: Timestamp
  let step: Scalar
  let count: Int
  let parabola: LocalParabola
  /// The number of adjacent times whose values come from the same samples.
  let correlation: Scalar = 2.5

  /// Creates times in the period that both series cover, without `margin` seconds at either end.
  /// `nil` if less than three seconds are left.
  init?(_ a: Span<TimedVector>, _ b: Span<TimedVector>, margin: Scalar) {
    guard a.count > 100, b.count > 30 else { return nil }
    let (lastOfA, lastOfB) = (a[a.count - 1].time, b[b.count - 1].time)
    let first = max(a[0].time, b[0].time)
    let length = (min(lastOfA, lastOfB) - first).seconds - 2 * margin
    guard length >= 3 else { return nil }
    let slowest = max(
      (lastOfA - a[0].time).seconds / Scalar(a.count - 1),
      (lastOfB - b[0].time).seconds / Scalar(b.count - 1))
    // The window spans five samples of the slower series. A half-width of 20 ms loses nothing,
    // because hands turn more slowly.
    let halfWidth = max(2.5 * slowest, 0.02)
    begin = first + TimeSpan(seconds: margin)
    step = halfWidth / 2.5
    // The limit is an hour at 100 Hz, which is more than enough.
    count = Int(min(length / step, 360_000))
    parabola = LocalParabola(halfWidth: halfWidth)
  }

  func time(_ index: Int) -> Timestamp { begin + TimeSpan(seconds: Scalar(index) * step) }

  /// Returns the weight of an equation with the error `error`. The weight is 1 within three
  /// standard deviations of a component, and less beyond (Huber).
  func weight(of error: Vector3, _ sigma: Scalar) -> Scalar {
    let norm = error.norm
    return norm <= 3 * 1.73 * sigma ? 1 : 3 * 1.73 * sigma / norm
  }

  /// Returns the mean of the series, and the standard deviation of each component.
  func mean(of series: Span<TimedVector>) -> (mean: Vector3, spread: Vector3) {
    var smooth = parabola
    var (sum, square, number) = (Vector3.zero, Vector3.zero, Scalar(0))
    for index in 0..<count {
      guard let v = smooth.value(of: series, at: time(index))?.value else { continue }
      sum += v
      square += Vector3(v.x * v.x, v.y * v.y, v.z * v.z)
      number += 1
    }
    guard number > 0 else { return (.zero, .zero) }
    let (mean, raw) = (sum / number, square / number)
    let spread = Vector3(
      sqrt(max(raw.x - mean.x * mean.x, 0)), sqrt(max(raw.y - mean.y * mean.y, 0)),
      sqrt(max(raw.z - mean.z * mean.z, 0)))
    return (mean, spread)
  }

  /// Returns the lag of `b` for which the speeds of rotation correlate best, in seconds, accurate
  /// to about 10 ms, and that correlation. A mounting does not change the speed. Biases do, so the
  /// mean of each series is subtracted.
  func lag(
    _ a: Span<TimedVector>, _ b: Span<TimedVector>, within largest: Scalar
  ) -> (lag: Scalar, correlation: Scalar) {
    let means = (mean(of: a).mean, mean(of: b).mean)
    var best: (lag: Scalar, correlation: Scalar) = (0, -1)
    let steps = Int(largest / 0.02)
    for step in -steps...steps {
      let lag = Scalar(step) * 0.02
      let found = correlation(a, b, means, lag: lag)
      if found > best.correlation { best = (lag, found) }
    }
    return best
  }

  private func correlation(
    _ a: Span<TimedVector>, _ b: Span<TimedVector>, _ means: (Vector3, Vector3), lag: Scalar
  ) -> Scalar {
    var (first, second) = (parabola, parabola)
    let shift = TimeSpan(seconds: lag)
    var (n, x, y, xx, yy, xy): (Scalar, Scalar, Scalar, Scalar, Scalar, Scalar) = (0, 0, 0, 0, 0, 0)
    for index in stride(from: 0, to: count, by: 5) {
      let time = time(index)
      guard let p = first.value(of: a, at: time)?.value,
        let q = second.value(of: b, at: time + shift)?.value
      else { continue }
      let (u, v) = ((p - means.0).norm, (q - means.1).norm)
      n += 1
      x += u
      y += v
      xx += u * u
      yy += v * v
      xy += u * v
    }
    let variance = (xx - x * x / max(n, 1)) * (yy - y * y / max(n, 1))
    return variance > 0 ? (xy - x * y / n) / sqrt(variance) : 0
  }

  /// Returns the rotation that best maps `b`, read `lag` seconds later, to `a` (Wahba's problem,
  /// SIAM Review 7 (1965) 409). The means are subtracted, because the series may have offsets.
  func rotation(_ a: Span<TimedVector>, _ b: Span<TimedVector>, lag: Scalar) -> Matrix3 {
    var (first, second) = (parabola, parabola)
    let shift = TimeSpan(seconds: lag)
    var products = Matrix3.zero
    var (x, y, n) = (Vector3.zero, Vector3.zero, Scalar(0))
    for index in 0..<count {
      let time = time(index)
      guard let u = first.value(of: a, at: time)?.value,
        let v = second.value(of: b, at: time + shift)?.value
      else { continue }
      products.add(outer(v, u))
      x += u
      y += v
      n += 1
    }
    guard n > 0 else { return .identity }
    products.subtract(y / n, x)
    // Add a small multiple of the expected rotation, the identity, which decides where the motion
    // shows nothing.
    products.add(.identity, times: 1e-3 * products.largest)
    var rotation = Matrix3.identity
    var largest = -Scalar.infinity
    for index in 0..<SquareMounting.count {
      let candidate = SquareMounting.matrix(index)
      let trace = (candidate * products).trace
      if trace > largest { (rotation, largest) = (candidate, trace) }
    }
    for _ in 0..<20 {
      // Use Newton's method to maximise the trace of `rotation * products`.
      let m = rotation * products
      let gradient = Vector3(m.m23 - m.m32, m.m31 - m.m13, m.m12 - m.m21)
      var hessian = Matrix3(diagonal: m.trace)
      hessian.add(m, times: -0.5)
      hessian.add(m.transposed, times: -0.5)
      guard let inverse = hessian.inverse else { break }
      let turn = inverse * gradient
      guard turn.isFinite else { break }
      rotation = Quaternion(rotationVector: turn).rotationMatrix * rotation
      if turn.norm < 1e-9 { break }
    }
    return rotation
  }
}
