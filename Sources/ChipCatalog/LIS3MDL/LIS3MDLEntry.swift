// SPDX-License-Identifier: Apache-2.0
internal import ChipModels
internal import Chips
internal import Quantities
internal import RegisterTools
internal import Registers
internal import Sensors

extension CatalogEntry {
  static let lis3mdl = CatalogEntry(
    description: ChipDescription(
      name: "st,lis3mdl", title: "LIS3MDL", family: "LIS3MDL", summary: "magnetometer",
      wires: [.i2c, .spi], addresses: [0x1C, 0x1E], strap: "SDO/SA1",
      wireFormat: LIS3MDLChip.wireFormat,
      channels: [
        ChannelDescription(
          .magneticField, ranges: values { LIS3MDLChip.range(of: .magneticField, at: $0) },
          resolution: 1 / 68.42),
        ChannelDescription(.temperature, resolution: 1.0 / 8),
      ],
      rates: values(LIS3MDLChip.rate(at:)), acquisitions: [.dataReady, .polling],
      identity: IdentityDescription(
        register: LIS3MDLMap().whoAmI.address,
        parts: [
          0x3D: "LIS3MDL (or the magnetometer of an LSM9DS1 or LSM303C)", 0x40: "LIS2MDL",
        ],
        supported: [0x3D]),
      hasSelfTest: true, interruptPins: 1,
      noise: [
        // Of x and y; z has 0.41.
        ChannelNoise(
          .magneticField, deviation: 0.32, conditions: "at ultra-high performance",
          source: "DocID024204 rev. 4, table 3")
      ],
      delays: { LIS3MDLChip.delays(of: $0) }),
    driver: { DriverBox(LIS3MDL($0)) },
    model: { LIS3MDLModel($0, clockError: $1) },
    registers: { RegisterRow.rows(of: LIS3MDLMap()) },
    strangers: [
      KnownChip(
        "st,lis2mdl", "LIS2MDL", "magnetometer", [KnownIdentity([0x1E], 0x4F, [0x40])],
        instead: same),
      KnownChip(
        "honeywell,hmc5883l", "HMC5883L (also the magnetometer of an LSM303DLHC)", "magnetometer",
        [KnownIdentity([0x1E], 0x0A, [0x48])], instead: same),
      KnownChip(
        "qst,qmc5883l", "QMC5883L", "magnetometer", [KnownIdentity([0x0D], nil, [])],
        instead: same),
      KnownChip(
        "qst,qmc5883p", "QMC5883P", "magnetometer", [KnownIdentity([0x2C], 0x00, [0x80])],
        instead: same),
      KnownChip(
        "asahi-kasei,ak8963", "AK8963 (inside an MPU-9250)", "magnetometer",
        [KnownIdentity([0x0C], 0x00, [0x48])], instead: same),
    ])

  private static let same = "a LIS3MDL does the same"
}
