// SPDX-License-Identifier: Apache-2.0
public import ChipModels
internal import Chips
internal import Quantities
internal import Registers
public import RegisterTools
internal import Sensors

/// A kind of chip: what is known of it, its driver and its model.
public struct CatalogEntry: Sendable {
  public let description: ChipDescription
  /// Makes the driver.
  public let driver: @Sendable (consuming HostConnection) -> any ChipDriver
  /// Makes a model in its surroundings, with an oscillator that is off by so many parts.
  public let model:
    @Sendable (_ surroundings: any Surroundings, _ clockError: Double) -> any ChipModel
  /// The registers of this row.
  public let registers: @Sendable () -> [RegisterRow]
}

/// All chips that otolith can talk to. Adding one is a folder of `Chips`, a folder of `ChipModels` and a line here.
public enum ChipCatalog {
  public static let entries: [CatalogEntry] = [
    mpu6050, mpu6000, mpu6500, mpu9250, bmi160, lsm6ds3, lsm6ds3trc, lis3mdl, barometer(.bmp280),
    barometer(.bme280),
  ]

  public static var descriptions: [ChipDescription] { entries.map(\.description) }

  /// The chip of that name in board files.
  public static func entry(named name: String) -> CatalogEntry? {
    entries.first { $0.description.name == name }
  }

  private static let mpu6050 = invensense(
    0x68, name: "invensense,mpu6050", title: "MPU-6050", wires: [.i2c], supported: [0x68],
    noise: NoiseTable.mpu6050, tolerances: ToleranceTable.mpu6050)

  /// Its identity is the MPU-6050's, which a scan of an I2C bus takes it for, because that row comes first.
  private static let mpu6000 = invensense(
    0x68, name: "invensense,mpu6000", title: "MPU-6000", wires: [.i2c, .spi], supported: [0x68],
    noise: NoiseTable.mpu6050, tolerances: ToleranceTable.mpu6050)

  private static let mpu6500 = invensense(
    0x70, name: "invensense,mpu6500", title: "MPU-6500 (also MPU-6515, MPU-6880, ICM-206xx)",
    wires: [.i2c, .spi],
    supported: [0x70, 0x74, 0x78, 0xAF, 0xAE, 0xA6, 0x98, 0x11, 0x12, 0x20, 0xA9],
    noise: NoiseTable.mpu6500, tolerances: ToleranceTable.mpu6500)

  private static let mpu9250 = invensense(
    0x71, name: "invensense,mpu9250", title: "MPU-9250 (also MPU-9255)", wires: [.i2c, .spi],
    supported: [0x71, 0x73], noise: NoiseTable.mpu9250, tolerances: ToleranceTable.mpu9250)

  /// The name says which model there is and which identities a scan takes for it. The driver goes by the identity
  /// alone: all of them are sold as MPU-6050.
  private static func invensense(
    _ identity: UInt8, name: String, title: String, wires: [Wire], supported: [UInt8],
    noise: [ChannelNoise], tolerances: [ChannelTolerance]
  ) -> CatalogEntry {
    let isFirst = identity == 0x68
    return CatalogEntry(
      description: ChipDescription(
        name: name, title: title, family: "MPU-6050", summary: "accelerometer and gyroscope",
        wires: wires, addresses: [0x68, 0x69], wireFormat: MPU6050Facts.wireFormat,
        channels: [
          ChannelDescription(
            .acceleration, ranges: values { MPU6050Facts.range(of: .acceleration, at: $0) }),
          ChannelDescription(
            .rotationRate, ranges: values { MPU6050Facts.range(of: .rotationRate, at: $0) }),
          ChannelDescription(.temperature),
        ],
        rates: values(MPU6050Facts.rate(at:)),
        acquisitions: isFirst
          ? [.fifo, .dataReady, .polling] : [.fifo, .dataReady, .polling, .detections],
        identity: IdentityDescription(
          register: MPU6050Map().whoAmI.address,
          parts: [
            0x68: "MPU-6050 or MPU-6000", 0x70: "MPU-6500", 0x71: "MPU-9250", 0x73: "MPU-9255",
            0x74: "MPU-6515", 0x78: "MPU-6880", 0x72: "an MPU-6050 clone", 0x98: "ICM-20689",
            0xAF: "ICM-20608", 0xAE: "ICM-20608D", 0xA6: "ICM-20609", 0x11: "ICM-20600",
            0x12: "ICM-20602", 0x20: "ICM-20690", 0xA9: "IAM-20680", 0xD1: "BMI160",
            0x69: "LSM6DS3", 0x6A: "LSM6DS3TR-C",
          ],
          supported: supported),
        detections: MPU6050Facts.detections(of: isFirst ? .mpu6050 : .mpu6500),
        hasSelfTest: true, hasAuxiliaryBus: true, noise: noise, tolerances: tolerances,
        delays: { MPU6050Facts.delays(of: $0, identity: identity) }),
      driver: { DriverBox(MPU6050($0, expecting: identity)) },
      model: { MPU6050Model($0, identity: identity, clockError: $1) },
      registers: {
        isFirst ? RegisterRow.rows(of: MPU6050Map()) : RegisterRow.rows(of: MPU6500Map())
      })
  }

  private static let lis3mdl = CatalogEntry(
    description: ChipDescription(
      name: "st,lis3mdl", title: "LIS3MDL", family: "LIS3MDL", summary: "magnetometer",
      wires: [.i2c, .spi], addresses: [0x1C, 0x1E], wireFormat: LIS3MDLFacts.wireFormat,
      channels: [
        ChannelDescription(
          .magneticField, ranges: values { LIS3MDLFacts.range(of: .magneticField, at: $0) }),
        ChannelDescription(.temperature),
      ],
      rates: values(LIS3MDLFacts.rate(at:)), acquisitions: [.dataReady, .polling],
      identity: IdentityDescription(
        register: LIS3MDLMap().whoAmI.address,
        parts: [
          0x3D: "LIS3MDL (or the magnetometer of an LSM9DS1 or LSM303C)", 0x40: "LIS2MDL",
        ],
        supported: [0x3D]),
      hasSelfTest: true, interruptPins: 1, noise: NoiseTable.lis3mdl,
      delays: { LIS3MDLFacts.delays(of: $0) }),
    driver: { DriverBox(LIS3MDL($0)) },
    model: { LIS3MDLModel($0, clockError: $1) },
    registers: { RegisterRow.rows(of: LIS3MDLMap()) })

  /// Either driver takes either part, as boards are sold; a scan tells them apart.
  private static func barometer(_ part: BMP280Part) -> CatalogEntry {
    let isBME = part == .bme280
    return CatalogEntry(
      description: ChipDescription(
        name: isBME ? "bosch,bme280" : "bosch,bmp280", title: isBME ? "BME280" : "BMP280",
        family: "BMP280",
        summary: isBME ? "barometer, thermometer and hygrometer" : "barometer and thermometer",
        wires: [.i2c, .spi], addresses: [0x76, 0x77], wireFormat: BMP280Facts.wireFormat,
        channels: Channel.allCases.filter { part.channels.contains($0) }
          .map { ChannelDescription($0) },
        rates: values { BMP280Facts.rate(at: $0, of: part) }, acquisitions: [.polling],
        identity: IdentityDescription(
          register: BMP280Map().id.address,
          parts: [
            0x58: "BMP280", 0x56: "BMP280 (sample)", 0x57: "BMP280 (sample)", 0x60: "BME280",
            0x55: "BMP180", 0x61: "BME680",
          ],
          supported: isBME ? [0x60] : [0x58, 0x56, 0x57]),
        interruptPins: 0, noise: isBME ? NoiseTable.bme280 : NoiseTable.bmp280),
      driver: { DriverBox(BMP280($0, expecting: part)) },
      model: { BMP280Model($0, part: part, clockError: $1) },
      registers: { RegisterRow.rows(of: BMP280Map()) })
  }

  private static let lsm6ds3 = lsm6ds3(
    .lsm6ds3, name: "st,lsm6ds3", title: "LSM6DS3 (also LSM6DS33)")

  private static let lsm6ds3trc = lsm6ds3(
    .lsm6ds3trc, name: "st,lsm6ds3tr-c", title: "LSM6DS3TR-C (also LSM6DSL)")

  /// The name says which model and which identity a scan takes for it. The driver goes by the identity alone: both
  /// generations are sold as LSM6DS3.
  private static func lsm6ds3(_ family: LSM6DS3Family, name: String, title: String) -> CatalogEntry
  {
    CatalogEntry(
      description: ChipDescription(
        name: name, title: title, family: "LSM6DS3", summary: "accelerometer and gyroscope",
        wires: [.i2c, .spi], addresses: [0x6A, 0x6B], wireFormat: LSM6DS3Facts.wireFormat,
        channels: [
          ChannelDescription(
            .acceleration, ranges: values { LSM6DS3Facts.range(of: .acceleration, at: $0) }),
          ChannelDescription(
            .rotationRate, ranges: values { LSM6DS3Facts.range(of: .rotationRate, at: $0) }),
          ChannelDescription(.temperature),
        ],
        rates: values(LSM6DS3Facts.rate(at:)),
        acquisitions: [.fifo, .dataReady, .polling, .detections],
        identity: IdentityDescription(
          register: LSM6DS3Map().whoAmI.address,
          parts: [
            0x69: "LSM6DS3, LSM6DS3H or LSM6DS33",
            0x6A: "LSM6DS3TR-C, LSM6DSL, LSM6DSM or ISM330DLC",
            0x6B: "ASM330LHH, LSM6DSR or ISM330DHCX", 0x6C: "LSM6DSO or LSM6DSOX",
            0x70: "LSM6DSV or LSM6DSV16X", 0x68: "LSM9DS1 or LSM6DS0",
          ],
          supported: [family.rawValue]),
        detections: LSM6DS3Facts.detections, hasSelfTest: true, hasAuxiliaryBus: true,
        interruptPins: 2,
        noise: family == .lsm6ds3 ? NoiseTable.lsm6ds3 : NoiseTable.lsm6ds3trc,
        tolerances: family == .lsm6ds3 ? ToleranceTable.lsm6ds3 : ToleranceTable.lsm6ds3trc,
        delays: { LSM6DS3Facts.delays(of: $0, family: family) }),
      driver: { DriverBox(LSM6DS3($0, expecting: family)) },
      model: { LSM6DS3Model($0, family: family, clockError: $1) },
      registers: {
        switch family {
        case .lsm6ds3: RegisterRow.rows(of: LSM6DS3Map())
        case .lsm6ds3trc: RegisterRow.rows(of: LSM6DS3TRCMap())
        }
      })
  }

  private static let bmi160 = CatalogEntry(
    description: ChipDescription(
      name: "bosch,bmi160", title: "BMI160", family: "BMI160",
      summary: "accelerometer and gyroscope",
      wires: [.i2c, .spi], addresses: [0x68, 0x69], wireFormat: BMI160Facts.wireFormat,
      channels: [
        ChannelDescription(
          .acceleration, ranges: values { BMI160Facts.range(of: .acceleration, at: $0) }),
        ChannelDescription(
          .rotationRate, ranges: values { BMI160Facts.range(of: .rotationRate, at: $0) }),
        ChannelDescription(.temperature),
      ],
      rates: values(BMI160Facts.rate(at:)),
      acquisitions: [.fifo, .dataReady, .polling, .detections],
      identity: IdentityDescription(
        register: BMI160Map().chipID.address,
        parts: [0xD1: "BMI160", 0xD3: "BMI120"],
        supported: [0xD1, 0xD3]),
      detections: BMI160Facts.detections, hasSelfTest: true, interruptPins: 2,
      noise: NoiseTable.bmi160, tolerances: ToleranceTable.bmi160,
      delays: { BMI160Facts.delays(of: $0) }),
    driver: { DriverBox(BMI160($0)) },
    model: { BMI160Model($0, clockError: $1) },
    registers: { RegisterRow.rows(of: BMI160Map()) })

  /// A portable table as an array.
  private static func values(_ table: (Int) -> Double?) -> [Double] {
    var values: [Double] = []
    while let value = table(values.count) { values.append(value) }
    return values
  }
}
