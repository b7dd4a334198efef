// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Quantities
internal import Registers
internal import Sensors

extension CatalogEntry {
  static let hmc5883l = CatalogEntry(
    description: ChipDescription(
      name: "honeywell,hmc5883l", title: "HMC5883L", family: "HMC5883L", summary: "magnetometer",
      wires: [.i2c], addresses: [0x1E], strap: nil, wireFormat: HMC5883LChip.wireFormat,
      channels: [
        ChannelDescription(
          .magneticField, ranges: values { HMC5883LChip.range(of: .magneticField, at: $0) },
          resolution: 1 / 13.7)
      ],
      rates: values(HMC5883LChip.rate(at:)), acquisitions: [.dataReady, .polling],
      identity: IdentityDescription(
        register: HMC5883LMap().identificationA.address,
        parts: [0x48: "HMC5883L (or the magnetometer of an HMC5983 or LSM303DLHC)"],
        supported: [0x48]),
      hasSelfTest: true, interruptPins: 1,
      noise: [
        ChannelNoise(
          .magneticField, deviation: 0.2, conditions: "without averaging, at gain 0",
          source: "Honeywell 900405 rev. E, specifications")
      ],
      // The sample's time is the end of the measurement, so the delay is half of the measurement's
      // duration.
      delays: { _ in StreamDelays(magneticField: 0.003) }),
    driver: { DriverBox(HMC5883L($0)) },
    model: { HMC5883LModel($0, clockError: $1) },
    registers: { RegisterRow.rows(of: HMC5883LMap()) })
}
