// SPDX-License-Identifier: Apache-2.0
import Simulation
import Boards
import ChipCatalog
import Quantities
import Testing

@Suite struct SimulatedNoiseTests {
  private static func noise(_ value: String) throws -> SimulatedNoise? {
    let text = """
      otolith-board: 1
      name: Test
      buses: { bus: { simulated: i2c } }
      chips: { imu: { chip: "invensense,mpu6050", on: bus, address: 0x68 } }
      simulation:
        noise: \(value)

      """
    return try BoardFile.parse(text, file: "b.yaml", catalogue: ChipCatalog.descriptions)
      .simulation?.noise
  }

  /// 1 deg/h is 4.8481e-6 rad/s (pi / 180 / 3600); 1 deg/h/sqrt(h) is that divided by 60, per
  /// sqrt(s).
  @Test func `it is a word or figures in the units of data sheets`() throws {
    #expect(try Self.noise("true") == .typical)
    #expect(try Self.noise("false") == .off)
    let found = try Self.noise(
      "{ rotation-rate-density-dps-rthz: 0.005, rotation-rate-instability-dph: 1, "
        + "rotation-rate-random-walk-dph-rth: 60, acceleration-density-ug-rthz: 400, "
        + "pressure-density-pa-rthz: 2 }")
    guard case .known(let noise) = found else {
      Issue.record("\(String(describing: found))")
      return
    }
    #expect(noise.processes.count == 3)
    let gyroscope = try #require(noise.processes[.rotationRate])
    #expect(abs(gyroscope.density - 8.726646e-5) < 1e-10)
    #expect(abs(gyroscope.instability - 4.848137e-6) < 1e-11)
    #expect(abs(gyroscope.randomWalk - 4.848137e-6) < 1e-11)
    let accelerometer = try #require(noise.processes[.acceleration])
    #expect(abs(accelerometer.density - 400e-6) < 1e-12 && accelerometer.instability == 0)
    #expect(abs(try #require(noise.processes[.pressure]).density - 0.002) < 1e-12)
  }

  @Test func `a wrong value is reported with its place`() throws {
    let wrong = [
      ("maybe", "6:10: 'noise' is 'maybe'"),
      ("{ gyro: 1 }", "unknown key 'gyro'"),
      ("{ acceleration-density-ug-rthz: -1 }", "a number of ug/sqrt(Hz) between 0 and 1000000"),
    ]
    for (value, words) in wrong {
      let error = try #require(throws: BoardErrors.self) { try Self.noise(value) }
      #expect(error.description.contains(words), "\(error.description)")
    }
  }
}
