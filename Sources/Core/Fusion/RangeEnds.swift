// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// Detects the ends of an unknown range. When a steeply rising axis reaches an end of its range, it
/// stops for three samples near its greatest or least value so far; a motion that passes its peak
/// slows down first. The samples of such a plateau need not be equal: if they are calibrated after
/// clipping, they vary with the other axes by one or two per cent. A value is an end of the range
/// once more visits near it have shown a plateau than a peak. A peak that exactly repeats an
/// earlier peak is no end, because a motion may repeat, and the peaks of a coarse part fall on the
/// same quantisation steps.
struct RangeEnds: Equatable, Sendable {
  private var x: Axis
  private var y: Axis
  private var z: Axis
  /// True if the newest value of an axis is near that axis's greatest or least value so far.
  private var isNear = false
  private let leastSquare: Scalar

  /// Creates the detector. A value below `least` is never an end of the range.
  init(least: Scalar) {
    x = Axis(least: least)
    y = x
    z = x
    leastSquare = least * least
  }

  /// Adds a sample, its change from the previous sample, the previous change, and the quantisation
  /// step of the sensor (zero if the samples have shown none yet). Returns the number of axes that
  /// are at an end of the range.
  @inline(__always)
  mutating func add(_ v: Vector3, change: Vector3, before: Vector3, count: Scalar) -> Int {
    guard isNear || v.dot(v) >= leastSquare else { return 0 }
    return addLarge(v, change: change, before: before, count: count)
  }

  @inline(never)
  private mutating func addLarge(
    _ v: Vector3, change: Vector3, before: Vector3, count: Scalar
  ) -> Int {
    guard isNear || x.isNear(v.x) || y.isNear(v.y) || z.isNear(v.z) else { return 0 }
    let a = x.add(v.x, change: change.x, before: before.x, count: count)
    let b = y.add(v.y, change: change.y, before: before.y, count: count)
    let c = z.add(v.z, change: change.z, before: before.z, count: count)
    isNear = x.isInside || y.isInside || z.isInside
    return (a ? 1 : 0) + (b ? 1 : 0) + (c ? 1 : 0)
  }

  private struct Axis: Equatable, Sendable {
    private var high: End
    private var low: End

    init(least: Scalar) {
      high = End(near: least)
      low = high
    }

    var isInside: Bool { high.samples > 0 || low.samples > 0 }

    @inline(__always)
    func isNear(_ value: Scalar) -> Bool { value >= high.near || -value >= low.near }

    mutating func add(_ value: Scalar, change: Scalar, before: Scalar, count: Scalar) -> Bool {
      let isHigh = high.add(value, change: change, before: before, count: count)
      let isLow = low.add(-value, change: -change, before: -before, count: count)
      return isHigh || isLow
    }
  }

  /// One direction of an axis, with the end of the range in that direction.
  private struct End: Equatable, Sendable {
    /// A value of at least this much is near the greatest value so far.
    private(set) var near: Scalar
    private var greatest = 0.0
    /// The smallest value that was part of a plateau.
    private var floor = Scalar.infinity
    /// The number of visits near the greatest value that showed an end of the range, minus the
    /// number of visits that passed a peak.
    private var evidence = 0
    /// The number of samples in this visit, and whether this visit has shown an end of the range.
    private(set) var samples = 0
    private var hasShown = false
    /// The last change of the axis that was larger than noise.
    private var rise = 0.0
    private var flat = 0

    init(near: Scalar) { self.near = near }

    mutating func add(_ value: Scalar, change: Scalar, before: Scalar, count: Scalar) -> Bool {
      guard value >= near else {
        if samples > 0 { leave() }
        return false
      }
      samples += 1
      if value > greatest {
        if value > greatest * (1 + rangeEdge) { (evidence, floor) = (0, .infinity) }
        greatest = value
        near = max(near, value * (1 - rangeEdge))
      }
      if rise > 0, change.magnitude < rangeEdge * rise {
        flat += 1
      } else {
        let last = max(change, before)
        rise =
          last > max(SensorRange.calibrationShare * greatest, parabolaCounts * count)
          ? last : 0
        flat = 0
      }
      if flat > 1 {
        if !hasShown, evidence < 3 { evidence += 1 }
        hasShown = true
        floor = min(floor, value)
      }
      return (hasShown && flat > 1) || (evidence > 1 && value >= floor)
    }

    private mutating func leave() {
      // A visit of two samples is too short to show a peak.
      if samples > 2, !hasShown, evidence > 0 { evidence -= 1 }
      (samples, hasShown, rise, flat) = (0, false, 0, 0)
    }
  }
}

/// The share by which a calibration may move the end of a range, through the scale and both other
/// axes together.
var rangeEdge: Scalar { 3 * SensorRange.calibrationShare }

extension SensorRange {
  /// The smallest ranges of common sensors, 125 degrees/s in rad/s and 2 g, minus the change that a
  /// calibration may cause.
  static var leastRotationRate: Scalar { 125 * degree * (1 - 2 * rangeEdge) }
  static var leastAcceleration: Scalar { 2 * (1 - 2 * rangeEdge) }
}

/// A parabola rounded to quantisation steps has three equal samples at its peak only if each of the
/// two changes before is at most five steps.
private let parabolaCounts = 5.5
