// SPDX-License-Identifier: Apache-2.0
import CoreMotion
import CoreMotionTesting
import Otolith
import Testing

/// The output of real devices (a public log of an iPhone, and the matrix in
/// composable-core-motion's issue 2), typed by hand.
@Suite struct AttitudeTests {
  struct Logged: Sendable {
    var x, y, z, w: Double
    var gravity: [Double]
    var yaw, roll, pitch: Double
  }

  static let logged = [
    Logged(
      x: 0.4790524792072328, y: 0.02943766064824734, z: 0.02794593734868988, w: 0.8768474017551064,
      gravity: [0.02484953217208385, -0.8417571783065796, -0.5392842888832092],
      yaw: 0.03854622292890875, roll: 0.04604615196858543, pitch: 1.000529893680486),
    Logged(
      x: 0.4729714233539035, y: 0.02776526546442916, z: 0.02793082434526046, w: 0.8801971965085221,
      gravity: [0.02245685458183289, -0.8341672420501709, -0.5510542392730713],
      yaw: 0.04154309656754837, roll: 0.04072999134141961, pitch: 0.9866211248616908),
    Logged(
      x: 0.4674988045312521, y: 0.01092677276436151, z: 0.01550292978841459, w: 0.8837903134622728,
      gravity: [0.004818749614059925, -0.826680600643158, -0.5626509189605713],
      yaw: 0.03054862887089978, roll: 0.008564158265839585, pitch: 0.9731825449043011),
  ]

  static func attitude(_ x: Double, _ y: Double, _ z: Double, _ w: Double) -> CMAttitude {
    CMAttitude(Quaternion(w: w, x: x, y: y, z: z))
  }

  static func gravity(_ attitude: CMAttitude) -> [Double] {
    let m = attitude.rotationMatrix
    return [-m.m13, -m.m23, -m.m33]
  }

  static func rows(_ m: CMRotationMatrix) -> [Double] {
    [m.m11, m.m12, m.m13, m.m21, m.m22, m.m23, m.m31, m.m32, m.m33]
  }

  static func isNear(_ a: [Double], _ b: [Double], _ tolerance: Double) -> Bool {
    a.count == b.count && zip(a, b).allSatisfy { abs($0 - $1) <= tolerance }
  }

  @Test(arguments: logged) func `angles are those that a device logged`(_ sample: Logged) {
    let attitude = Self.attitude(sample.x, sample.y, sample.z, sample.w)
    #expect(abs(attitude.yaw - sample.yaw) < 1e-9)
    #expect(abs(attitude.roll - sample.roll) < 1e-9)
    #expect(abs(attitude.pitch - sample.pitch) < 1e-9)
  }

  /// The device logged gravity in single precision: half a unit of the last place is 3e-8.
  @Test(arguments: logged) func `gravity is what a device logged`(_ sample: Logged) {
    let attitude = Self.attitude(sample.x, sample.y, sample.z, sample.w)
    #expect(Self.isNear(Self.gravity(attitude), sample.gravity, 4e-8))
    // Gravity from the quaternion, accurate to 1e-9: -2(xz - wy), -2(yz + wx), -(1 - 2(x2 + y2)).
    let (x, y, z, w) = (sample.x, sample.y, sample.z, sample.w)
    let exact = [-2 * (x * z - w * y), -2 * (y * z + w * x), -(1 - 2 * (x * x + y * y))]
    #expect(Self.isNear(Self.gravity(attitude), exact, 1e-9))
  }

  /// The matrix as Core Motion printed it, with five places. The quaternion is computed from it by
  /// the formulas of the transposed matrix: w = sqrt(1 + trace) / 2, x = (m23 - m32) / 4w, y = (m31
  /// - m13) / 4w, z = (m12 - m21) / 4w.
  @Test func `a matrix is the one that Core Motion printed`() {
    let printed = [
      -0.19691, 0.97991, -0.03174, -0.73886, -0.12704, 0.66177, 0.64444, 0.15376, 0.74903,
    ]
    let w = (1 + printed[0] + printed[4] + printed[8]).squareRoot() / 2
    let attitude = Self.attitude(
      (printed[5] - printed[7]) / (4 * w), (printed[6] - printed[2]) / (4 * w),
      (printed[1] - printed[3]) / (4 * w), w)
    #expect(Self.isNear(Self.rows(attitude.rotationMatrix), printed, 2e-5))
    #expect(Self.isNear(Self.gravity(attitude), [0.03174, -0.66177, -0.74903], 2e-5))
  }

  @Test func `the identity is flat, with no angle`() {
    let attitude = Self.attitude(0, 0, 0, 1)
    #expect(Self.isNear(Self.rows(attitude.rotationMatrix), [1, 0, 0, 0, 1, 0, 0, 0, 1], 1e-9))
    #expect(Self.isNear(Self.gravity(attitude), [0, 0, -1], 1e-9))
    #expect(Self.isNear([attitude.yaw, attitude.pitch, attitude.roll], [0, 0, 0], 1e-9))
    #expect(Self.rows(CMAttitude().rotationMatrix) == Self.rows(attitude.rotationMatrix))
  }

  static let half = 0.7071067811865476
  static let quarterTurn = 1.5707963267948966

  @Test func `the top edge up is a pitch of a quarter turn`() {
    let attitude = Self.attitude(Self.half, 0, 0, Self.half)
    #expect(Self.isNear(Self.gravity(attitude), [0, -1, 0], 1e-9))
    #expect(abs(attitude.pitch - Self.quarterTurn) < 1e-9)
    #expect(attitude.roll.isFinite && attitude.yaw.isFinite)
  }

  @Test func `the right edge down is a roll of a quarter turn`() {
    let attitude = Self.attitude(0, Self.half, 0, Self.half)
    #expect(Self.isNear(Self.gravity(attitude), [1, 0, 0], 1e-9))
    #expect(
      Self.isNear(
        [attitude.yaw, attitude.pitch, attitude.roll], [0, 0, Self.quarterTurn], 1e-9))
  }

  @Test func `a turn counter-clockwise seen from above is yaw`() {
    let attitude = Self.attitude(0, 0, Self.half, Self.half)
    #expect(Self.isNear(Self.gravity(attitude), [0, 0, -1], 1e-9))
    #expect(
      Self.isNear(
        [attitude.yaw, attitude.pitch, attitude.roll], [Self.quarterTurn, 0, 0], 1e-9))
    // M (1, 0, 0) is the first column of the matrix.
    let m = attitude.rotationMatrix
    #expect(Self.isNear([m.m11, m.m21, m.m31], [0, -1, 0], 1e-9))
  }

  @Test func `multiplying by an inverse leaves the turn between the two`() {
    let reference = Self.attitude(0, 0, Self.half, Self.half)
    // Turned by 90 degrees about the vertical, then with the top edge raised by 90 degrees.
    let attitude = Self.attitude(0.5, 0.5, 0.5, 0.5)
    attitude.multiply(byInverseOf: reference)
    let q = attitude.quaternion
    #expect(Self.isNear([q.x, q.y, q.z, q.w], [Self.half, 0, 0, Self.half], 1e-9))
    // The reference is unchanged.
    #expect(reference.quaternion.z == Self.half)
  }

  @Test func `multiplying by its own inverse leaves the identity`() {
    for sample in Self.logged {
      let attitude = Self.attitude(sample.x, sample.y, sample.z, sample.w)
      attitude.multiply(byInverseOf: attitude)
      let q = attitude.quaternion
      #expect(Self.isNear([q.x, q.y, q.z, q.w], [0, 0, 0, 1], 1e-9))
    }
  }

  /// In matrices, M <- M Mref^T for any two attitudes.
  @Test func `multiplying by an inverse is the product of the matrices`() {
    // These are unit quaternions; the logged ones are so only in single precision.
    let attitude = Self.attitude(0.1, -0.3, 0.5, 0.65.squareRoot())
    let reference = Self.attitude(-0.7, 0.1, 0.5, 0.5)
    let m = Self.rows(attitude.rotationMatrix)
    let r = Self.rows(reference.rotationMatrix)
    attitude.multiply(byInverseOf: reference)
    var product: [Double] = []
    for row in 0..<3 {
      for column in 0..<3 {
        product.append((0..<3).reduce(0) { $0 + m[row * 3 + $1] * r[column * 3 + $1] })
      }
    }
    #expect(Self.isNear(Self.rows(attitude.rotationMatrix), product, 1e-9))
  }

  /// Tutorials write `motion.attitude.multiply(byInverseOf: reference)` and then read
  /// `motion.attitude.yaw`.
  @Test func `every sample has its own attitude`() throws {
    var sample = MotionSample(timestamp: Timestamp(nanoseconds: 1_000_000_000))
    sample.contents = [.attitude]
    sample.attitude6 = Quaternion(w: Self.half, x: 0, y: 0, z: Self.half)
    let motion = try #require(
      CMDeviceMotion(sample, frame: .xArbitraryZVertical, declination: 0))
    let other = try #require(
      CMDeviceMotion(sample, frame: .xArbitraryZVertical, declination: 0))
    let copy = try #require(motion.copy() as? CMDeviceMotion)
    let reference = try #require(motion.attitude.copy() as? CMAttitude)
    motion.attitude.multiply(byInverseOf: reference)
    #expect(abs(motion.attitude.yaw) < 1e-12 && motion.attitude === motion.attitude)
    for untouched in [other, copy, try #require(motion.copy() as? CMDeviceMotion)] {
      #expect(abs(untouched.attitude.yaw - .pi / 2) < 1e-12)
    }
    #expect(abs(reference.yaw - .pi / 2) < 1e-12)
  }

  /// An archive contains the attitude that the program has changed, also if it is encoded twice.
  @Test func `a motion is archived with the attitude that the program has made of it`() throws {
    var sample = MotionSample(timestamp: Timestamp(nanoseconds: 1_000_000_000))
    sample.contents = [.attitude]
    sample.attitude6 = Quaternion(w: Self.half, x: 0, y: 0, z: Self.half)
    let motion = try #require(
      CMDeviceMotion(sample, frame: .xArbitraryZVertical, declination: 0))
    let before = try #require(try DataTests.archived(motion))
    #expect(abs(before.attitude.yaw - .pi / 2) < 1e-12)
    motion.attitude.multiply(byInverseOf: CMAttitude(roll: 0, pitch: 0, yaw: .pi / 3))
    let once = try #require(try DataTests.archived(motion))
    #expect(abs(once.attitude.yaw - .pi / 6) < 1e-12)
    let twice = try #require(try DataTests.archived(once))
    #expect(abs(twice.attitude.yaw - .pi / 6) < 1e-12)
  }

  @Test func `descriptions read as Core Motion's`() throws {
    #expect(
      CMAttitude(Quaternion(w: Self.half, x: 0, y: 0, z: Self.half)).description
        == "CMAttitude Pitch: 0.000000, Roll: 0.000000, Yaw: 90.000000")
    #expect(
      "\(CMAccelerometerData(Vector3(0.25, 0, -1), timestamp: 1.5))"
        == "x 0.250000 y 0.000000 z -1.000000 @ 1.500000")
    #expect(
      CMDeviceMotion().description.hasPrefix("Quaternion x 0.000000 y 0.000000 z 0.000000 w 1"))
    // The texts are those of iPhone logs.
    let start = Date(timeIntervalSince1970: 1_541_015_423)
    #expect(
      "\(CMMotionActivity(stationary: true, startDate: start, timestamp: 106_477.10625))"
        == "CMMotionActivity @ 106477.106250,<startDate,2018-10-31 19:50:23 +0000,confidence,2,"
        + "unknown,0,stationary,1,walking,0,running,0,automotive,0,cycling,0>")
    let data = CMPedometerData(
      startDate: start, endDate: start + 11, numberOfSteps: 15, distance: 13.25)
    let text: String =
      "CMPedometerData,<startDate 2018-10-31 19:50:23 +0000, endDate 2018-10-31 19:50:34 +0000, "
      + "steps 15, distance 13.25, floorsAscended (null), floorsDescended (null), "
      + "currentPace (null), currentCadence (null), averageActivePace (null)>"
    #expect("\(data)" == text)
    #expect(
      "\(CMPedometerEvent(date: start, type: .resume))"
        == "CMPedometerEvent,<date 2018-10-31 19:50:23 +0000, type 1>")
  }

  @Test func `a copy is independent`() throws {
    let attitude = Self.attitude(0, 0, Self.half, Self.half)
    let copy = try #require(attitude.copy() as? CMAttitude)
    attitude.multiply(byInverseOf: attitude)
    #expect(copy !== attitude && copy.quaternion.z == Self.half)
  }

  /// The heading is in 0 ..< 360 for every yaw in a frame with north: x points north and y west.
  @Test func `a heading lies below 360 degrees in north frames, and is -1 in others`() throws {
    var sample = MotionSample(timestamp: Timestamp(nanoseconds: 1_000_000_000))
    sample.contents = [.attitude, .heading]
    for degree in -3600...3600 {
      let yaw = Double(degree) / 10 * Double.pi / 180
      sample.attitude9 = Quaternion(angle: yaw, axis: Vector3(0, 0, 1))
      let motion = try #require(
        CMDeviceMotion(sample, frame: .xMagneticNorthZVertical, declination: 0))
      #expect((0..<360).contains(motion.heading))
    }
    for (yaw, heading) in [(-90.0, 0.0), (0, 270), (90, 180), (180, 90)] {
      sample.attitude9 = Quaternion(angle: yaw * .pi / 180, axis: Vector3(0, 0, 1))
      let motion = try #require(
        CMDeviceMotion(sample, frame: .xMagneticNorthZVertical, declination: 0))
      let off = abs(motion.heading - heading)
      #expect(min(off, 360 - off) < 1e-9)
    }
    for frame in [ReferenceFrame.xArbitraryZVertical, .xArbitraryCorrectedZVertical] {
      let motion = try #require(CMDeviceMotion(sample, frame: frame, declination: 0))
      #expect(motion.heading == -1)
    }
  }

  /// Magnetic north is 10 degrees east of true north, so a device that points to magnetic north has
  /// a true heading of 10.
  @Test func `declination adds to heading`() throws {
    var sample = MotionSample(timestamp: Timestamp(nanoseconds: 1_000_000_000))
    sample.contents = [.attitude, .heading]
    sample.attitude9 = Quaternion(angle: -.pi / 2, axis: Vector3(0, 0, 1))
    let motion = try #require(
      CMDeviceMotion(sample, frame: .xTrueNorthZVertical, declination: 10 * .pi / 180))
    #expect(abs(motion.heading - 10) < 1e-9)
  }
}
