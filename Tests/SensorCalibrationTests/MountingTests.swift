// SPDX-License-Identifier: Apache-2.0
import Foundation
import Quantities
import SeededRandom
import Fusion
import Testing

@Suite struct MountingTests {
  /// Returns the measurement of a chip that is mounted by `matrix` while the device's direction
  /// `up` points up.
  static func held(_ up: Vector3, _ matrix: Matrix3, spread: Double = 0.01) -> StillSegment {
    StillSegment(mean: matrix.transposed * (up / up.norm), spread: spread, count: 100)
  }

  static func row(_ m: Matrix3, _ index: Int) -> [Double] {
    [[m.m11, m.m12, m.m13], [m.m21, m.m22, m.m23], [m.m31, m.m32, m.m33]][index]
  }

  @Test func `there are 24 mountings`() {
    var seen: [Matrix3] = []
    for index in 0..<24 {
      let matrix = SquareMounting.matrix(index)
      #expect(matrix.determinant == 1)
      for other in 0..<3 {
        let row = Self.row(matrix, other).map(abs)
        #expect(row.sorted() == [0, 0, 1])
      }
      #expect(!seen.contains(matrix))
      seen.append(matrix)
    }
    #expect(SquareMounting.matrix(0) == .identity)
  }

  /// The mounting is `[y, "-x", z]` of a board file: the device's x is the chip's y. Flat, the chip
  /// reads +1 on z; with the device's top edge up, the device's y is up, which is the chip's -x.
  /// The expected matrix was worked out by hand.
  @Test func `a quarter turn is the mounting worked out by hand`() throws {
    let fit = try MountingFit(
      flat: StillSegment(mean: Vector3(0, 0, 1), spread: 0.01, count: 100),
      upright: StillSegment(mean: Vector3(-1, 0, 0), spread: 0.01, count: 100))
    let expected = Matrix3(rows: Vector3(0, 1, 0), Vector3(-1, 0, 0), Vector3(0, 0, 1))
    #expect(fit.square == expected && fit.matrix.distance(to: expected) < 1e-12)
    #expect(fit.offSquare < 1e-7 && fit.tilt < 1e-7)
    // With the right edge down, the device's left side, -x, is up, which is the chip's -y.
    try fit.check(
      rightEdgeDown: StillSegment(mean: Vector3(0, -1, 0), spread: 0.01, count: 100))
  }

  /// Each of the 24 mountings is found although the second gesture is 20 degrees off upright and 20
  /// degrees askew, and the table is 2 degrees off.
  @Test(arguments: 0..<24)
  func `rough gestures find each of the 24 mountings`(_ index: Int) throws {
    let truth = SquareMounting.matrix(index)
    for sign in [1.0, -1] {
      let flat = Self.held(Vector3(sine(2) * sign, 0, cosine(2)), truth)
      let upright = Self.held(Vector3(sine(20) * sign, cosine(20), sine(20) * sign), truth)
      let fit = try MountingFit(flat: flat, upright: upright)
      #expect(fit.square == truth)
      #expect(fit.offSquare > 15 * degree && fit.offSquare < 25 * degree)
      #expect(abs(fit.tilt / degree - 2) < 0.01)
      try fit.check(rightEdgeDown: Self.held(Vector3(-cosine(20), 0, sine(20) * sign), truth))
    }
  }

  /// Good gestures find any mounting to the last digits, even if upright is not at right angles to
  /// flat.
  @Test(arguments: 0..<20)
  func `good gestures find any mounting to the last digits`(_ seed: UInt64) throws {
    var random = SplitMix(state: seed)
    let truth = Quaternion(rotationVector: random.vector(2)).rotationMatrix
    let fit = try MountingFit(
      flat: Self.held(Vector3(0, 0, 1), truth),
      upright: Self.held(Vector3(0, cosine(25), sine(25)), truth))
    #expect(fit.matrix.distance(to: truth) < 1e-12)
    let off = (fit.square.transposed * truth)
    let angle = acos((off.m11 + off.m22 + off.m33 - 1) / 2)
    #expect(abs(fit.offSquare - angle) < 1e-9)
  }

  @Test func `gestures that cannot be a mounting are refused`() throws {
    let flat = Self.held(Vector3(0, 0, 1), .identity)
    func error(_ upright: StillSegment) -> MountingError? {
      do throws(MountingError) {
        _ = try MountingFit(flat: flat, upright: upright)
        return nil
      } catch { return error }
    }
    guard
      case .notTurned(let angle)? = error(Self.held(Vector3(0, sine(30), cosine(30)), .identity))
    else {
      Issue.record("30 degrees are no gesture")
      return
    }
    #expect(abs(angle / degree - 30) < 1e-9)
    guard case .turnedOver? = error(Self.held(Vector3(0, sine(140), cosine(140)), .identity)) else {
      Issue.record("turned over")
      return
    }
    #expect(
      error(Self.held(Vector3(0, 1, 0), .identity, spread: 0.2)) == .moved(spread: 0.2))
    #expect(
      error(StillSegment(mean: Vector3(0, 1.5, 0), spread: 0.01, count: 9))
        == .notGravity(norm: 1.5))
    #expect(
      error(StillSegment(mean: Vector3(0, .nan, 0), spread: 0.01, count: 9))
        == .moved(spread: 0.01))
  }

  /// The device is held flat, upright, flat and with its right edge down, as the steps say; between
  /// them it stays still in the same position.
  @Test func `gestures are taken in order, repeated ones waited out`() {
    let truth = SquareMounting.matrix(13)
    var gestures = MountingGestures()
    func add(_ x: Double, _ y: Double, _ z: Double) -> MountingGestures.Verdict {
      gestures.add(Self.held(Vector3(x, y, z), truth))
    }
    #expect(add(0, 0, 1) == .taken(.flat) && gestures.next == .upright)
    #expect(add(0, 0.1, 1) == .waiting)
    #expect(add(0, 1, 0) == .taken(.upright) && gestures.next == .rightEdgeDown)
    #expect(gestures.fit?.square == truth)
    #expect(add(0, 1, 0.1) == .waiting && add(0, 0, 1) == .waiting)
    #expect(add(-1, 0, 0) == .taken(.rightEdgeDown) && gestures.next == nil)
  }

  /// The right edge is held first and the top edge after it. These two gestures would give a wrong
  /// mounting, which the third contradicts.
  @Test func `gestures in the wrong order are contradicted by the third`() {
    var gestures = MountingGestures()
    _ = gestures.add(Self.held(Vector3(0, 0, 1), .identity))
    #expect(gestures.add(Self.held(Vector3(-1, 0, 0), .identity)) == .taken(.upright))
    guard
      case .refused(.contradicted(let angle)) = gestures.add(
        Self.held(Vector3(0, 1, 0), .identity))
    else {
      Issue.record("taken")
      return
    }
    #expect(abs(angle / degree - 180) < 1e-6)
    gestures.reset()
    #expect(gestures.next == .flat && gestures.fit == nil)
  }
}
