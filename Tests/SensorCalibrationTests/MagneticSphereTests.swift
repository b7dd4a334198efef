// SPDX-License-Identifier: Apache-2.0
import Foundation
import Quantities
import SeededRandom
import Fusion
import Testing

@Suite struct MagneticSphereTests {
  /// A simulated magnetometer with the errors `distortion` and `iron`.
  struct Magnetometer {
    var distortion = Matrix3.identity
    var iron = Vector3.zero
    var noise = 0.3

    func measure(_ field: Vector3, _ random: inout SplitMix) -> Vector3 {
      distortion * field + iron + random.vector(noise)
    }
  }

  /// Returns fields in directions all over the sphere whose z component is at least `lowest` times
  /// the strength.
  static func fields(
    _ count: Int, strength: Double = 48, above lowest: Double = -1, _ random: inout SplitMix
  ) -> [Vector3] {
    var fields: [Vector3] = []
    while fields.count < count {
      guard let unit = random.vector(1).normalized, unit.z >= lowest else { continue }
      fields.append(unit * strength)
    }
    return fields
  }

  /// With hard iron of up to 100 microtesla and soft iron of up to 10 %, both are found to within a
  /// hundredth: of the field, and of one.
  @Test(arguments: 0..<12)
  func `hard and soft iron come out within a hundredth`(_ seed: UInt64) throws {
    var random = SplitMix(state: seed)
    let (a, b, c) = (random.uniform(0.05), random.uniform(0.05), random.uniform(0.05))
    let (d, e) = (1 + random.uniform(0.08), 1 + random.uniform(0.08))
    // The matrix has a determinant of 1, since the scale cannot be found without knowing the field
    // of the place.
    var bent = Matrix3(rows: Vector3(d, a, b), Vector3(a, e, c), Vector3(b, c, 1))
    let root = pow(bent.determinant, -1.0 / 3)
    bent = bent * Matrix3(rows: Vector3(root, 0, 0), Vector3(0, root, 0), Vector3(0, 0, root))
    let chip = Magnetometer(distortion: bent, iron: random.vector(40))
    var sphere = MagneticSphere()
    for field in Self.fields(600, &random) { sphere.add(chip.measure(field, &random)) }
    let fit = try sphere.solve()
    #expect((fit.hardIron - chip.iron).norm < 0.2)
    #expect(fit.softIronMatrix.distance(to: bent.inverted) < 0.01)
    #expect(abs(fit.strength / 48 - 1) < 0.005)
    #expect(fit.residual < 0.5 && fit.residualBefore > 1 && fit.coverage > 0.95)
  }

  /// The field is known to be 48 microtesla and reads as 45, which shows the scale.
  @Test func `a known field of the place shows the scale`() throws {
    var random = SplitMix(state: 5)
    var params = MagneticSphere.Params()
    params.expected = 48
    var sphere = MagneticSphere(params)
    for field in Self.fields(600, strength: 45, &random) { sphere.add(field) }
    let fit = try sphere.solve()
    #expect(abs(fit.strength - 48) < 1e-9 && abs(fit.measuredStrength - 45) < 0.1)
    #expect(abs(fit.softIronMatrix.m11 - 48.0 / 45) < 0.005)
  }

  @Test func `half a sphere is refused`() {
    var random = SplitMix(state: 6)
    var sphere = MagneticSphere()
    for field in Self.fields(600, above: 0.2, &random) { sphere.add(field) }
    guard case .uncovered(let share)? = Self.error(sphere) else {
      Issue.record("\(String(describing: Self.error(sphere)))")
      return
    }
    #expect(share < 0.6)
  }

  /// Half of the turns are made near a loudspeaker, which does not turn with the device.
  @Test func `a magnet nearby is refused`() {
    var random = SplitMix(state: 7)
    var sphere = MagneticSphere()
    for (index, field) in Self.fields(600, &random).enumerated() {
      let turn = Quaternion(rotationVector: random.vector(2))
      sphere.add(index % 2 == 0 ? field : field + turn.rotate(Vector3(15, 0, 0)))
    }
    guard case .disturbed(let residual)? = Self.error(sphere) else {
      Issue.record("\(String(describing: Self.error(sphere)))")
      return
    }
    #expect(residual.map { $0 > 2.4 } ?? true)
  }

  @Test func `a field that is not the Earth's is refused`() {
    var random = SplitMix(state: 8)
    var strong = MagneticSphere()
    for field in Self.fields(900, strength: 90, &random) { strong.add(field) }
    guard case .notEarth(let strength)? = Self.error(strong) else {
      Issue.record("\(String(describing: Self.error(strong)))")
      return
    }
    #expect(abs(strength - 90) < 0.5)
    var params = MagneticSphere.Params()
    params.expected = 30
    var here = MagneticSphere(params)
    for field in Self.fields(600, &random) { here.add(field) }
    guard case .unexpected(_, let expected)? = Self.error(here) else {
      Issue.record("\(String(describing: Self.error(here)))")
      return
    }
    #expect(expected == 30)
  }

  @Test func `too few fields are refused`() {
    var sphere = MagneticSphere()
    for _ in 0..<1000 { sphere.add(Vector3(20, 0, -45)) }
    #expect(sphere.count == 1 && Self.error(sphere) == .tooFew(1))
    let isTaken = sphere.add(Vector3(.nan, 0, 0))
    #expect(!isTaken)
  }

  /// If the regions are equal in area, random directions fall into each equally often, within what
  /// chance allows.
  @Test func `the regions of the sphere are equal in area`() throws {
    var random = SplitMix(state: 9)
    var counts: [Int: Int] = [:]
    for field in Self.fields(48_00, &random) {
      let region = try #require(SphereCoverage.region(of: field))
      counts[region.band * 12 + region.place, default: 0] += 1
    }
    #expect(counts.count == 48)
    // Each region is expected to have 100, with a standard deviation of 10.
    #expect(counts.values.allSatisfy { (55...145).contains($0) })
    let top = try #require(SphereCoverage.region(of: Vector3(0.1, 0.1, 1)))
    #expect(top.band == 0 && top.place == 0)
    let low = try #require(SphereCoverage.region(of: Vector3(-0.1, -1, -0.1)))
    #expect(low.band == 3 && low.place == 8)
    #expect(SphereCoverage.region(of: .zero) == nil)
  }

  static func error(_ sphere: MagneticSphere) -> MagneticSphereError? {
    do throws(MagneticSphereError) {
      _ = try sphere.solve()
      return nil
    } catch { return error }
  }
}
