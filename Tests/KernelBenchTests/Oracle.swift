// SPDX-License-Identifier: Apache-2.0
import Foundation
import Quantities
import Sensors

/// A chip that both the kernel and otolith can read: its location, and the kernel's names for its
/// quantities.
struct Oracle: CustomStringConvertible, Sendable {
  /// otolith's name of the chip.
  var chip: String
  /// The kernel driver's name of the chip, for new_device.
  var driver: String
  /// The address on I2C, or the chip select on SPI.
  var place: Place
  var quantities: [Quantity]
  /// Keys in the board file that make otolith read the chip like the kernel.
  var settings = ""
  /// The board that the bench serves for the chip.
  var board = Boards.all
  /// Values written into the kernel's files before it is read.
  var files: [(name: String, value: String)] = []
  /// The rate at which otolith reads the chip.
  var rate = 100
  /// The line of its interrupt, if the kernel's driver needs one.
  var line: Int?
  /// True where the driver is one of those that `setup` builds, if their source could be fetched.
  var isBuiltFromSource = false

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

  /// Returns the words for new_device and for delete_device.
  func words(_ more: String = "") -> (new: String, delete: String) {
    let more = line.map { "irq=\($0) trigger=rising \(more)" } ?? more
    switch place {
    case .i2c(let address):
      let at = "bus=i2c unit=0 address=0x\(String(address, radix: 16))"
      return ("\(at) driver=\(driver) \(more)", at)
    case .spi(let select):
      let at = "bus=spi unit=\(select)"
      return ("\(at) driver=\(driver) hz=5000000 \(more)", at)
    }
  }

  /// Returns the chip's line in a board file, with these keys added.
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

/// A measured quantity: its name in the kernel's files, and its value in otolith's sample.
struct Quantity: Sendable {
  /// The device that has the quantity; an LSM6DS3 has two devices.
  var device: String
  /// The stems of the files, such as in_accel_x: x, y and z, or one for a scalar.
  var channels: [String]
  var scale: String
  /// The files that list the scales and rates; `nil` if the driver has none.
  var scales: String?
  var rates: String?
  /// The board file's key for the full scale.
  var rangeKey: String
  /// Each full scale in the key's unit, smallest first, and the data sheet's value of one count in
  /// otolith's unit.
  var ranges: [(range: Double, count: Double)]
  /// The kernel's unit expressed in otolith's.
  var kernelUnit: Double
  /// Returns the value of otolith's sample, in the chip's axes and sign.
  var ours: @Sendable (Sample) -> [Double]
  /// The relative tolerance of the kernel's scales compared with the data sheet.
  var tolerance = 1.2e-3
  /// The difference in counts that is allowed if the two read words of different widths.
  var countTolerance = 1e-6
}

extension Quantity {
  /// Standard gravity (CGPM 1901), the factor between the kernel's m/s^2 and g.
  static let gravity = 9.80665

  static func acceleration(_ device: String, rates: String?, count: [Double]) -> Quantity {
    Quantity(
      device: device, channels: ["in_accel_x", "in_accel_y", "in_accel_z"],
      scale: "in_accel_scale", scales: "in_accel_scale_available", rates: rates,
      rangeKey: "acceleration-range-g",
      ranges: Array(zip([2, 4, 8, 16, 32], count)).map { ($0, $1) },
      kernelUnit: 1 / gravity,
      // Core Motion's acceleration is the negative of the specific force that a chip measures.
      ours: { [-$0.acceleration.x, -$0.acceleration.y, -$0.acceleration.z] })
  }

  /// `count` is in degrees per second.
  static func rotationRate(_ device: String, _ ranges: [Double], count: [Double]) -> Quantity {
    Quantity(
      device: device, channels: ["in_anglvel_x", "in_anglvel_y", "in_anglvel_z"],
      scale: "in_anglvel_scale", scales: "in_anglvel_scale_available",
      rangeKey: "rotation-rate-range-dps",
      ranges: Array(zip(ranges, count)).map { ($0, $1 * .pi / 180) }, kernelUnit: 1,
      ours: { [$0.rotationRate.x, $0.rotationRate.y, $0.rotationRate.z] })
  }
}

extension Oracle {
  /// The g per count: 16384, 8192, 4096, 2048 counts per g (RM-MPU-6000A-00 section 4.17;
  /// BST-BMI160 section 1.1).
  private static let binary = [1.0 / 16384, 1.0 / 8192, 1.0 / 4096, 1.0 / 2048]

  private static func mpu(_ chip: String, _ driver: String, _ place: Place) -> Oracle {
    Oracle(
      chip: chip, driver: driver, place: place,
      quantities: [
        .acceleration(driver, rates: "sampling_frequency_available", count: binary),
        // The counts per degree per second are from RM-MPU-6000A-00 section 4.19.
        .rotationRate(
          driver, [250, 500, 1000, 2000], count: [1 / 131.0, 1 / 65.5, 1 / 32.8, 1 / 16.4]),
      ])
  }

  private static func lsm(
    _ chip: String, _ driver: String, _ place: Place, smallest: Double = 245,
    board: String = Boards.all
  ) -> Oracle {
    Oracle(
      chip: chip, driver: driver, place: place,
      quantities: [
        // DocID026899 table 3, DS12140 table 2: 0.061, 0.122, 0.244, 0.488 mg; 8.75, 17.5, 35, 70
        // mdps.
        .acceleration(
          "\(driver)_accel", rates: "sampling_frequency_available",
          count: [0.061e-3, 0.122e-3, 0.244e-3, 0.488e-3]),
        .rotationRate(
          "\(driver)_gyro", [smallest, 500, 1000, 2000],
          count: [8.75e-3, 17.5e-3, 35e-3, 70e-3]),
      ], board: board)
  }

  /// The LSM9DS1's accelerometer and gyroscope; the kernel does not change the sign of x.
  private static func lsm9ds1(_ place: Place) -> Oracle {
    // DocID025715 table 3: 0.061, 0.122, 0.244, 0.732 mg; 8.75, 17.5, 70 mdps. The kernel lists
    // only the accelerometer's rates: 10 and 50 Hz for 14.9 and 59.5.
    var force = Quantity.acceleration(
      "lsm9ds1-imu_accel", rates: nil,
      count: [0.061e-3, 0.122e-3, 0.244e-3, 0.732e-3])
    force.ours = { [$0.acceleration.x, -$0.acceleration.y, -$0.acceleration.z] }
    var turn = Quantity.rotationRate(
      "lsm9ds1-imu_gyro", [245, 500, 2000], count: [8.75e-3, 17.5e-3, 70e-3])
    turn.rates = "sampling_frequency_available"
    turn.ours = { [-$0.rotationRate.x, $0.rotationRate.y, $0.rotationRate.z] }
    return Oracle(
      chip: "st,lsm9ds1-imu", driver: "lsm9ds1-imu", place: place, quantities: [force, turn],
      board: Boards.relatives)
  }

  /// The LSM9DS1's magnetometer, for which the kernel uses the LIS3MDL's scales: 0.146 instead of
  /// 0.14 milligauss per count.
  private static func lsm9ds1Magnetometer(_ place: Place) -> Oracle {
    var oracle = lis(place)
    oracle.chip = "st,lsm9ds1-magn"
    oracle.driver = "lsm9ds1_magn"
    oracle.board = Boards.relatives
    oracle.quantities[0].device = "lsm9ds1_magn"
    // The counts are from DocID025715 table 3.
    oracle.quantities[0].ranges = [(400, 0.014), (800, 0.029), (1200, 0.043), (1600, 0.058)]
    oracle.quantities[0].tolerance = 0.045
    return oracle
  }

  /// `counts` is the gyroscope's sensitivity at each full scale, per degree per second.
  private static func bmi(
    _ chip: String, _ place: Place, counts: [Double], board: String = Boards.all, line: Int? = nil
  ) -> Oracle {
    Oracle(
      chip: "bosch,\(chip)", driver: chip, place: place,
      quantities: [
        .acceleration(chip, rates: "in_accel_sampling_frequency_available", count: binary),
        .rotationRate(chip, [125, 250, 500, 1000, 2000], count: counts.map { 1 / $0 }),
      ], board: board, line: line)
  }

  private static func bmi160(_ place: Place) -> Oracle {
    // The counts are from BST-BMI160 section 1.1.
    bmi("bmi160", place, counts: [262.4, 131.2, 65.6, 32.8, 16.4])
  }

  /// The BMI270, whose driver is bound only if there is an entry of the firmware, which the module
  /// makes for an interrupt.
  private static func bmi270(_ place: Place, line: Int) -> Oracle {
    // The range over 32768, as in Bosch's examples (lsb_to_dps); its sheet's 262.1 to 16.4 are
    // roundings.
    var oracle = bmi(
      "bmi270", place, counts: [262.144, 131.072, 65.536, 32.768, 16.384], board: Boards.newer,
      line: line)
    oracle.isBuiltFromSource = true
    return oracle
  }

  private static func lis(_ place: Place) -> Oracle {
    Oracle(
      chip: "st,lis3mdl", driver: "lis3mdl", place: place,
      quantities: [
        Quantity(
          device: "lis3mdl", channels: ["in_magn_x", "in_magn_y", "in_magn_z"],
          scale: "in_magn_x_scale", scales: "in_magn_scale_available",
          rates: "sampling_frequency_available", rangeKey: "magnetic-field-range-ut",
          // The counts per gauss are from DocID024204 table 3. A gauss, the kernel's unit, is 100
          // microtesla.
          ranges: [
            (400, 100 / 6842.0), (800, 100 / 3421.0), (1200, 100 / 2281.0), (1600, 100 / 1711.0),
          ],
          kernelUnit: 100,
          ours: { [$0.magneticField.x, $0.magneticField.y, $0.magneticField.z] })
      ])
  }

  /// The LIS2MDL, which has one range: 1.5 milligauss a count (DS12144, table 3).
  private static func lis2mdl(_ place: Place) -> Oracle {
    Oracle(
      chip: "st,lis2mdl", driver: "lis2mdl", place: place,
      quantities: [
        Quantity(
          device: "lis2mdl", channels: ["in_magn_x", "in_magn_y", "in_magn_z"],
          scale: "in_magn_x_scale", scales: nil, rates: "sampling_frequency_available",
          rangeKey: "magnetic-field-range-ut", ranges: [(4915, 0.15)], kernelUnit: 100,
          ours: { [$0.magneticField.x, $0.magneticField.y, $0.magneticField.z] })
      ], board: Boards.compass)
  }

  /// A row per axis, because each has a scale. `count` is for 14 bits of the AK8963, as the kernel
  /// reads it (otolith reads 16), and for 16 bits of the AK09916.
  private static func ak(
    _ chip: String, _ driver: String, _ place: Place, count: [Double], tolerance: Double = 1e-6,
    unit: Double = 100
  ) -> Oracle {
    let axes: [(String, @Sendable (Sample) -> [Double])] = [
      ("x", { [$0.magneticField.x] }), ("y", { [$0.magneticField.y] }),
      ("z", { [$0.magneticField.z] }),
    ]
    return Oracle(
      chip: chip, driver: driver, place: place,
      quantities: zip(axes, count).map { axis, count in
        Quantity(
          device: driver, channels: ["in_magn_\(axis.0)"], scale: "in_magn_\(axis.0)_scale",
          scales: nil, rangeKey: "magnetic-field-range-ut", ranges: [(4912, count)],
          kernelUnit: unit, ours: axis.1, countTolerance: tolerance)
      })
  }

  /// The HMC5883L, which the kernel reads in continuous mode: at 75 Hz, so that a new gain, valid
  /// from the second measurement on, is used in time. Linux's scales are a hundredth of those in
  /// gauss.
  private static func hmc(_ place: Place) -> Oracle {
    // The counts per gauss are from Honeywell 900405 rev. E, table 9.
    let gains = [1370, 1090, 820, 660, 440, 390, 330, 230.0]
    return Oracle(
      chip: "honeywell,hmc5883l", driver: "hmc5883l", place: place,
      quantities: [
        Quantity(
          device: "hmc5883l", channels: ["in_magn_x", "in_magn_y", "in_magn_z"],
          scale: "in_magn_scale", scales: "scale_available",
          rates: "sampling_frequency_available", rangeKey: "magnetic-field-range-ut",
          ranges: Array(zip([88, 130, 190, 250, 400, 470, 560, 810], gains.map { 100 / $0 })).map {
            ($0, $1)
          },
          kernelUnit: 10_000,
          ours: { [$0.magneticField.x, $0.magneticField.y, $0.magneticField.z] })
      ], files: [("in_magn_sampling_frequency", "75")], rate: 75)
  }

  /// The registers of the ICM-42688-P have 16 bits, the packets of its FIFO 20.
  private static func icm(_ place: Place) -> Oracle {
    // The counts per degree per second are from DS-000347 table 1.
    Oracle(
      chip: "invensense,icm42688p", driver: "icm42688", place: place,
      quantities: [
        .acceleration(
          "icm42688-accel", rates: "sampling_frequency_available", count: binary),
        .rotationRate(
          "icm42688-gyro", [15.625, 31.25, 62.5, 125, 250, 500, 1000, 2000],
          count: [2097.2, 1048.6, 524.3, 262, 131, 65.5, 32.8, 16.4].map { 1 / $0 }),
      ], settings: ", read-by: polling", board: Boards.relatives, line: 10)
  }

  /// The ICM-45686, whose registers have 16 bits too.
  private static func icm45686(_ place: Place, line: Int) -> Oracle {
    // The counts are from DS-000489 tables 1 and 2; otolith has the range over 32768, of which
    // table 1's are roundings.
    Oracle(
      chip: "invensense,icm45686", driver: "icm45686", place: place,
      quantities: [
        .acceleration(
          "icm45686-accel", rates: "sampling_frequency_available", count: binary + [1.0 / 1024]),
        .rotationRate(
          "icm45686-gyro", [15.625, 31.25, 62.5, 125, 250, 500, 1000, 2000, 4000],
          count: [2097.152, 1048.576, 524.288, 262.144, 131.072, 65.536, 32.768, 16.384, 8.192].map
          { 1 / $0 }),
      ], settings: ", read-by: polling", board: Boards.newer, line: line, isBuiltFromSource: true)
  }

  /// The chips whose drivers the guest has.
  static let all = rows.filter { !$0.isBuiltFromSource || hasBuiltDrivers }

  /// True where `setup` has built the drivers that Debian's kernel lacks.
  static let hasBuiltDrivers = FileManager.default.fileExists(
    atPath: "/sys/bus/i2c/drivers/bmi270_i2c")

  private static let rows: [Oracle] = [
    mpu("invensense,mpu6050", "mpu6050", .i2c(0x68)),
    mpu("invensense,mpu6500", "mpu6500", .spi(0)),
    lsm("st,lsm6ds3", "lsm6ds3", .i2c(0x6B)),
    lsm("st,lsm6ds3tr-c", "lsm6ds3tr-c", .i2c(0x6A)),
    lsm("st,lsm6ds3", "lsm6ds3", .spi(1)),
    bmi160(.i2c(0x69)), bmi160(.spi(2)),
    lis(.i2c(0x1C)), lis(.spi(3)),
    lsm("st,lsm6dso", "lsm6dso", .i2c(0x6A), smallest: 250, board: Boards.relatives),
    lsm("st,lsm6dsox", "lsm6dsox", .spi(0), smallest: 250, board: Boards.relatives),
    lsm("st,ism330dhcx", "ism330dhcx", .spi(1), smallest: 250, board: Boards.relatives),
    lsm9ds1(.i2c(0x6B)), lsm9ds1Magnetometer(.i2c(0x1E)),
    hmc(.i2c(0x1E)), lis2mdl(.i2c(0x1E)), icm(.i2c(0x68)),
    // MS1356-E-02, section 8.3.11: 0.6 uT times (ASA + 128) / 256, with the model's 176, 178 and
    // 166.
    ak(
      "asahi-kasei,ak8963", "ak8963", .i2c(0x0D),
      count: [0.6 * 304 / 256, 0.6 * 306 / 256, 0.6 * 294 / 256], tolerance: 0.63),
    // DS-000189, table 3. Linux applies the fuse ROM of an AK09912, which this part lacks and which
    // reads as 0: half of the data sheet's scale.
    ak("asahi-kasei,ak09916", "ak09916", .i2c(0x0C), count: [0.15, 0.15, 0.15], unit: 200),
    lsm("st,lsm6dsv16x", "lsm6dsv16x", .i2c(0x6A), smallest: 250, board: Boards.newer),
    lsm("st,lsm6dsv16x", "lsm6dsv16x", .spi(2), smallest: 250, board: Boards.newer),
    bmi270(.i2c(0x69), line: 2), bmi270(.spi(1), line: 10),
    icm45686(.i2c(0x68), line: 0), icm45686(.spi(0), line: 8),
  ]
}
