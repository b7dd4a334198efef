// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Quantities
internal import Registers
internal import Sensors

extension CatalogEntry {
  static let bmi270 = CatalogEntry(
    description: ChipDescription(
      name: "bosch,bmi270", title: "BMI270", family: "BMI270",
      summary: "accelerometer and gyroscope",
      wires: [.i2c, .spi], addresses: [0x68, 0x69], strap: "SDO",
      wireFormat: BMI270Chip.wireFormat,
      channels: [
        ChannelDescription(
          .acceleration, ranges: values { BMI270Chip.range(of: .acceleration, at: $0) },
          counts: values { BMI270Chip.count(of: .acceleration, at: $0) }),
        ChannelDescription(
          .rotationRate, ranges: values { BMI270Chip.range(of: .rotationRate, at: $0) },
          counts: values { BMI270Chip.count(of: .rotationRate, at: $0) }),
        ChannelDescription(
          .temperature, resolution: 1.0 / 512,
          limits: BMI270Decoder.limits(of: .temperature, of: .expected)),
      ],
      rates: values(BMI270Chip.rate(at:)), acquisitions: [.fifo, .dataReady, .polling],
      identity: IdentityDescription(
        register: BMI270Map().chipID.address, parts: [0x24: "BMI270", 0x27: "BMI260"],
        supported: [0x24]),
      hasSelfTest: true, interruptPins: 2,
      // A second source for these figures is the page of Luxonis, whose cameras contain the part.
      noise: [
        ChannelNoise(
          .acceleration, densities: [160e-6],
          source: "BST-BMI270-DS000-07, specification of the accelerometer"),
        ChannelNoise(
          .rotationRate, densities: [radians(fromDegrees: 0.007)],
          source: "BST-BMI270-DS000-07, specification of the gyroscope"),
      ],
      firmware: FirmwareDescription(
        file: "bmi270-init-data.fw", size: BMI270Chip.firmwareSize,
        source: "bmi270_config_file in Bosch's BMI270_SensorAPI (github.com/boschsensortec)",
        register: BMI270Map().initData.address,
        addressRegisters: BMI270Map().initAddr0.address...BMI270Map().initAddr1.address),
      delays: { BMI270Chip.delays(of: $0) }),
    driver: { DriverBox(BMI270($0)) },
    model: { BMI270Model($0, clockError: $1) },
    registers: { RegisterRow.rows(of: BMI270Map()) })
}
