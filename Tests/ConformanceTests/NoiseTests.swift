// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Quantities
import Testing

@Suite struct NoiseTests {
  /// Typical values typed from the data sheets: PS-MPU-6000A-00 6.1 and 6.2, PS-MPU-6500A-01 tables
  /// 1 and 2, BST-BMI160-DS000 tables 2 and 3, LSM6DS3 and LSM6DS3TR-C tables 3. Full scale in g
  /// and degrees/s; ug and mdeg/s per root hertz.
  @Test(arguments: [
    ("invensense,mpu6050", 2.0, 400.0, 5.0), ("invensense,mpu6000", 16, 400, 5),
    ("invensense,mpu6500", 4, 300, 10), ("invensense,mpu9250", 4, 300, 10),
    ("bosch,bmi160", 4, 180, 7), ("st,lsm6ds3", 2, 90, 7), ("st,lsm6ds3", 8, 110, 7),
    ("st,lsm6ds3tr-c", 16, 180, 5),
  ])
  func `noise densities are the data sheets'`(
    name: String, range: Double, acceleration: Double, rotation: Double
  ) throws {
    let chip = try #require(ChipCatalog.entry(named: name)).description
    let g = try #require(chip.noiseDensity(of: .acceleration, at: range))
    #expect(abs(g * 1e6 - acceleration) < 1e-9)
    let rate = try #require(chip.noiseDensity(of: .rotationRate, at: 4))
    #expect(abs(rate * 180_000 / .pi - rotation) < 1e-9)
  }

  /// DocID024204 table 3: 3.2 mgauss; BST-BMP280-DS001 3.5: 1.3 Pa at ultra high resolution.
  @Test func `where there is no density there is a deviation`() throws {
    let field = try #require(ChipCatalog.entry(named: "st,lis3mdl")).description.noise
    #expect(field.map(\.deviation) == [0.32])
    let pressure = try #require(ChipCatalog.entry(named: "bosch,bmp280")).description.noise
    #expect(pressure.map(\.deviation) == [0.0013])
    // The data sheets of these chips give no noise.
    let silent = ["vishay,vcnl4040", "asahi-kasei,ak8963", "asahi-kasei,ak09916"]
    for chip in ChipCatalog.descriptions where !silent.contains(chip.name) {
      let measured = chip.channels.map(\.channel).filter { $0 != .temperature }
      #expect(measured == chip.noise.map(\.channel), "\(chip.name)")
    }
  }
}
