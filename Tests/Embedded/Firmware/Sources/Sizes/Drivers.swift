// SPDX-License-Identifier: Apache-2.0
import Chips
import PlatformBuses
import Quantities
import Recording
import Registers
import Sensors

// One driver with its decoder.

@c(size_mpu6050)
public func sizeMPU6050() {
  Tape.rewind()
  var driver = MPU6050(overI2C(0x68, MPU6050Facts.wireFormat, Queues.self))
  _ = try? driver.configure(Tape.chip(0).settings)
  play(&driver)
  report()
}

@c(size_lsm6ds3)
public func sizeLSM6DS3() {
  Tape.rewind()
  var driver = LSM6DS3(overI2C(0x6A, LSM6DS3Facts.wireFormat, Edges.self))
  _ = try? driver.configure(Tape.chip(0).settings)
  play(&driver)
  report()
}

@c(size_bmi160)
public func sizeBMI160() {
  Tape.rewind()
  var driver = BMI160(
    TrimmedConnection(SPIConnection(Tape.spi, format: BMI160Facts.wireFormat), for: Queues.self))
  _ = try? driver.configure(Tape.chip(0).settings)
  play(&driver)
  report()
}

@c(size_lis3mdl)
public func sizeLIS3MDL() {
  Tape.rewind()
  var driver = LIS3MDL(overI2C(0x1C, LIS3MDLFacts.wireFormat, Questions.self))
  _ = try? driver.configure(Tape.chip(0).settings)
  play(&driver)
  report()
}

@c(size_bmp280)
public func sizeBMP280() {
  Tape.rewind()
  var driver = BMP280(overI2C(0x76, BMP280Facts.wireFormat, Questions.self))
  _ = try? driver.configure(Tape.chip(0).settings)
  play(&driver)
  report()
}
