// SPDX-License-Identifier: Apache-2.0
import Quantities
import SeededRandom
import Fusion
import Testing

@Suite struct SixPositionsTests {
  static func solve(_ positions: [StillSegment], gravity: Double = 1) throws -> AccelerationFit {
    var params = SixPositions.Params()
    params.gravity = gravity
    var collected = SixPositions(params)
    for position in positions {
      guard case .taken = collected.add(position) else {
        Issue.record("\(position) was not taken")
        continue
      }
    }
    return try collected.solve()
  }

  /// x reads 1.07 and -0.97: half of their sum is the offset, and half of their difference is the
  /// scale. y reads 0.9 and -1.1; z is ideal.
  @Test func `square positions give offset and scale as by hand`() throws {
    let up = [
      Vector3(1.07, -0.1, 0), Vector3(-0.97, -0.1, 0), Vector3(0.05, 0.9, 0),
      Vector3(0.05, -1.1, 0), Vector3(0.05, -0.1, 1), Vector3(0.05, -0.1, -1),
    ]
    let fit = try Self.solve(up.map { StillSegment(mean: $0, spread: 0, count: 100) })
    #expect((fit.offset - Vector3(0.05, -0.1, 0)).norm < 1e-12)
    let expected = Matrix3(rows: Vector3(1 / 1.02, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1))
    #expect(fit.matrix.distance(to: expected) < 1e-12)
    #expect(fit.model == .offsetAndScale)
    #expect(fit.residual < 1e-12 && fit.residualBefore > 0.05)
  }

  /// People hold a device up to ten degrees off, which is not taken for an error of the chip.
  @Test(arguments: 0..<50) func `rough positions find offset and scale`(_ seed: UInt64) throws {
    var random = SplitMix(state: seed)
    var chip = Accelerometer(offset: random.vector(0.04))
    chip.distortion = Matrix3(
      rows: Vector3(1 + random.uniform(0.03), 0, 0), Vector3(0, 1 + random.uniform(0.03), 0),
      Vector3(0, 0, 1 + random.uniform(0.03)))
    let fit = try Self.solve(faces(offBy: 10, &random).map(chip.measure))
    #expect((fit.offset - chip.offset).norm < 1e-9)
    #expect(fit.matrix.distance(to: chip.distortion.inverted) < 1e-9)
  }

  /// Six positions cannot show all misalignment, and they do no harm by it: a chip that is off by 1
  /// % stays within 1 %.
  @Test(arguments: 0..<50)
  func `misalignment in six rough positions costs no more than it is worth`(_ seed: UInt64) throws {
    var random = SplitMix(state: seed)
    var chip = Accelerometer(offset: random.vector(0.04))
    let (a, b, c) = (random.uniform(0.01), random.uniform(0.01), random.uniform(0.01))
    chip.distortion = Matrix3(rows: Vector3(1, a, b), Vector3(a, 1, c), Vector3(b, c, 1))
    let fit = try Self.solve(faces(offBy: 10, &random).map(chip.measure))
    #expect((fit.offset - chip.offset).norm < 0.01)
    #expect(abs(fit.matrix.m11 - 1) < 0.01 && abs(fit.matrix.m22 - 1) < 0.01)
  }

  /// Faces and edges with 1 mg of noise, in a place of weak gravity, give every error to within 3
  /// mg or 0.3 %.
  @Test(arguments: 0..<50)
  func `many positions find every error of the chip`(_ seed: UInt64) throws {
    var random = SplitMix(state: seed)
    let gravity = 0.9973
    var chip = Accelerometer(offset: random.vector(0.04))
    let (a, b, c) = (random.uniform(0.02), random.uniform(0.02), random.uniform(0.02))
    chip.distortion = Matrix3(
      rows: Vector3(1 + random.uniform(0.03), a, b), Vector3(a, 1 + random.uniform(0.03), c),
      Vector3(b, c, 1 + random.uniform(0.03)))
    let truths = faces(gravity, offBy: 10, &random) + edges(gravity, offBy: 10, &random)
    let positions = truths.map { truth in
      var position = chip.measure(truth)
      position.mean += random.vector(0.001)
      return position
    }
    let fit = try Self.solve(positions, gravity: gravity)
    #expect(fit.model == .offsetAndMatrix && fit.positions == 18)
    #expect((fit.offset - chip.offset).norm < 0.003)
    #expect(fit.matrix.distance(to: chip.distortion.inverted) < 0.003)
    #expect(fit.residual < 0.002)
  }

  /// The corrected norm is the local gravity: a chip without errors at the equator keeps its scale.
  @Test func `gravity is taken from the parameters`() throws {
    var random = SplitMix(state: 1)
    let chip = Accelerometer()
    let positions = faces(0.9973, offBy: 5, &random).map(chip.measure)
    let fit = try Self.solve(positions, gravity: 0.9973)
    #expect(fit.matrix.distance(to: .identity) < 1e-9)
    let wrong = try Self.solve(positions)
    #expect(abs(wrong.matrix.m11 - 1 / 0.9973) < 1e-9)
  }

  @Test func `a position that moved, is none or was there already is refused`() throws {
    var collected = SixPositions()
    func add(_ mean: Vector3, spread: Double = 0) -> SixPositions.Verdict {
      collected.add(StillSegment(mean: mean, spread: spread, count: 100))
    }
    let verdicts = [
      add(Vector3(0, 0, 1), spread: 0.05), add(Vector3(0, 0, 1.5)), add(Vector3(0, 0, -0.5)),
      add(Vector3(0, 0, 1)), add(Vector3(0, 0, 1)), add(Vector3(0, 0.707, 0.707)),
    ]
    #expect(
      verdicts == [
        .moved(spread: 0.05), .notGravity(norm: 1.5), .notGravity(norm: 0.5), .taken(.zUp),
        .seen(.zUp), .taken(nil),
      ])
    guard case .notGravity = add(Vector3(.nan, 0, 1)) else {
      Issue.record("not a number was taken")
      return
    }
    #expect(collected.count == 2 && collected.faces == FaceSet(.zUp))
    #expect(throws: AccelerationFitError.missing(collected.missing)) { try collected.solve() }
    #expect(!collected.missing.contains(.zUp) && collected.missing.contains(.zDown))
  }

  @Test(arguments: [
    (Vector3(1, 0.3, 0.3), Face.xUp), (Vector3(-1, 0.3, 0.3), .xDown),
    (Vector3(0, 0.9, 0), .yUp), (Vector3(0, -1, -0.3), .yDown), (Vector3(0, 0, 1), .zUp),
    (Vector3(0.3, 0, -1), .zDown),
  ]) func `each force has its face up`(_ force: Vector3, _ face: Face) {
    #expect(Face(force) == face)
  }

  @Test func `a device on its edge has no face up`() {
    #expect(Face(Vector3(0.7, 0.7, 0)) == nil)
    #expect(Face(.zero) == nil)
  }

  /// Twelve positions that are all tilted about one axis say nothing about the other two
  /// misalignments, which are left at zero.
  @Test func `positions about one axis leave misalignments at zero`() throws {
    let chip = Accelerometer()
    let plane = [18.0, 36, 54, 72, 108, 126].map { angle in
      Vector3(cosine(angle), sine(angle), 0)
    }
    var random = SplitMix(state: 3)
    let fit = try Self.solve((faces(offBy: 0, &random) + plane).map(chip.measure))
    #expect(fit.model == .offsetAndScale && fit.positions == 12)
    #expect(fit.matrix.distance(to: .identity) < 1e-9)
  }

  /// One position was measured while the device moved steadily, so that it is 0.2 g too small.
  @Test func `a position that contradicts the others is noticed`() throws {
    let chip = Accelerometer()
    var random = SplitMix(state: 3)
    var positions = (faces(offBy: 5, &random) + edges(offBy: 5, &random)).map(chip.measure)
    positions[8].mean = positions[8].mean * 0.8
    var collected = SixPositions()
    for position in positions { _ = collected.add(position) }
    do {
      let fit = try collected.solve()
      Issue.record("\(fit)")
    } catch AccelerationFitError.inconsistent(let residual) {
      #expect(residual > 0.03 && residual < 0.06)
    }
  }

  /// A chip that reads 20 % too much in every position has the wrong range.
  @Test func `a chip of the wrong range is noticed`() throws {
    var random = SplitMix(state: 3)
    var chip = Accelerometer()
    chip.distortion = Matrix3(rows: Vector3(1.3, 0, 0), Vector3(0, 1.24, 0), Vector3(0, 0, 1.24))
    var params = SixPositions.Params()
    params.largestDeparture = 0.5
    var collected = SixPositions(params)
    for truth in faces(offBy: 5, &random) { _ = collected.add(chip.measure(truth)) }
    #expect(throws: AccelerationFitError.implausible) { try collected.solve() }
  }
}
