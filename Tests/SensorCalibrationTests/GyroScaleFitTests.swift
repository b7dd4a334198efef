// SPDX-License-Identifier: Apache-2.0
import Foundation
import Quantities
import SeededRandom
import Fusion
import Testing

@Suite struct GyroScaleFitTests {
  /// A chip on a turntable, sampled at 100 Hz: the table rests for three seconds, turns, and rests
  /// again.
  struct Turntable {
    var turns = GyroScaleFit()
    var random: SplitMix
    var time = 0.0
    let bias = Vector3(1, -2, 0.5) * degree
    /// The rates that the gyroscope reads for 1 rad/s about each axis.
    var distortion = Matrix3.identity
    var verdicts: [GyroScaleFit.Verdict] = []

    init(seed: UInt64) { random = SplitMix(state: seed) }

    /// Turns the table by `revolutions` about `up` in ten seconds.
    mutating func turn(_ up: Vector3, _ revolutions: Double) {
      let up = up / up.norm
      for sample in 0..<1700 {
        let moment = Double(sample) / 100
        // The table speeds up and slows down as a sine does; the mean of the factor is 1.
        let speed = moment >= 3 && moment < 13 ? 1 - cos((moment - 3) * .pi / 5) : 0
        let rate = distortion * (up * (speed * revolutions * 2 * .pi / 10)) + bias
        let verdict = turns.add(
          specificForce: up + random.vector(0.004),
          rotationRate: rate + random.vector(0.05 * degree), at: Timestamp(seconds: time))
        if let verdict { verdicts.append(verdict) }
        time += 0.01
      }
    }
  }

  /// The table makes five revolutions on each of three roughly square sides. The mean of a hundred
  /// accelerations before and a hundred after is off by 0.004 / sqrt(200) g, and so is the
  /// direction of the vertical, which is misalignment; four times that is allowed. Scale is
  /// affected by a tenth to a sixth of it.
  @Test(arguments: 0..<5) func `five turns give scale and misalignment`(_ seed: UInt64) throws {
    var table = Turntable(seed: seed)
    func error(_ limit: Double) -> Double { table.random.uniform(limit) }
    table.distortion = Matrix3(
      rows: Vector3(1 + error(0.03), error(0.02), error(0.02)),
      Vector3(error(0.02), 1 + error(0.03), error(0.02)),
      Vector3(error(0.02), error(0.02), 1 + error(0.03)))
    table.turn(Vector3(1, 0.1, -0.05), 5)
    table.turn(Vector3(0.1, -1, 0.1), -5)
    #expect(table.turns.fit == nil)
    table.turn(Vector3(-0.1, 0.05, 1), 5)
    #expect(
      table.verdicts == [
        .taken(revolutions: 5, .xUp), .taken(revolutions: -5, .yDown),
        .taken(revolutions: 5, .zUp),
      ])
    #expect(table.turns.faces == .all)
    let fit = try #require(table.turns.fit)
    let truth = table.distortion.inverted
    #expect(fit.matrix.distance(to: truth) < 4 * 0.004 / 200.0.squareRoot())
    #expect(abs(fit.matrix.m11 - truth.m11) < 0.0003 && abs(fit.matrix.m22 - truth.m22) < 0.0003)
    #expect(abs(fit.matrix.m33 - truth.m33) < 0.0003)
    // Three turns make nine equations for nine unknowns, so that nothing is left as a residual.
    #expect(fit.residual < 0.001)
  }

  /// One of four turns ended 5 degrees from where it began, which the residual shows.
  @Test func `a turn that did not end where it began shows in the residual`() throws {
    var table = Turntable(seed: 1)
    table.turn(Vector3(1, 0, 0), 5)
    table.turn(Vector3(0, 1, 0), 5)
    table.turn(Vector3(0, 0, 1), 5)
    table.turn(Vector3(0, 0, -1), 5 + 5.0 / 360)
    let fit = try #require(table.turns.fit)
    // The fit takes the mean of the two turns about z, so that each is off by 2.5 degrees: two of
    // the four turns.
    #expect(abs(fit.residual - 2.5 * degree / 2.0.squareRoot()) < 0.1 * degree)
    #expect(abs(fit.matrix.m33 - 1) < 0.002)
  }

  @Test func `a turn that is not whole is refused`() {
    var table = Turntable(seed: 2)
    table.turn(Vector3(0, 0, 1), 2.4)
    table.turn(Vector3(0, 0, 1), 0.4)
    #expect(table.turns.count == 0 && table.verdicts.count == 1)
    guard case .notWhole(let revolutions) = table.verdicts.first else {
      Issue.record("\(table.verdicts)")
      return
    }
    #expect(abs(revolutions - 2.4) < 0.01)
  }

  /// The rates say that the table turned about an axis 10 degrees off the vertical.
  @Test func `a turn about another axis than the vertical is refused`() {
    var table = Turntable(seed: 2)
    table.distortion = Matrix3(
      rows: Vector3(1, 0, 0.176), Vector3(0, 1, 0), Vector3(-0.176, 0, 1))
    table.turn(Vector3(0, 0, 1), 3)
    #expect(table.verdicts == [.tilted])
  }

  /// Three turns about one axis say nothing about the other axes.
  @Test func `turns about one axis alone give no fit`() {
    var table = Turntable(seed: 2)
    for _ in 0..<3 { table.turn(Vector3(0, 0, 1), 3) }
    #expect(table.turns.count == 3 && table.turns.fit == nil)
  }
}
