// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Quantities
internal import Registers
internal import Sensors

extension CatalogEntry {
  static let lsm6ds3 = generation(
    .lsm6ds3, name: "st,lsm6ds3", title: "LSM6DS3 (also LSM6DS33)", gyroscopeNoise: 0.007,
    zeroRate: 10, ratePerKelvin: 0.05, accelerationPerKelvin: 0.5e-3, countsPerDegree: 16,
    source: "DocID026899 rev. 8, table 3")

  static let lsm6ds3trc = generation(
    .lsm6ds3trc, name: "st,lsm6ds3tr-c", title: "LSM6DS3TR-C (also LSM6DSL)",
    gyroscopeNoise: 0.005, zeroRate: 3, ratePerKelvin: 0.015, accelerationPerKelvin: 0.1e-3,
    countsPerDegree: 256, source: "DocID030071 rev. 3, table 3", strangers: strangers)

  /// Makes the entry for one generation. The name selects the model and the identity that a scan
  /// reports. The driver uses only the identity, because both generations are sold as LSM6DS3. The
  /// two data sheets differ in the gyroscope's noise at 10 Hz, in degrees/s per root hertz, in its
  /// zero-rate level, in degrees/s, and in the changes per kelvin, in degrees/s and g.
  private static func generation(
    _ family: LSM6DS3Family, name: String, title: String, gyroscopeNoise: Double, zeroRate: Double,
    ratePerKelvin: Double, accelerationPerKelvin: Double, countsPerDegree: Double, source: String,
    strangers: [KnownChip] = []
  ) -> CatalogEntry {
    CatalogEntry(
      description: ChipDescription(
        name: name, title: title, family: "LSM6DS3", summary: "accelerometer and gyroscope",
        wires: [.i2c, .spi], addresses: [0x6A, 0x6B], strap: "SDO/SA0",
        wireFormat: LSM6DS3Chip.wireFormat,
        channels: [
          ChannelDescription(
            .acceleration, ranges: values { LSM6DS3Chip.range(of: .acceleration, at: $0) },
            counts: values { LSM6DS3Chip.count(of: .acceleration, at: $0) }),
          ChannelDescription(
            .rotationRate, ranges: values { LSM6DS3Chip.range(of: .rotationRate, at: $0) },
            counts: values { LSM6DS3Chip.count(of: .rotationRate, at: $0) }),
          ChannelDescription(
            .temperature, resolution: 1 / countsPerDegree,
            limits: LSM6DS3Decoder.limits(of: .temperature, of: .expected)),
        ],
        rates: values(LSM6DS3Chip.rate(at:)),
        acquisitions: [.fifo, .dataReady, .polling, .detections],
        identity: IdentityDescription(
          register: LSM6DS3Map().whoAmI.address,
          parts: [
            0x69: "LSM6DS3, LSM6DS3H or LSM6DS33",
            0x6A: "LSM6DS3TR-C, LSM6DSL, LSM6DSM or ISM330DLC",
            0x6B: "ASM330LHH, LSM6DSR or ISM330DHCX", 0x6C: "LSM6DSO, LSM6DSOX or LSM6DSO32",
            0x70: "LSM6DSV or LSM6DSV16X", 0x71: "LSM6DSV16BX", 0x68: "LSM9DS1 or LSM6DS0",
          ],
          supported: [family.rawValue]),
        detections: LSM6DS3Chip.detections, hasSelfTest: true, hasAuxiliaryBus: true,
        interruptPins: 2,
        noise: [
          ChannelNoise(.acceleration, densities: [90e-6, 90e-6, 110e-6, 180e-6], source: source),
          ChannelNoise(
            .rotationRate, densities: [radians(fromDegrees: gyroscopeNoise)], source: source),
        ],
        // The sheet gives neither scale nor cross-axis errors. 1 percent is assumed, as for parts
        // that are described as trimmed.
        tolerances: [
          ChannelTolerance(
            .acceleration, offset: .typical(40e-3), scale: .typical(0.01),
            crossAxis: .limit(0.01), perKelvin: .typical(accelerationPerKelvin), source: source),
          ChannelTolerance(
            .rotationRate, offset: .typical(radians(fromDegrees: zeroRate)), scale: .typical(0.01),
            crossAxis: .limit(0.01), perKelvin: .typical(radians(fromDegrees: ratePerKelvin)),
            source: source),
        ],
        delays: { LSM6DS3Chip.delays(of: $0, family: family) }),
      driver: { DriverBox(LSM6DS3($0, expecting: family)) },
      model: { LSM6DS3Model($0, family: family, clockError: $1) },
      registers: {
        switch family {
        case .lsm6ds3: RegisterRow.rows(of: LSM6DS3Map())
        case .lsm6ds3trc: RegisterRow.rows(of: LSM6DS3TRCMap())
        }
      }, strangers: strangers)
  }

  private static let strangers = [
    KnownChip(
      "st,lsm6dsv16bx", "LSM6DSV16BX", "accelerometer and gyroscope",
      [KnownIdentity([0x6A, 0x6B], 0x0F, [0x71])], instead: samePins),
    // Both parts have the same identity (PX4 pull request 27625).
    KnownChip(
      "st,lsm6dsv320x", "LSM6DSV320X or LSM6DSV80X", "two accelerometers and gyroscope",
      [KnownIdentity([0x6A, 0x6B], 0x0F, [0x73])], instead: samePins),
    // The source is Betaflight's driver (pull request 14745).
    KnownChip(
      "st,lsm6dsk320x", "LSM6DSK320X", "accelerometer and gyroscope",
      [KnownIdentity([0x6A, 0x6B], 0x0F, [0x75])], instead: samePins),
    KnownChip(
      "st,l3gd20h", "L3GD20H (also L3GD20)", "gyroscope",
      [KnownIdentity([0x6A, 0x6B], 0x0F, [0xD4, 0xD7])], instead: KnownChip.inertialUnit),
  ]

  private static let samePins = "an LSM6DSV16X has the same pins and addresses"
}
