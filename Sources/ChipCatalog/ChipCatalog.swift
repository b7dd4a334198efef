// SPDX-License-Identifier: Apache-2.0
public import ChipModels
internal import Chips
internal import Quantities
internal import Registers
internal import Sensors

/// A kind of chip: what is known of it, its driver and its model.
public struct CatalogEntry: Sendable {
  public let description: ChipDescription
  /// Makes the driver.
  public let driver: @Sendable (consuming HostConnection) -> any ChipDriver
  /// Makes a model in its surroundings, with an oscillator that is off by so many parts.
  public let model:
    @Sendable (_ surroundings: any Surroundings, _ clockError: Double) -> any ChipModel
}

/// All chips that otolith can talk to. Adding one is a folder of `Chips`, a folder of `ChipModels` and a line here.
public enum ChipCatalog {
  public static let entries: [CatalogEntry] = [mpu6050, lis3mdl, bmi160]

  public static var descriptions: [ChipDescription] { entries.map(\.description) }

  /// The chip of that name in board files.
  public static func entry(named name: String) -> CatalogEntry? {
    entries.first { $0.description.name == name }
  }

  private static let mpu6050 = CatalogEntry(
    description: ChipDescription(
      name: "invensense,mpu6050", title: "MPU-6050", summary: "accelerometer and gyroscope",
      wires: [.i2c], addresses: [0x68, 0x69], wireFormat: MPU6050Facts.wireFormat,
      channels: [
        ChannelDescription(
          .acceleration, ranges: values { MPU6050Facts.range(of: .acceleration, at: $0) }),
        ChannelDescription(
          .rotationRate, ranges: values { MPU6050Facts.range(of: .rotationRate, at: $0) }),
        ChannelDescription(.temperature),
      ],
      rates: values(MPU6050Facts.rate(at:)), acquisitions: [.fifo, .dataReady, .polling],
      identity: IdentityDescription(
        register: MPU6050Map().whoAmI.address,
        parts: [
          0x68: "MPU-6050 or MPU-6000", 0x70: "MPU-6500", 0x71: "MPU-9250", 0x73: "MPU-9255",
          0x74: "MPU-6515", 0x72: "an MPU-6050 clone", 0x98: "ICM-20689", 0xAF: "ICM-20608",
          0x12: "ICM-20602", 0xD1: "BMI160", 0x69: "LSM6DS3", 0x6A: "LSM6DS3TR-C",
        ],
        supported: [0x68])),
    driver: { DriverBox(MPU6050($0)) },
    model: { MPU6050Model($0, clockError: $1) })

  private static let lis3mdl = CatalogEntry(
    description: ChipDescription(
      name: "st,lis3mdl", title: "LIS3MDL", summary: "magnetometer",
      wires: [.i2c, .spi], addresses: [0x1C, 0x1E], wireFormat: LIS3MDLFacts.wireFormat,
      channels: [
        ChannelDescription(
          .magneticField, ranges: values { LIS3MDLFacts.range(of: .magneticField, at: $0) })
      ],
      rates: values(LIS3MDLFacts.rate(at:)), acquisitions: [.dataReady, .polling],
      identity: IdentityDescription(
        register: LIS3MDLMap().whoAmI.address,
        parts: [
          0x3D: "LIS3MDL (or the magnetometer of an LSM9DS1 or LSM303C)", 0x40: "LIS2MDL",
        ],
        supported: [0x3D])),
    driver: { DriverBox(LIS3MDL($0)) },
    model: { LIS3MDLModel($0, clockError: $1) })

  private static let bmi160 = CatalogEntry(
    description: ChipDescription(
      name: "bosch,bmi160", title: "BMI160", summary: "accelerometer and gyroscope",
      wires: [.i2c, .spi], addresses: [0x68, 0x69], wireFormat: BMI160Facts.wireFormat,
      channels: [
        ChannelDescription(
          .acceleration, ranges: values { BMI160Facts.range(of: .acceleration, at: $0) }),
        ChannelDescription(
          .rotationRate, ranges: values { BMI160Facts.range(of: .rotationRate, at: $0) }),
        ChannelDescription(.temperature),
      ],
      rates: values(BMI160Facts.rate(at:)), acquisitions: [.fifo, .dataReady, .polling],
      identity: IdentityDescription(
        register: BMI160Map().chipID.address,
        parts: [0xD1: "BMI160", 0xD3: "BMI120"],
        supported: [0xD1])),
    driver: { DriverBox(BMI160($0)) },
    model: { BMI160Model($0, clockError: $1) })

  /// A portable table as an array.
  private static func values(_ table: (Int) -> Double?) -> [Double] {
    var values: [Double] = []
    while let value = table(values.count) { values.append(value) }
    return values
  }
}
