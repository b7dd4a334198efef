// SPDX-License-Identifier: Apache-2.0
import Chips
import Quantities
import Recording
import Registers
import Sensors

// One driver with its decoder, configured by the codes of the tape's board file, so that its
// requests are those recorded.

/// Plays the tape with a driver; one that its maker refuses makes no requests. Makers are separate
/// functions, so that their code is counted separately.
@inline(__always)
func size<Driver: SensorDriver & ~Copyable>(_ make: () throws(ChipError) -> Driver) {
  Tape.rewind()
  do throws(ChipError) {
    var driver = try make()
    play(&driver)
    report()
  } catch { report([.max, 0, 0]) }
}

@c(size_mpu6050)
public func sizeMPU6050() { size(makeMPU6050) }

@inline(never)
private func makeLSM6DS3() throws(ChipError) -> LSM6DS3<OverI2C<Edges>> {
  try LSM6DS3(
    overI2C(0x6A, LSM6DS3Chip.wireFormat, Edges.self),
    configuration: LSM6DS3Configuration(.dataReady) {
      $0.rate = .hz104
      $0.accelFullScale = .g4
      $0.gyroFullScale = .dps500
      $0.filters = LSM6DS3Filters(antiAlias: .hz50)
      $0.part = .lsm6ds3
    })
}

@c(size_lsm6ds3)
public func sizeLSM6DS3() { size(makeLSM6DS3) }

@inline(never)
private func makeLSM6DS3Queue() throws(ChipError) -> LSM6DS3<OverI2C<Queues>> {
  try LSM6DS3(
    overI2C(0x6A, LSM6DS3Chip.wireFormat, Queues.self),
    configuration: LSM6DS3Configuration(.fifo) {
      $0.rate = .hz104
      $0.accelFullScale = .g4
      $0.gyroFullScale = .dps500
      $0.filters = LSM6DS3Filters(antiAlias: .hz50)
      $0.part = .lsm6ds3
    })
}

@c(size_lsm6ds3_queue)
public func sizeLSM6DS3Queue() { size(makeLSM6DS3Queue) }

@inline(never)
private func makeBMI160() throws(ChipError) -> BMI160<OverSPI<Edges>> {
  try BMI160(
    TrimmedConnection(SPIConnection(Tape.spi, format: BMI160Chip.wireFormat), for: Edges.self),
    configuration: BMI160Configuration(.dataReady) {
      $0.rate = .hz100
      $0.accelFullScale = .g4
      $0.gyroFullScale = .dps500
    })
}

@c(size_bmi160)
public func sizeBMI160() { size(makeBMI160) }

@inline(never)
private func makeBMI160Queue() throws(ChipError) -> BMI160<OverSPI<Queues>> {
  try BMI160(
    TrimmedConnection(SPIConnection(Tape.spi, format: BMI160Chip.wireFormat), for: Queues.self),
    configuration: BMI160Configuration(.fifo) {
      $0.rate = .hz100
      $0.accelFullScale = .g4
      $0.gyroFullScale = .dps500
    })
}

@c(size_bmi160_queue)
public func sizeBMI160Queue() { size(makeBMI160Queue) }

@inline(never)
private func makeLIS3MDL() throws(ChipError) -> LIS3MDL<OverI2C<Questions>> {
  try LIS3MDL(
    overI2C(0x1C, LIS3MDLChip.wireFormat, Questions.self),
    configuration: LIS3MDLConfiguration(.polling) {
      $0.rate = .hz80
      $0.performance = .ultraHigh
      $0.fullScale = .gauss4
    })
}

@c(size_lis3mdl)
public func sizeLIS3MDL() { size(makeLIS3MDL) }

@inline(never)
private func makeBMP280() throws(ChipError) -> BMP280<OverI2C<Questions>> {
  try BMP280(
    overI2C(0x76, BMP280Chip.wireFormat, Questions.self),
    configuration: BMP280Configuration(.polling) {
      $0.temperature = .x2
      $0.pressure = .x16
      $0.standby = .ms0_5
      $0.filter = .off
    })
}

@c(size_bmp280)
public func sizeBMP280() { size(makeBMP280) }
