// SPDX-License-Identifier: Apache-2.0
import Fusion
import Quantities
import Testing

/// The gyroscope's scale and axes, stored from one run to the next.
@Suite("Kept calibration") struct KeptMatrixTests {
  static let error = Matrix3(
    rows: Vector3(1.02, 0.01, 0), Vector3(0, 0.985, 0.01), Vector3(-0.01, 0, 1.01))

  @Test func `an engine begins with what another learned, less sure of it with age`() throws {
    var first = FusionEngine(SelfCalibrationTests.params)
    SelfCalibrationTests.run(&first, matrix: Self.error, seconds: 60) { _, _ in }
    let learned = try #require(first.memory.gyroscopeMatrix)
    #expect(learned.matrix == first.gyroMatrix)
    let aged = first.memory.aged(by: 86_400)
    let sigma = try #require(aged.gyroscopeMatrix?.sigma)
    // 5 K at 0.02 percent, and a thirtieth of a month.
    #expect(sigma.m11 > learned.sigma.m11 && sigma.m11 < 0.002)
    var second = FusionEngine(SelfCalibrationTests.params)
    second.assume(aged)
    #expect(second.gyroMatrix == first.gyroMatrix)
    #expect(abs(second.gyroMatrixSigma.m11 - sigma.m11) < 1e-12)
    func firstSeconds(_ engine: FusionEngine) -> Double {
      var (engine, sum) = (engine, 0.0)
      SelfCalibrationTests.run(&engine, matrix: Self.error, seconds: 6) { _, tilt in
        sum += tilt * tilt
      }
      return sum
    }
    #expect(firstSeconds(second) < firstSeconds(FusionEngine(SelfCalibrationTests.params)) / 2)
  }

  /// The data sheet's tolerance was already used when the matrix was learned.
  @Test(arguments: [1.0, 2, 4])
  func `what is known is not pushed further by how far it is from the data sheet`(
    seconds: Double
  ) {
    let scale = 1.03
    let error = Matrix3(rows: Vector3(scale, 0, 0), Vector3(0, scale, 0), Vector3(0, 0, scale))
    let known = Matrix3(
      rows: Vector3(1 / scale, 0, 0), Vector3(0, 1 / scale, 0), Vector3(0, 0, 1 / scale))
    let sigma = Vector3(0.01, 0.01, 0.01)
    var engine = FusionEngine(SelfCalibrationTests.params)
    engine.assume(
      FusionMemory(
        gyroscopeMatrix: FusionMemory.GyroscopeMatrix(
          matrix: known, sigma: Matrix3(rows: sigma, sigma, sigma))))
    SelfCalibrationTests.run(&engine, matrix: error, seconds: seconds) { _, _ in }
    let left = engine.gyroMatrix * error
    let worst = max(abs(left.m11 - 1), abs(left.m22 - 1), abs(left.m33 - 1))
    #expect(worst < 0.004, "\(worst)")
  }

  @Test func `what no sensor can have taught is left out`() {
    var memory = FusionMemory(
      gyroscopeMatrix: FusionMemory.GyroscopeMatrix(
        matrix: Matrix3(rows: Vector3(2, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)),
        sigma: .identity))
    #expect(memory.plausible.isEmpty)
    memory.gyroscopeMatrix?.matrix = .identity
    #expect(memory.plausible == memory)
    memory.accelerometer = FusionMemory.Accelerometer(
      offset: Vector3(.nan, 0, 0), offsetSigma: .zero, scale: Vector3(1, 1, 1), scaleSigma: .zero)
    #expect(memory.plausible.accelerometer == nil)
  }
}
