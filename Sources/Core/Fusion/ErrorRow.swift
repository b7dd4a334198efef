// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// One number for each of the 24 errors of `ErrorFilter`: a row of the covariance, a gain or a
/// correction. The numbers are stored in groups of four, which a processor handles in one
/// instruction.
@usableFromInline struct ErrorRow: Equatable, Sendable {
  @usableFromInline var a = Four(repeating: 0)
  @usableFromInline var b = Four(repeating: 0)
  @usableFromInline var c = Four(repeating: 0)
  @usableFromInline var d = Four(repeating: 0)
  @usableFromInline var e = Four(repeating: 0)
  @usableFromInline var f = Four(repeating: 0)

  @usableFromInline typealias Four = SIMD4<Scalar>

  init() {}

  init(repeating value: Scalar) {
    let four = Four(repeating: value)
    self.init(four, four, four, four, four, four)
  }

  @inline(__always)
  init(_ a: Four, _ b: Four, _ c: Four, _ d: Four, _ e: Four, _ f: Four) {
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.e = e
    self.f = f
  }

  /// Creates the sum of three rows times the components of `v`. Never inlined, because each
  /// unrolled copy takes two kilobytes on a Cortex-M4.
  @inline(never)
  init(_ x: ErrorRow, _ y: ErrorRow, _ z: ErrorRow, times v: Vector3) {
    self = x * v.x + y * v.y + z * v.z
  }

  /// The number for an error whose index is computed at run time.
  subscript(_ index: Int) -> Scalar {
    get {
      let four =
        index < 12 ? (index < 4 ? a : index < 8 ? b : c) : index < 16 ? d : index < 20 ? e : f
      return four[index % 4]
    }
    set {
      let place = index % 4
      switch index / 4 {
      case 0: a[place] = newValue
      case 1: b[place] = newValue
      case 2: c[place] = newValue
      case 3: d[place] = newValue
      case 4: e[place] = newValue
      default: f[place] = newValue
      }
    }
  }

  // Each group has its own property, because constant vector indices compile to better code.
  @inline(__always)
  var attitude: Vector3 {
    get { Vector3(a.x, a.y, a.z) }
    set { (a.x, a.y, a.z) = (newValue.x, newValue.y, newValue.z) }
  }
  @inline(__always)
  var velocity: Vector3 {
    get { Vector3(a.w, b.x, b.y) }
    set { (a.w, b.x, b.y) = (newValue.x, newValue.y, newValue.z) }
  }
  @inline(__always)
  var bias: Vector3 {
    get { Vector3(b.z, b.w, c.x) }
    set { (b.z, b.w, c.x) = (newValue.x, newValue.y, newValue.z) }
  }
  @inline(__always)
  var offset: Vector3 {
    get { Vector3(c.y, c.z, c.w) }
    set { (c.y, c.z, c.w) = (newValue.x, newValue.y, newValue.z) }
  }
  @inline(__always)
  var scale: Vector3 {
    get { Vector3(d.x, d.y, d.z) }
    set { (d.x, d.y, d.z) = (newValue.x, newValue.y, newValue.z) }
  }
  @inline(__always)
  var gyroX: Vector3 {
    get { Vector3(d.w, e.x, e.y) }
    set { (d.w, e.x, e.y) = (newValue.x, newValue.y, newValue.z) }
  }
  @inline(__always)
  var gyroY: Vector3 {
    get { Vector3(e.z, e.w, f.x) }
    set { (e.z, e.w, f.x) = (newValue.x, newValue.y, newValue.z) }
  }
  @inline(__always)
  var gyroZ: Vector3 {
    get { Vector3(f.y, f.z, f.w) }
    set { (f.y, f.z, f.w) = (newValue.x, newValue.y, newValue.z) }
  }

  @inline(__always)
  static func * (row: ErrorRow, factor: Scalar) -> ErrorRow {
    ErrorRow(
      row.a * factor, row.b * factor, row.c * factor, row.d * factor, row.e * factor,
      row.f * factor)
  }

  static func * (x: ErrorRow, y: ErrorRow) -> ErrorRow {
    ErrorRow(x.a * y.a, x.b * y.b, x.c * y.c, x.d * y.d, x.e * y.e, x.f * y.f)
  }

  @inline(__always)
  static func + (x: ErrorRow, y: ErrorRow) -> ErrorRow {
    ErrorRow(x.a + y.a, x.b + y.b, x.c + y.c, x.d + y.d, x.e + y.e, x.f + y.f)
  }

  @inline(__always)
  static func - (x: ErrorRow, y: ErrorRow) -> ErrorRow {
    ErrorRow(x.a - y.a, x.b - y.b, x.c - y.c, x.d - y.d, x.e - y.e, x.f - y.f)
  }

  @inline(__always)
  func dot(_ other: ErrorRow) -> Scalar {
    let first: Four = a * other.a + b * other.b + c * other.c
    let second: Four = d * other.d + e * other.e + f * other.f
    return (first + second).sum()
  }

  /// The indices of the groups of four numbers. Loops over these indices keep the code small;
  /// unrolled code would exceed the processor's cache.
  @inline(__always)
  var fours: InlineArray<6, Four> { [a, b, c, d, e, f] }

  var isFinite: Bool {
    // Infinity times zero is not a number, so a row with an infinite or invalid number gives a sum
    // other than zero.
    let zero = self * 0
    let sum = zero.a + zero.b + zero.c
    return sum + zero.d + zero.e + zero.f == Four(repeating: 0)
  }
}

/// Three errors that are observed together; the raw value is the index of the first error.
enum Errors: Int {
  /// The attitude: a rotation vector in the reference frame, rad, for tilt and heading.
  case attitude = 0
  /// The velocity in the reference frame, m/s.
  case velocity = 3
  /// The bias of the gyroscope, device axes, rad/s.
  case bias = 6
}
