// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Quantities
internal import Registers
internal import Sensors

extension CatalogEntry {
  static let lsm6dso = tagged(
    .lsm6dso, name: "st,lsm6dso", title: "LSM6DSO", source: "DS12140 rev. 2, table 2")

  static let lsm6dsox = tagged(
    .lsm6dso, name: "st,lsm6dsox", title: "LSM6DSOX", source: "DS12814 rev. 3, table 2")

  static let lsm6dso32 = tagged(
    .lsm6dso32, name: "st,lsm6dso32", title: "LSM6DSO32",
    accelerometerNoise: [120e-6, 120e-6, 150e-6, 220e-6], source: "DS13121 rev. 2, table 2")

  static let ism330dhcx = tagged(
    .ism330dhcx, name: "st,ism330dhcx", title: "ISM330DHCX",
    accelerometerNoise: [60e-6, 60e-6, 80e-6, 130e-6], gyroscopeNoise: 0.005,
    ratePerKelvin: 0.005, source: "DS13012 rev. 7, table 2")

  /// Makes the entry for one part. The name selects the part, because three parts share an
  /// identity; for that identity a scan reports the first entry.
  private static func tagged(
    _ part: LSM6DSOPart, name: String, title: String,
    accelerometerNoise: [Double] = [70e-6, 75e-6, 80e-6, 110e-6], gyroscopeNoise: Double = 0.0038,
    ratePerKelvin: Double = 0.01, source: String
  ) -> CatalogEntry {
    CatalogEntry(
      description: ChipDescription(
        name: name, title: title, family: "LSM6DSO", summary: "accelerometer and gyroscope",
        wires: [.i2c, .spi], addresses: [0x6A, 0x6B], strap: "SDO/SA0",
        wireFormat: LSM6DSOChip.wireFormat,
        channels: [
          ChannelDescription(
            .acceleration,
            ranges: values { LSM6DSOChip.range(of: .acceleration, at: $0, part: part) },
            counts: values { LSM6DSOChip.count(of: .acceleration, at: $0, part: part) }),
          ChannelDescription(
            .rotationRate,
            ranges: values { LSM6DSOChip.range(of: .rotationRate, at: $0, part: part) },
            counts: values { LSM6DSOChip.count(of: .rotationRate, at: $0, part: part) }),
          ChannelDescription(
            .temperature, resolution: 1 / LSM6DSOPart.countsPerDegree,
            limits: LSM6DSODecoder.limits(of: .temperature, of: .expected)),
        ],
        rates: values(LSM6DSOChip.rate(at:)),
        acquisitions: [.fifo, .dataReady, .polling, .detections],
        identity: IdentityDescription(
          register: LSM6DSOMap().whoAmI.address,
          parts: [
            0x6B: "ISM330DHCX (or LSM6DSR, ASM330LHH)", 0x6C: "LSM6DSO, LSM6DSOX or LSM6DSO32",
            0x69: "LSM6DS3", 0x6A: "LSM6DS3TR-C", 0x70: "LSM6DSV or LSM6DSV16X",
            0x71: "LSM6DSV16BX", 0x68: "LSM9DS1",
          ],
          supported: [part == .ism330dhcx ? 0x6B : 0x6C]),
        detections: LSM6DSOChip.detections, hasSelfTest: true, interruptPins: 2,
        noise: [
          ChannelNoise(.acceleration, densities: accelerometerNoise, source: source),
          ChannelNoise(
            .rotationRate, densities: [radians(fromDegrees: gyroscopeNoise)], source: source),
        ],
        // The sheet gives no cross-axis error. 1 percent is assumed, as for parts that are
        // described as trimmed.
        tolerances: [
          ChannelTolerance(
            .acceleration, offset: .typical(20e-3), scale: .typical(0.01),
            crossAxis: .limit(0.01), perKelvin: .typical(0.1e-3), source: source),
          ChannelTolerance(
            .rotationRate, offset: .typical(radians(fromDegrees: 1)), scale: .typical(0.01),
            crossAxis: .limit(0.01), perKelvin: .typical(radians(fromDegrees: ratePerKelvin)),
            source: source),
        ],
        delays: { LSM6DSOChip.delays(of: $0, part: part) }),
      driver: { DriverBox(LSM6DSO($0, expecting: part)) },
      model: { LSM6DSOModel($0, part: part, clockError: $1) },
      registers: {
        part == .ism330dhcx
          ? RegisterRow.rows(of: ISM330DHCXMap()) : RegisterRow.rows(of: LSM6DSOMap())
      })
  }
}
