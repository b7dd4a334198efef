// SPDX-License-Identifier: Apache-2.0
import Foundation
import Quantities
import SeededRandom
import Fusion
import Testing

@Suite struct FieldAlignmentTests {
  /// Returns the alignment of a device that was turned by a quarter and back about each of `axes`,
  /// a second each way. Its gyroscope runs at 100 Hz with a bias; its magnetometer runs at 50 Hz
  /// with noise, is mounted by `truth` and sits near a magnet.
  static func alignment(
    _ truth: Matrix3, iron: Vector3, axes: [Vector3], noise: Double, seed: UInt64
  ) -> FieldAlignment {
    var random = SplitMix(state: seed)
    var alignment = FieldAlignment()
    var attitude = Quaternion.identity
    let field = Vector3(20, 0, -45)
    var tick = 0
    for axis in axes {
      for direction in [1.0, -1] {
        for step in 0..<100 {
          // The mean of this rate over the second is a quarter of a turn.
          let speed = Double.pi / 2 * (1 - cos(2 * .pi * Double(step) / 100))
          let rate = axis * (speed * direction)
          let time = Timestamp(seconds: Double(tick) / 100)
          alignment.add(
            rotationRate: rate + Vector3(0.01, -0.007, 0.005) + random.vector(0.001), at: time)
          if tick % 2 == 0 {
            let device = attitude.conjugate.rotate(field)
            alignment.add(
              magneticField: truth.transposed * device + iron + random.vector(noise), at: time)
          }
          attitude = attitude * Quaternion(rotationVector: rate * 0.01)
          tick += 1
        }
      }
    }
    return alignment
  }

  static let x = Vector3(1, 0, 0)
  static let y = Vector3(0, 1, 0)

  /// Each of the 24 mountings is found although the magnet is stronger than the field.
  @Test(arguments: 0..<24)
  func `each of the 24 mountings is found near a magnet`(_ index: Int) throws {
    let truth = SquareMounting.matrix(index)
    let iron = Vector3(60, -35, 20)
    let alignment = Self.alignment(
      truth, iron: iron, axes: [Self.x, Self.y, Self.x, Self.y], noise: 0.5, seed: UInt64(index))
    let fit = try #require(alignment.fit)
    #expect(fit.matrix == truth && fit.isClear && fit.margin > 5)
    #expect((fit.hardIron - iron).norm < 3)
    #expect(fit.residual < 1.5)
  }

  /// A chip that sits 10 degrees askew has the nearest of the 24 mountings.
  @Test func `a chip that sits askew has its nearest mounting`() throws {
    let tilt = Quaternion(angle: 10 * degree, axis: Vector3(0.6, 0, 0.8)).rotationMatrix
    let truth = SquareMounting.matrix(7)
    let alignment = Self.alignment(
      tilt * truth, iron: .zero, axes: [Self.x, Self.y, Self.x, Self.y], noise: 0.5, seed: 1)
    #expect(alignment.fit?.matrix == truth && alignment.fit?.isClear == true)
  }

  /// If all turns are about one direction, the mountings that differ by a turn about it cannot be
  /// distinguished.
  @Test func `one direction is not enough`() throws {
    let alignment = Self.alignment(
      .identity, iron: .zero, axes: [Self.x, Self.x, Self.x], noise: 0.3, seed: 2)
    let fit = try #require(alignment.fit)
    #expect(!fit.isClear && fit.margin < 1.2)
  }

  @Test func `rest gives no alignment`() {
    var alignment = FieldAlignment()
    for tick in 0..<2000 {
      let time = Timestamp(seconds: Double(tick) / 100)
      alignment.add(rotationRate: .zero, at: time)
      alignment.add(magneticField: Vector3(0, 20, -45), at: time)
    }
    #expect(alignment.fit == nil && alignment.turns == 0)
  }
}
