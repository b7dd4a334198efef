// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Quantities
internal import Registers
internal import Sensors

extension CatalogEntry {
  static let qmi8658 = CatalogEntry(
    description: ChipDescription(
      name: "qst,qmi8658", title: "QMI8658", family: "QMI8658",
      summary: "accelerometer and gyroscope", wires: [.i2c, .spi], addresses: [0x6A, 0x6B],
      strap: "SA0", wireFormat: QMI8658Chip.wireFormat,
      channels: [
        ChannelDescription(
          .acceleration, ranges: values { QMI8658Chip.range(of: .acceleration, at: $0) },
          counts: values { QMI8658Chip.count(of: .acceleration, at: $0) }),
        ChannelDescription(
          .rotationRate, ranges: values { QMI8658Chip.range(of: .rotationRate, at: $0) },
          counts: values { QMI8658Chip.count(of: .rotationRate, at: $0) }),
        ChannelDescription(
          .temperature, resolution: 1.0 / 256,
          limits: QMI8658Decoder.limits(of: .temperature, of: .expected)),
      ],
      rates: values(QMI8658Chip.rate(at:)), acquisitions: [.dataReady, .polling],
      identity: IdentityDescription(
        register: QMI8658Map().whoAmI.address, parts: [0x05: "QMI8658A or QMI8658C"],
        supported: [0x05]),
      hasSelfTest: true, interruptPins: 1,
      noise: [
        ChannelNoise(.acceleration, densities: [150e-6], source: "QST 13-52-25 rev. A, table 7"),
        ChannelNoise(
          .rotationRate, densities: [radians(fromDegrees: 0.013)],
          source: "QST 13-52-25 rev. A, table 8"),
      ],
      tolerances: [
        ChannelTolerance(
          .acceleration, offset: .typical(0.1), scale: .typical(0.06), crossAxis: .typical(0.01),
          perKelvin: .typical(1e-3), source: "QST 13-52-25 rev. A, table 7"),
        ChannelTolerance(
          .rotationRate, offset: .typical(radians(fromDegrees: 10)), scale: .typical(0.03),
          crossAxis: .typical(0.02), perKelvin: .typical(radians(fromDegrees: 0.1)),
          source: "QST 13-52-25 rev. A, table 8"),
      ],
      delays: { QMI8658Chip.delays(of: $0) }),
    driver: { DriverBox(QMI8658($0)) },
    model: { QMI8658Model($0, clockError: $1) },
    registers: { RegisterRow.rows(of: QMI8658Map()) })
}
