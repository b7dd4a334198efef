// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Quantities
internal import Registers
internal import Sensors

extension CatalogEntry {
  static let lis3mdl = compass(
    .lis3mdl, name: "st,lis3mdl", title: "LIS3MDL", strap: "SDO/SA1", resolution: 1 / 68.42,
    // The noise figure is for x and y; the figure for z is 0.41.
    noise: 0.32, source: "DocID024204 rev. 4, table 3", strangers: strangers)

  /// The entry of the LSM9DS1's magnetometer, under Linux's name. This chip has the same identity
  /// as a LIS3MDL, so a scan reports a LIS3MDL unless the other chip of an LSM9DS1 is on the bus.
  static let lsm9ds1Magnetometer = compass(
    .lsm9ds1, name: "st,lsm9ds1-magn", title: "LSM9DS1's magnetometer", strap: "SDO_M",
    resolution: 0.014, noise: 0.32, source: "the LIS3MDL's: DocID025715 rev. 3 gives none")

  private static func compass(
    _ part: LIS3MDLPart, name: String, title: String, strap: String, resolution: Double,
    noise: Double, source: String, strangers: [KnownChip] = []
  ) -> CatalogEntry {
    CatalogEntry(
      description: ChipDescription(
        name: name, title: title, family: "LIS3MDL",
        otherHalf: part == .lsm9ds1 ? "st,lsm9ds1-imu" : nil, summary: "magnetometer",
        wires: [.i2c, .spi], addresses: [0x1C, 0x1E], strap: strap,
        wireFormat: LIS3MDLChip.wireFormat,
        channels: [
          ChannelDescription(
            .magneticField, ranges: values { LIS3MDLChip.range(of: .magneticField, at: $0) },
            counts: values {
              LIS3MDLMap.FullScale.size(at: $0) { 1 / $0.countsPerMicrotesla(of: part) }
            }, resolution: resolution)
        ]
          + (part == .lis3mdl ? [ChannelDescription(.temperature, resolution: 1.0 / 8)] : []),
        rates: values(LIS3MDLChip.rate(at:)), acquisitions: [.dataReady, .polling],
        identity: IdentityDescription(
          register: LIS3MDLMap().whoAmI.address,
          parts: [
            0x3D: "LIS3MDL (or the magnetometer of an LSM9DS1 or LSM303C)", 0x40: "LIS2MDL",
          ],
          supported: [0x3D]),
        hasSelfTest: true, interruptPins: 1,
        noise: [
          ChannelNoise(
            .magneticField, deviation: noise, conditions: "at ultra-high performance",
            source: source)
        ],
        delays: { LIS3MDLChip.delays(of: $0) }),
      driver: { DriverBox(LIS3MDL($0, expecting: part)) },
      model: { LIS3MDLModel($0, part: part, clockError: $1) },
      registers: {
        part == .lsm9ds1
          ? RegisterRow.rows(of: LSM9DS1MagnetometerMap()) : RegisterRow.rows(of: LIS3MDLMap())
      }, strangers: strangers)
  }

  private static let strangers = [
    KnownChip(
      "honeywell,hmc5883l", "HMC5883L (also the magnetometer of an LSM303DLHC)", "magnetometer",
      [KnownIdentity([0x1E], 0x0A, [0x48])], instead: same),
    KnownChip(
      "qst,qmc5883l", "QMC5883L", "magnetometer", [KnownIdentity([0x0D], nil, [])],
      instead: same),
    KnownChip(
      "asahi-kasei,ak8963", "AK8963 (inside an MPU-9250)", "magnetometer",
      [KnownIdentity([0x0C], 0x00, [0x48])], instead: same),
  ]

  private static let same = "a LIS3MDL is a replacement"
}
