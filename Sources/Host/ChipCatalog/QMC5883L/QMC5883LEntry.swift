// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Quantities
internal import Registers
internal import Sensors

extension CatalogEntry {
  static let qmc5883l = CatalogEntry(
    description: ChipDescription(
      name: "qst,qmc5883l", title: "QMC5883L", family: "QMC5883L", summary: "magnetometer",
      wires: [.i2c], addresses: [0x0D], strap: nil, wireFormat: QMC5883LChip.wireFormat,
      channels: [
        ChannelDescription(
          .magneticField, ranges: values { QMC5883LChip.range(of: .magneticField, at: $0) },
          resolution: 1.0 / 120)
      ],
      rates: values(QMC5883LChip.rate(at:)), acquisitions: [.dataReady, .polling],
      identity: IdentityDescription(
        register: QMC5883LMap().chipID.address, parts: [0xFF: "QMC5883L"], supported: [0xFF]),
      interruptPins: 1,
      noise: [
        ChannelNoise(
          .magneticField, deviation: 0.2, conditions: "at 8 gauss", source: "QST 1.0, table 2")
      ],
      // The delay is half of a period at the fastest rate, which includes the averaging. QST gives
      // no delay.
      delays: { _ in StreamDelays(magneticField: 0.0025) }),
    driver: { DriverBox(QMC5883L($0)) },
    model: { QMC5883LModel($0, clockError: $1) },
    registers: { RegisterRow.rows(of: QMC5883LMap()) })
}
