// SPDX-License-Identifier: Apache-2.0
import Foundation
import Quantities
import Sensors

/// A chip that both the kernel and we can read: where it is, and how the kernel calls what it measures.
struct Oracle: CustomStringConvertible, Sendable {
  /// Our name of the chip.
  var chip: String
  /// The kernel driver's name of it, for new_device.
  var driver: String
  /// The address on I2C, or the chip select on SPI.
  var place: Place
  var quantities: [Quantity]
  /// What the board file adds so that we read the chip as the kernel does.
  var settings = ""

  enum Place: Sendable, Equatable {
    case i2c(UInt8)
    case spi(Int)
  }

  var description: String {
    switch place {
    case .i2c(let address): "\(chip) over I2C at 0x\(String(address, radix: 16))"
    case .spi(let select): "\(chip) over SPI at \(select)"
    }
  }

  /// For new_device, and for delete_device.
  func words(_ more: String = "") -> (new: String, delete: String) {
    switch place {
    case .i2c(let address):
      let at = "bus=i2c unit=0 address=0x\(String(address, radix: 16))"
      return ("\(at) driver=\(driver) \(more)", at)
    case .spi(let select):
      let at = "bus=spi unit=\(select)"
      return ("\(at) driver=\(driver) hz=5000000 \(more)", at)
    }
  }

  /// The chip's line in a board file of ours, with these keys added.
  func placement(_ more: String = "") -> String {
    let on =
      switch place {
      case .i2c(let address): "on: i2c, address: 0x\(String(address, radix: 16))"
      case .spi(let select): "on: spi\(select)"
      }
    return "chip: { chip: '\(chip)', \(on)\(settings)\(more) }"
  }

  var spi: [Int] {
    if case .spi(let select) = place { [select] } else { [] }
  }
}

/// What is measured: how the kernel's files call it, and how our sample does.
struct Quantity: Sendable {
  /// The device that has it: an LSM6DS3 is two.
  var device: String
  /// The files' stem, such as in_accel_x; x, y, z, or nothing for a scalar.
  var channels: [String]
  var scale: String
  /// Lists, where the driver gives them.
  var scales: String?
  var rates: String?
  /// The board file's key of the full scale, and the values it takes, smallest first.
  var rangeKey: String
  var ranges: [Double]
  /// One of our units, from counts, at full scale `range`; and the kernel's unit in ours.
  var ofCount: @Sendable (Double) -> Double
  var kernelUnit: Double
  /// What our sample says, in the chip's axes and sign.
  var ours: @Sendable (Sample) -> [Double]
}

extension Quantity {
  /// Standard gravity (CGPM 1901), which the kernel's m/s^2 and our g have between them.
  static let gravity = 9.80665

  static func acceleration(_ device: String, rates: String?) -> Quantity {
    Quantity(
      device: device, channels: ["in_accel_x", "in_accel_y", "in_accel_z"],
      scale: "in_accel_scale", scales: "in_accel_scale_available", rates: rates,
      rangeKey: "acceleration-range-g", ranges: [2, 4, 8, 16], ofCount: { $0 / 32768 },
      kernelUnit: 1 / gravity,
      // Core Motion's acceleration is the negative of the specific force that a chip says.
      ours: { [-$0.acceleration.x, -$0.acceleration.y, -$0.acceleration.z] })
  }

  static func rotationRate(
    _ device: String, ranges: [Double], ofCount: @escaping @Sendable (Double) -> Double
  )
    -> Quantity
  {
    Quantity(
      device: device, channels: ["in_anglvel_x", "in_anglvel_y", "in_anglvel_z"],
      scale: "in_anglvel_scale", scales: "in_anglvel_scale_available",
      rangeKey: "rotation-rate-range-dps", ranges: ranges,
      ofCount: { ofCount($0) * .pi / 180 }, kernelUnit: 1,
      ours: { [$0.rotationRate.x, $0.rotationRate.y, $0.rotationRate.z] })
  }
}

extension Oracle {
  /// Degrees a second of one count at full scale `range` (RM-MPU-6000A-00 section 4.19: 131 counts at 250; BST-BMI160
  /// section 1.1: 16.4 at 2000; DocID026899 table 3: 8.75 mdps at 250, so a full scale is 32768/28571 of its name).
  private static let mpu: @Sendable (Double) -> Double = { $0 / 32768 }
  private static let st: @Sendable (Double) -> Double = { $0 * 0.035 / 1000 }

  private static func imu(_ chip: String, _ driver: String, _ device: String, _ place: Place)
    -> Oracle
  {
    Oracle(
      chip: chip, driver: driver, place: place,
      quantities: [
        .acceleration(device, rates: "sampling_frequency_available"),
        .rotationRate(device, ranges: [250, 500, 1000, 2000], ofCount: mpu),
      ])
  }

  private static func lsm(_ chip: String, _ driver: String, _ place: Place) -> Oracle {
    Oracle(
      chip: chip, driver: driver, place: place,
      quantities: [
        .acceleration("\(driver)_accel", rates: "sampling_frequency_available"),
        .rotationRate("\(driver)_gyro", ranges: [245, 500, 1000, 2000], ofCount: st),
      ])
  }

  private static func bmi(_ place: Place) -> Oracle {
    Oracle(
      chip: "bosch,bmi160", driver: "bmi160", place: place,
      quantities: [
        .acceleration("bmi160", rates: "in_accel_sampling_frequency_available"),
        .rotationRate("bmi160", ranges: [125, 250, 500, 1000, 2000], ofCount: mpu),
      ])
  }

  private static func lis(_ place: Place) -> Oracle {
    Oracle(
      chip: "st,lis3mdl", driver: "lis3mdl", place: place,
      quantities: [
        Quantity(
          device: "lis3mdl", channels: ["in_magn_x", "in_magn_y", "in_magn_z"],
          scale: "in_magn_x_scale", scales: "in_magn_scale_available",
          rates: "sampling_frequency_available", rangeKey: "magnetic-field-range-ut",
          // DocID024204 table 3: 6842, 3421, 2281, 1711 counts a gauss at 4, 8, 12, 16; the kernel's unit is the gauss.
          ranges: [400, 800, 1200, 1600],
          ofCount: { 100 / ([400: 6842, 800: 3421, 1200: 2281, 1600: 1711][$0] ?? .nan) },
          kernelUnit: 100,
          ours: { [$0.magneticField.x, $0.magneticField.y, $0.magneticField.z] })
      ])
  }

  static let all: [Oracle] = [
    imu("invensense,mpu6050", "mpu6050", "mpu6050", .i2c(0x68)),
    imu("invensense,mpu6500", "mpu6500", "mpu6500", .spi(0)),
    lsm("st,lsm6ds3", "lsm6ds3", .i2c(0x6B)),
    lsm("st,lsm6ds3tr-c", "lsm6ds3tr-c", .i2c(0x6A)),
    lsm("st,lsm6ds3", "lsm6ds3", .spi(1)),
    bmi(.i2c(0x69)), bmi(.spi(2)),
    lis(.i2c(0x1C)), lis(.spi(3)),
  ]
}
