// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Quantities
internal import Registers
internal import Sensors

extension CatalogEntry {
  static let mpu6050 = part(
    0x68, name: "invensense,mpu6050", title: "MPU-6050", wires: [.i2c], supported: [0x68],
    noise: noiseOf6050, tolerances: tolerancesOf6050, strangers: strangers)

  /// The part has the same identity as the MPU-6050, whose entry comes first. A scan of an I2C bus
  /// therefore reports an MPU-6050.
  static let mpu6000 = part(
    0x68, name: "invensense,mpu6000", title: "MPU-6000", wires: [.i2c, .spi], supported: [0x68],
    noise: noiseOf6050, tolerances: tolerancesOf6050)

  static let mpu6500 = part(
    0x70, name: "invensense,mpu6500",
    title: "MPU-6500 (also MPU-6515, MPU-6880, MPU-6886, ICM-206xx)",
    wires: [.i2c, .spi],
    supported: [0x70, 0x74, 0x78, 0xAF, 0xAE, 0xA6, 0x98, 0x11, 0x12, 0x19, 0x20, 0xA9],
    noise: [
      ChannelNoise(
        .acceleration, densities: [300e-6], source: "PS-MPU-6500A-01 rev. 1.1, table 2"),
      ChannelNoise(
        .rotationRate, densities: [radians(fromDegrees: 0.01)],
        deviation: radians(fromDegrees: 0.1), conditions: "in 92 Hz",
        source: "PS-MPU-6500A-01 rev. 1.1, table 1"),
    ], tolerances: tolerancesOf6500("PS-MPU-6500A-01 rev. 1.1, tables 1 and 2"))

  static let mpu9250 = part(
    0x71, name: "invensense,mpu9250", title: "MPU-9250 (also MPU-9255)", wires: [.i2c, .spi],
    supported: [0x71, 0x73], magnetometer: .ak8963,
    noise: [
      ChannelNoise(
        .acceleration, densities: [300e-6], deviation: 8e-3, conditions: "in 94 Hz",
        source: "PS-MPU-9250A-01 rev. 1.1, table 2"),
      ChannelNoise(
        .rotationRate, densities: [radians(fromDegrees: 0.01)],
        deviation: radians(fromDegrees: 0.1), conditions: "in 92 Hz",
        source: "PS-MPU-9250A-01 rev. 1.1, table 1"),
    ], tolerances: tolerancesOf6500("PS-MPU-9250A-01 rev. 1.1, tables 1 and 2"))

  /// Makes the entry for one part. The name selects the model and the identities that a scan
  /// reports. The driver uses only the identity, because all parts are also sold as MPU-6050.
  private static func part(
    _ identity: UInt8, name: String, title: String, wires: [Wire], supported: [UInt8],
    magnetometer: ChannelDescription? = nil, noise: [ChannelNoise],
    tolerances: [ChannelTolerance], strangers: [KnownChip] = []
  ) -> CatalogEntry {
    let isFirst = identity == 0x68
    return CatalogEntry(
      description: ChipDescription(
        name: name, title: title, family: "MPU-6050", summary: "accelerometer and gyroscope",
        wires: wires, addresses: [0x68, 0x69], strap: "AD0", wireFormat: MPU6050Chip.wireFormat,
        channels: [
          ChannelDescription(
            .acceleration, ranges: values { MPU6050Chip.range(of: .acceleration, at: $0) },
            counts: values { MPU6050Chip.count(of: .acceleration, at: $0) }),
          ChannelDescription(
            .rotationRate, ranges: values { MPU6050Chip.range(of: .rotationRate, at: $0) },
            counts: values { MPU6050Chip.count(of: .rotationRate, at: $0) }),
          // The thermometers' scales are from RM-MPU-6000A-00 section 4.18, and PS-MPU-6500A-01
          // table 3.
          ChannelDescription(
            .temperature, resolution: 1 / (isFirst ? 340 : 333.87),
            limits: MPU6050Decoder.limits(of: .temperature, of: .expected)),
        ],
        rates: values(MPU6050Chip.rate(at:)),
        acquisitions: isFirst
          ? [.fifo, .dataReady, .polling] : [.fifo, .dataReady, .polling, .detections],
        identity: IdentityDescription(
          register: MPU6050Map().whoAmI.address,
          parts: [
            0x68: "MPU-6050 or MPU-6000", 0x70: "MPU-6500", 0x71: "MPU-9250", 0x73: "MPU-9255",
            0x74: "MPU-6515", 0x78: "MPU-6880", 0x72: "an MPU-6050 clone", 0x98: "ICM-20689",
            0xAF: "ICM-20608", 0xAE: "ICM-20608D", 0xA6: "ICM-20609", 0x11: "ICM-20600",
            0x12: "ICM-20602", 0x19: "MPU-6886", 0x20: "ICM-20690", 0xA9: "IAM-20680",
            0xD1: "BMI160",
            0x69: "LSM6DS3", 0x6A: "LSM6DS3TR-C",
          ],
          supported: supported, copies: [0x72: "invensense,mpu6050"]),
        detections: MPU6050Chip.detections(of: isFirst ? .mpu6050 : .mpu6500),
        hasSelfTest: true, hasAuxiliaryBus: true, magnetometer: magnetometer, noise: noise,
        tolerances: tolerances,
        delays: { MPU6050Chip.delays(of: $0, identity: identity) }),
      driver: { connection in
        let driver = MPU6050(connection, expecting: identity)
        if magnetometer == nil { return DriverBox(driver) }
        return DriverBox(NineAxis(driver))
      },
      model: { MPU6050Model($0, identity: identity, clockError: $1) },
      registers: {
        isFirst ? RegisterRow.rows(of: MPU6050Map()) : RegisterRow.rows(of: MPU6500Map())
      }, strangers: strangers)
  }

  private static let noiseOf6050 = [
    ChannelNoise(.acceleration, densities: [400e-6], source: "PS-MPU-6000A-00 rev. 3.4, 6.2"),
    ChannelNoise(
      .rotationRate, densities: [radians(fromDegrees: 0.005)],
      deviation: radians(fromDegrees: 0.05), conditions: "in 100 Hz",
      source: "PS-MPU-6000A-00 rev. 3.4, 6.1"),
  ]

  private static let tolerancesOf6050 = [
    ChannelTolerance(
      .acceleration, offset: .limit(50e-3), verticalOffset: .limit(80e-3), scale: .limit(0.03),
      crossAxis: .limit(0.02), perKelvin: .limit(35e-3 / 70),
      source: "PS-MPU-6000A-00 rev. 3.4, 6.2"),
    ChannelTolerance(
      .rotationRate, offset: .limit(radians(fromDegrees: 20)), scale: .limit(0.03),
      crossAxis: .limit(0.02), perG: .typical(radians(fromDegrees: 0.1)),
      perKelvin: .limit(radians(fromDegrees: 20) / 125), source: "PS-MPU-6000A-00 rev. 3.4, 6.1"),
  ]

  private static func tolerancesOf6500(_ source: String) -> [ChannelTolerance] {
    [
      ChannelTolerance(
        .acceleration, offset: .limit(60e-3), verticalOffset: .limit(80e-3), scale: .limit(0.03),
        crossAxis: .limit(0.02), perKelvin: .limit(1.5e-3), source: source),
      ChannelTolerance(
        .rotationRate, offset: .limit(radians(fromDegrees: 5)), scale: .limit(0.03),
        crossAxis: .limit(0.02), perKelvin: .limit(radians(fromDegrees: 30) / 125), source: source),
    ]
  }

  private static let strangers = [
    KnownChip(
      "st,l3g4200d", "L3G4200D", "gyroscope", [KnownIdentity([0x68, 0x69], 0x0F, [0xD3])],
      instead: KnownChip.inertialUnit),
    KnownChip(
      "st,lsm303d", "LSM303D", "accelerometer and magnetometer",
      [KnownIdentity([0x1D, 0x1E], 0x0F, [0x49])], instead: KnownChip.inertialUnit),
    KnownChip(
      "st,lis3dh", "LIS3DH", "accelerometer", [KnownIdentity([0x18, 0x19], 0x0F, [0x33])],
      instead: KnownChip.inertialUnit),
    KnownChip(
      "adi,adxl345", "ADXL345", "accelerometer", [KnownIdentity([0x53, 0x1D], 0x00, [0xE5])],
      instead: KnownChip.inertialUnit),
    KnownChip(
      "invensense,itg3205", "ITG-3205 (also ITG-3200)", "gyroscope",
      // The identity of this part equals its I2C address.
      [KnownIdentity([0x68, 0x69], 0x00, [0x68, 0x69])], instead: KnownChip.inertialUnit),
    KnownChip(
      "invensense,icm20948", "ICM-20948", "accelerometer, gyroscope and magnetometer",
      [KnownIdentity([0x68, 0x69], 0x00, [0xEA])],
      instead: "an MPU-6050 or an MPU-9250 has the same addresses"),
    KnownChip(
      "bosch,bno055", "BNO055", "accelerometer, gyroscope, magnetometer and a processor",
      [KnownIdentity([0x28, 0x29], 0x00, [0xA0])],
      instead: "otolith does the fusion itself: " + KnownChip.inertialUnit),
  ]
}
