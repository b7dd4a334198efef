// SPDX-License-Identifier: Apache-2.0
import Quantities
import Testing

/// An iPhone's values at one time: quaternion, gravity and angles.
struct PhoneSample: Sendable {
  var attitude: Quaternion
  var gravity: Vector3
  var yaw: Double
  var roll: Double
  var pitch: Double
}

private func rows(_ m: Matrix3) -> [Double] {
  [m.m11, m.m12, m.m13, m.m21, m.m22, m.m23, m.m31, m.m32, m.m33]
}

private func farthest(_ m: Matrix3, _ expected: [Double]) -> Double {
  zip(rows(m), expected).map { abs($0 - $1) }.max() ?? .infinity
}

@Suite struct AttitudeTests {
  /// Recorded by an iPhone with SensorLog (Marcel-vgl/ML4SCS, 2026-05-26).
  static let phone = [
    PhoneSample(
      attitude: Quaternion(
        w: 0.8768474017551064, x: 0.4790524792072328, y: 0.02943766064824734,
        z: 0.02794593734868988),
      gravity: Vector3(0.02484953217208385, -0.8417571783065796, -0.5392842888832092),
      yaw: 0.03854622292890875, roll: 0.04604615196858543, pitch: 1.000529893680486),
    PhoneSample(
      attitude: Quaternion(
        w: 0.8801971965085221, x: 0.4729714233539035, y: 0.02776526546442916,
        z: 0.02793082434526046),
      gravity: Vector3(0.02245685458183289, -0.8341672420501709, -0.5510542392730713),
      yaw: 0.04154309656754837, roll: 0.04072999134141961, pitch: 0.9866211248616908),
    PhoneSample(
      attitude: Quaternion(
        w: 0.8837903134622728, x: 0.4674988045312521, y: 0.01092677276436151,
        z: 0.01550292978841459),
      gravity: Vector3(0.004818749614059925, -0.826680600643158, -0.5626509189605713),
      yaw: 0.03054862887089978, roll: 0.008564158265839585, pitch: 0.9731825449043011),
  ]

  @Test(arguments: phone)
  func `gravity is what a phone logged`(sample: PhoneSample) {
    let down = Vector3(0, 0, -1)
    #expect((sample.attitude.conjugate.rotate(down) - sample.gravity).norm < 1e-7)
    let matrix = sample.attitude.rotationMatrix
    #expect((matrix.transposed * down - sample.gravity).norm < 1e-7)
  }

  @Test(arguments: phone)
  func `angles are what a phone logged`(sample: PhoneSample) {
    let angles = EulerAngles(sample.attitude)
    // The second yaw is printed with an error of 1e-9.
    #expect(abs(angles.yaw - sample.yaw) < 1e-9)
    #expect(abs(angles.roll - sample.roll) < 1e-12)
    #expect(abs(angles.pitch - sample.pitch) < 1e-12)
  }

  /// The attitude of three angles is Rz(yaw) Rx(pitch) Ry(roll).
  @Test(arguments: phone)
  func `turns go by yaw, pitch and roll, in this order`(sample: PhoneSample) {
    let q =
      Quaternion(angle: sample.yaw, axis: Vector3(0, 0, 1))
      * Quaternion(angle: sample.pitch, axis: Vector3(1, 0, 0))
      * Quaternion(angle: sample.roll, axis: Vector3(0, 1, 0))
    let p = sample.attitude
    let difference = abs(q.w * p.w + q.x * p.x + q.y * p.y + q.z * p.z)
    #expect(abs(difference - 1) < 1e-7)
  }

  /// Core Motion's matrix, printed in pointfreeco/composable-core-motion issue 2 with five places,
  /// is the transpose of R(q): a rotation built from it must give the same numbers.
  @Test func `the matrix of a phone gives its gravity and its angles`() throws {
    let m = Matrix3(
      rows: Vector3(-0.19691, 0.97991, -0.03174), Vector3(-0.73886, -0.12704, 0.66177),
      Vector3(0.64444, 0.15376, 0.74903))
    #expect(abs(m.determinant - 1) < 2e-5)
    #expect(farthest(m * m.transposed, [1, 0, 0, 0, 1, 0, 0, 0, 1]) < 2e-5)
    // The quaternion of R = transposed m, by hand: 4 w^2 = 1 + trace, 4 w x = R32 - R23 = m23 - m32
    // ...
    let w = ((1 - 0.19691 - 0.12704 + 0.74903) / 4).squareRoot()
    let q = Quaternion(
      w: w, x: (0.66177 - 0.15376) / (4 * w), y: (0.64444 + 0.03174) / (4 * w),
      z: (0.97991 + 0.73886) / (4 * w))
    #expect(abs(q.norm - 1) < 2e-5)
    #expect(farthest(q.rotationMatrix.transposed, rows(m)) < 3e-5)
    let gravity = q.conjugate.rotate(Vector3(0, 0, -1))
    #expect((gravity - Vector3(0.03174, -0.66177, -0.74903)).norm < 5e-5)
    // pitch = asin(m23), roll = atan2(-m13, m33), yaw = atan2(-m21, m22)
    let angles = EulerAngles(q)
    #expect(abs(angles.pitch - 0.7231772) < 1e-4)
    #expect(abs(angles.roll - 0.0423495) < 1e-4)
    #expect(abs(angles.yaw - 1.7410719) < 1e-4)
  }

  @Test func `the identity turns nothing`() {
    let q = Quaternion.identity
    #expect(rows(q.rotationMatrix) == [1, 0, 0, 0, 1, 0, 0, 0, 1])
    #expect(q.conjugate.rotate(Vector3(0, 0, -1)) == Vector3(0, 0, -1))
    #expect(EulerAngles(q) == EulerAngles(roll: 0, pitch: 0, yaw: 0))
  }

  @Test func `the top edge up is a pitch of 90 degrees`() {
    let q = Quaternion(w: 0.7071067811865476, x: 0.7071067811865476, y: 0, z: 0)
    #expect((q.conjugate.rotate(Vector3(0, 0, -1)) - Vector3(0, -1, 0)).norm < 1e-15)
    #expect(abs(EulerAngles(q).pitch - 1.5707963267948966) < 1e-7)
  }

  @Test func `the right edge down is a roll of 90 degrees`() {
    let q = Quaternion(w: 0.7071067811865476, x: 0, y: 0.7071067811865476, z: 0)
    #expect((q.conjugate.rotate(Vector3(0, 0, -1)) - Vector3(1, 0, 0)).norm < 1e-15)
    #expect(abs(EulerAngles(q).roll - 1.5707963267948966) < 1e-15)
    #expect(abs(EulerAngles(q).pitch) < 1e-15)
  }

  @Test func `a turn counter-clockwise seen from above is a yaw of 90 degrees`() {
    let q = Quaternion(w: 0.7071067811865476, x: 0, y: 0, z: 0.7071067811865476)
    #expect((q.conjugate.rotate(Vector3(0, 0, -1)) - Vector3(0, 0, -1)).norm < 1e-15)
    #expect((q.rotationMatrix.transposed * Vector3(1, 0, 0) - Vector3(0, -1, 0)).norm < 1e-15)
    #expect((q.rotate(Vector3(1, 0, 0)) - Vector3(0, 1, 0)).norm < 1e-15)
    #expect(abs(EulerAngles(q).yaw - 1.5707963267948966) < 1e-15)
  }

  /// At the pole yaw and roll rotate about one axis: yaw + roll with the top edge up, yaw - roll
  /// with it down.
  @Test(arguments: [-1.0, 1], [-179.5, -120, -45, 0, 30, 90, 171] as [Double])
  func `a pitch of 90 degrees keeps the turn about the vertical`(_ sign: Double, _ yaw: Double) {
    for roll in [-150.0, -60, 0, 15, 100] {
      func turn(_ degrees: Double, _ x: Double, _ y: Double, _ z: Double) -> Quaternion {
        Quaternion(angle: degrees * Double.pi / 180, axis: Vector3(x, y, z))
      }
      let q = turn(yaw, 0, 0, 1) * turn(sign * 90, 1, 0, 0) * turn(roll, 0, 1, 0)
      let angles = EulerAngles(q)
      #expect(angles.roll == 0 && abs(angles.pitch - sign * 1.5707963267948966) < 3e-8)
      let off = (angles.yaw * 180 / Double.pi - (yaw + sign * roll)).remainder(dividingBy: 360)
      #expect(abs(off) < 1e-9 && abs(angles.yaw) <= Double.pi, "\(yaw) \(roll)")
    }
  }

  /// Arbitrarily close to the pole, the angles reproduce the attitude, whichever formula is used.
  @Test(arguments: [1e-3, 1e-6, 1e-7, 3e-8, 1e-8, 1e-9, 0] as [Double])
  func `near the pole the angles turn as their attitude does`(_ distance: Double) {
    for (yaw, roll) in [(0.3, -2.0), (-2.9, 1.1), (3.0, 3.0)] {
      for pitch in [Double.pi / 2 - distance, distance - Double.pi / 2] {
        func attitude(_ yaw: Double, _ pitch: Double, _ roll: Double) -> Quaternion {
          Quaternion(angle: yaw, axis: Vector3(0, 0, 1))
            * Quaternion(angle: pitch, axis: Vector3(1, 0, 0))
            * Quaternion(angle: roll, axis: Vector3(0, 1, 0))
        }
        let q = attitude(yaw, pitch, roll)
        let angles = EulerAngles(q)
        let off = q.conjugate * attitude(angles.yaw, angles.pitch, angles.roll)
        #expect(Vector3(off.x, off.y, off.z).norm < 5e-8)
      }
    }
  }

  /// Rounding can make the sine of the pitch exceed 1.
  @Test func `pitch is clamped`() {
    for w in [0.70710678118654757, 0.7071067811865477, 0.70711] {
      let up = EulerAngles(Quaternion(w: w, x: w, y: 0, z: 0))
      let down = EulerAngles(Quaternion(w: w, x: -w, y: 0, z: 0))
      #expect(abs(up.pitch - 1.5707963267948966) < 1e-7)
      #expect(abs(down.pitch + 1.5707963267948966) < 1e-7)
      #expect(up.yaw.isFinite && up.roll.isFinite && down.yaw.isFinite && down.roll.isFinite)
    }
  }

  /// i j = k, j k = i, k i = j, and the squares are -1.
  @Test func `quaternions multiply as Hamilton's do`() {
    let i = Quaternion(w: 0, x: 1, y: 0, z: 0)
    let j = Quaternion(w: 0, x: 0, y: 1, z: 0)
    let k = Quaternion(w: 0, x: 0, y: 0, z: 1)
    let minus = Quaternion(w: -1, x: 0, y: 0, z: 0)
    #expect(i * j == k)
    #expect(j * k == i)
    #expect(k * i == j)
    #expect(j * i == k.conjugate)
    #expect(i * i == minus && j * j == minus && k * k == minus)
  }

  @Test func `rotation vectors turn by their length about themselves`() {
    #expect(Quaternion(rotationVector: .zero) == .identity)
    let tiny = Quaternion(rotationVector: Vector3(2e-12, 0, -4e-12))
    #expect(abs(tiny.x - 1e-12) < 1e-26 && abs(tiny.z + 2e-12) < 1e-26 && tiny.w == 1)
    // The two formulas agree where they meet.
    for angle in [0.99e-8, 1.01e-8] {
      #expect(abs(Quaternion(rotationVector: Vector3(0, angle, 0)).y / angle - 0.5) < 1e-15)
    }
    // A third of a rotation about the diagonal takes x to y to z.
    let third = Quaternion(
      rotationVector: Vector3(1.2091995761561452, 1.2091995761561452, 1.2091995761561452))
    #expect((third.rotate(Vector3(1, 0, 0)) - Vector3(0, 1, 0)).norm < 1e-15)
    #expect((third.rotate(Vector3(0, 1, 0)) - Vector3(0, 0, 1)).norm < 1e-15)
  }

  @Test func `what has no direction normalises to the identity or to nothing`() {
    #expect(Quaternion(w: 0, x: 0, y: 0, z: 0).normalized == .identity)
    #expect(Quaternion(w: .nan, x: 0, y: 0, z: 0).normalized == .identity)
    #expect(Quaternion(w: .infinity, x: 0, y: 0, z: 0).normalized == .identity)
    #expect(
      Quaternion(w: 0, x: 3, y: 0, z: -4).normalized == Quaternion(w: 0, x: 0.6, y: 0, z: -0.8))
    #expect(Vector3.zero.normalized == nil)
    #expect(Vector3(.nan, 0, 0).normalized == nil)
    #expect(Vector3(1e200, 0, 0).normalized == nil)
    #expect(Vector3(0, 3, -4).normalized == Vector3(0, 0.6, -0.8))
  }

  @Test func `vectors and matrices multiply as by hand`() {
    #expect(Vector3(1, 0, 0).cross(Vector3(0, 1, 0)) == Vector3(0, 0, 1))
    #expect(Vector3(1, 2, 3).cross(Vector3(4, 5, 6)) == Vector3(-3, 6, -3))
    #expect(Vector3(1, 2, 3).dot(Vector3(4, -5, 6)) == 12)
    #expect(Vector3(2, -3, 6).norm == 7)
    let a = Matrix3(rows: Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 10))
    let b = Matrix3(rows: Vector3(2, 0, 1), Vector3(0, 3, 0), Vector3(1, 1, 1))
    #expect(rows(a * b) == [5, 9, 4, 14, 21, 10, 24, 34, 17])
    #expect(rows(a.transposed) == [1, 4, 7, 2, 5, 8, 3, 6, 10])
    #expect(a.determinant == -3)
    #expect(a * Vector3(1, 0, -1) == Vector3(-2, -2, -3))
  }

  @Test func `180 degrees are pi radians`() {
    #expect(radians(fromDegrees: 180) == 3.141592653589793)
    #expect(degrees(fromRadians: 3.141592653589793) == 180)
    #expect(abs(radians(fromDegrees: -57.29577951308232) + 1) < 1e-15)
  }
}
