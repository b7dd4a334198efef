// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// Recognises the ends of a range that is not known. Near its greatest or least value so far an
/// axis that rises steeply stands still for three samples, where a motion that passes its peak
/// slows down first. Such a plateau needs no exact values: where samples are calibrated after they
/// were clipped, the plateau varies with the other axes by a per cent or two. The value is an end
/// of the range once more visits near it have shown a plateau than a peak. A peak that is the same
/// to the last digit as one before is no end: a motion may repeat, and the peaks of a coarse part
/// share its steps.
struct RangeEnds: Equatable, Sendable {
  private var x: Axis
  private var y: Axis
  private var z: Axis
  /// True if the newest value of an axis is near that axis's greatest or least value so far.
  private var isNear = false
  private let leastSquare: Scalar

  /// Creates the detector; values below `least` are never an end of the range.
  init(least: Scalar) {
    x = Axis(least: least)
    y = x
    z = x
    leastSquare = least * least
  }

  /// Takes a sample, its change from the previous sample, the previous change, and the sensor's
  /// quantisation step, zero if the samples have shown none yet. Returns the number of axes at an
  /// end of the range.
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

  /// One direction of an axis.
  private struct End: Equatable, Sendable {
    /// Values from this one on are near the greatest value so far.
    private(set) var near: Scalar
    private var greatest = 0.0
    /// The least value of a plateau.
    private var floor = Scalar.infinity
    /// The number of visits near the greatest value that showed an end of the range, less the
    /// number that passed a peak.
    private var evidence = 0
    /// The number of samples in this visit, and whether the visit has shown an end of the range.
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
          last > max(FusionEngine.Params.calibrationShare * greatest, parabolaCounts * count)
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
      // A visit of two samples is too short to recognise a peak.
      if samples > 2, !hasShown, evidence > 0 { evidence -= 1 }
      (samples, hasShown, rise, flat) = (0, false, 0, 0)
    }
  }
}

/// The share by which calibration may move the end of a range, through scale and both other axes
/// together.
var rangeEdge: Scalar { 3 * FusionEngine.Params.calibrationShare }
/// By arithmetic: before three equal samples at the peak of a parabola rounded to quantisation
/// steps, either of the two previous changes is at most five steps.
private let parabolaCounts = 5.5
