// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Quantities
internal import Registers
internal import Sensors

extension CatalogEntry {
  static let qmc5883p = CatalogEntry(
    description: ChipDescription(
      name: "qst,qmc5883p", title: "QMC5883P", family: "QMC5883P", summary: "magnetometer",
      wires: [.i2c], addresses: [0x2C], strap: nil, wireFormat: QMC5883PChip.wireFormat,
      channels: [
        ChannelDescription(
          .magneticField, ranges: values { QMC5883PChip.range(of: .magneticField, at: $0) },
          resolution: 1.0 / 150)
      ],
      rates: values(QMC5883PChip.rate(at:)), acquisitions: [.polling],
      identity: IdentityDescription(
        register: QMC5883PMap().chipID.address, parts: [0x80: "QMC5883P"], supported: [0x80]),
      interruptPins: 0,
      noise: [
        ChannelNoise(.magneticField, deviation: 0.2, source: "QST 13-52-19 rev. C, features")
      ],
      // The delay is half of a period at the fastest rate, which includes the averaging. QST gives
      // no delay.
      delays: { _ in StreamDelays(magneticField: 0.0025) }),
    driver: { DriverBox(QMC5883P($0)) },
    model: { QMC5883PModel($0, clockError: $1) },
    registers: { RegisterRow.rows(of: QMC5883PMap()) })
}
