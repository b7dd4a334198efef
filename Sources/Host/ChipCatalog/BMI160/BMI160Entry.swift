// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Quantities
internal import Registers
internal import Sensors

extension CatalogEntry {
  static let bmi160 = CatalogEntry(
    description: ChipDescription(
      name: "bosch,bmi160", title: "BMI160", family: "BMI160",
      summary: "accelerometer and gyroscope",
      wires: [.i2c, .spi], addresses: [0x68, 0x69], strap: "SDO",
      wireFormat: BMI160Chip.wireFormat,
      channels: [
        ChannelDescription(
          .acceleration, ranges: values { BMI160Chip.range(of: .acceleration, at: $0) },
          counts: values { BMI160Chip.count(of: .acceleration, at: $0) }),
        ChannelDescription(
          .rotationRate, ranges: values { BMI160Chip.range(of: .rotationRate, at: $0) },
          counts: values { BMI160Chip.count(of: .rotationRate, at: $0) }),
        ChannelDescription(
          .temperature, resolution: 1.0 / 512,
          limits: BMI160Decoder.limits(of: .temperature, of: .expected)),
      ],
      rates: values(BMI160Chip.rate(at:)),
      acquisitions: [.fifo, .dataReady, .polling, .detections],
      identity: IdentityDescription(
        register: BMI160Map().chipID.address,
        parts: [0xD1: "BMI160", 0xD3: "BMI120"],
        supported: [0xD1, 0xD3]),
      detections: BMI160Chip.detections, hasSelfTest: true, interruptPins: 2,
      noise: [
        ChannelNoise(
          .acceleration, densities: [180e-6], deviation: 1.8e-3, conditions: "in 80 Hz",
          source: "BST-BMI160-DS000-07, table 2"),
        ChannelNoise(
          .rotationRate, densities: [radians(fromDegrees: 0.007)],
          deviation: radians(fromDegrees: 0.07), conditions: "in 74.6 Hz",
          source: "BST-BMI160-DS000-07, table 3"),
      ],
      // The sheet gives no scale and cross-axis errors of the accelerometer. 1 percent is assumed,
      // as for parts that are described as trimmed.
      tolerances: [
        ChannelTolerance(
          .acceleration, offset: .typical(40e-3), scale: .typical(0.01), crossAxis: .limit(0.01),
          perKelvin: .typical(1e-3), source: "BST-BMI160-DS000-07, table 2"),
        ChannelTolerance(
          .rotationRate, offset: .typical(radians(fromDegrees: 3)), scale: .typical(0.01),
          crossAxis: .limit(0.02), perG: .limit(radians(fromDegrees: 0.1)),
          perKelvin: .typical(radians(fromDegrees: 0.05)),
          source: "BST-BMI160-DS000-07, table 3"),
      ],
      delays: { BMI160Chip.delays(of: $0) }),
    driver: { DriverBox(BMI160($0)) },
    model: { BMI160Model($0, clockError: $1) },
    registers: { RegisterRow.rows(of: BMI160Map()) })
}
