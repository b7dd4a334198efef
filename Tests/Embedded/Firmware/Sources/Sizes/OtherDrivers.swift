// SPDX-License-Identifier: Apache-2.0
import Chips
import Recording
import Registers
import Sensors

// Drivers without a tape, with one acquisition each; they are linked only for their sizes.

/// The abilities of a firmware whose chip reads a magnetometer together with its own samples.
enum NineAxes: AbilityChoice {
  static var abilities: DriverAbilities { [.fifo, .magnetometer, .verification] }
}

@inline(never)
private func makeICM20948() throws(ChipError) -> ICM20948<OverI2C<Queues>> {
  try ICM20948(
    overI2C(0x68, ICM20948Chip.wireFormat, Queues.self),
    configuration: ICM20948Configuration(.fifo) {
      $0.divider = 9
      $0.gyroFilter = .hz51
      $0.accelFilter = .hz51
      $0.accelFullScale = .g4
      $0.gyroFullScale = .dps500
    })
}

@c(size_icm20948)
public func sizeICM20948() { size(makeICM20948) }

@inline(never)
private func makeICM20948NineAxes() throws(ChipError) -> NineAxis<
  ICM20948Chip, BankedBus<OverI2C<NineAxes>>
> {
  NineAxis(
    try ICM20948(
      overI2C(0x68, ICM20948Chip.wireFormat, NineAxes.self),
      configuration: ICM20948Configuration(.fifo) {
        $0.divider = 9
        $0.gyroFilter = .hz51
        $0.accelFilter = .hz51
        $0.accelFullScale = .g4
        $0.gyroFullScale = .dps500
        $0.magnetometerRate = .hz100
      }))
}

@c(size_icm20948_nine_axes)
public func sizeICM20948NineAxes() { size(makeICM20948NineAxes) }

@inline(never)
private func makeLSM6DSO() throws(ChipError) -> LSM6DSO<OverI2C<Edges>> {
  try LSM6DSO(
    overI2C(0x6A, LSM6DSOChip.wireFormat, Edges.self),
    configuration: LSM6DSOConfiguration(.dataReady) {
      $0.rate = .hz104
      $0.accelFullScale = .g4
      $0.gyroFullScale = .dps500
    })
}

@c(size_lsm6dso)
public func sizeLSM6DSO() { size(makeLSM6DSO) }

@inline(never)
private func makeLSM6DSV16X() throws(ChipError) -> LSM6DSV16X<OverI2C<Edges>> {
  try LSM6DSV16X(
    overI2C(0x6A, LSM6DSV16XChip.wireFormat, Edges.self),
    configuration: LSM6DSV16XConfiguration(.dataReady) {
      $0.rate = .hz120
      $0.accelFullScale = .g4
      $0.gyroFullScale = .dps500
    })
}

@c(size_lsm6dsv16x)
public func sizeLSM6DSV16X() { size(makeLSM6DSV16X) }

@inline(never)
private func makeLSM9DS1() throws(ChipError) -> LSM9DS1<OverI2C<Edges>> {
  try LSM9DS1(
    overI2C(0x6B, LSM9DS1Chip.wireFormat, Edges.self),
    configuration: LSM9DS1Configuration(.dataReady) {
      $0.rate = .hz119
      $0.accelFullScale = .g4
      $0.gyroFullScale = .dps500
      $0.antiAlias = .hz50
    })
}

@c(size_lsm9ds1)
public func sizeLSM9DS1() { size(makeLSM9DS1) }

@inline(never)
private func makeICM42688P() throws(ChipError) -> ICM42688P<BankedBus<OverSPI<Queues>>> {
  var codes = ICM42688PConfiguration()
  codes.rate = .hz100
  return try ICM42688P(
    BankedBus(
      TrimmedConnection(
        SPIConnection(Tape.spi, format: ICM42688PChip.wireFormat), for: Queues.self),
      ICM42688PMap.window),
    configuration: codes)
}

@c(size_icm42688p)
public func sizeICM42688P() { size(makeICM42688P) }

@inline(never)
private func makeICM45686() throws(ChipError) -> ICM45686<IndirectBus<OverSPI<Queues>>> {
  var codes = ICM45686Configuration()
  codes.rate = .hz100
  return try ICM45686(
    IndirectBus(
      TrimmedConnection(
        SPIConnection(Tape.spi, format: ICM45686Chip.wireFormat), for: Queues.self),
      ICM45686Map.indirect),
    configuration: codes)
}

@c(size_icm45686)
public func sizeICM45686() { size(makeICM45686) }

@inline(never)
private func makeLPS22HB() throws(ChipError) -> LPS2x<OverI2C<Questions>> {
  try LPS2x(
    overI2C(0x5C, LPS2xPart.lps22hb.wireFormat, Questions.self),
    configuration: LPS2xConfiguration(.polling) {
      $0.part = .lps22hb
      $0.rate = LPS22HBMap.Rate.hz25.rawValue
      $0.filter = .half
    })
}

@c(size_lps22hb)
public func sizeLPS22HB() { size(makeLPS22HB) }

@inline(never)
private func makeHTS221() throws(ChipError) -> HTS221<OverI2C<Questions>> {
  try HTS221(
    overI2C(0x5F, HTS221Chip.wireFormat, Questions.self),
    configuration: HTS221Configuration(.polling) {
      $0.rate = .hz12_5
    })
}

@c(size_hts221)
public func sizeHTS221() { size(makeHTS221) }

@inline(never)
private func makeBMP388() throws(ChipError) -> BMP388<OverI2C<Questions>> {
  try BMP388(
    overI2C(0x76, BMP388Chip.wireFormat, Questions.self),
    configuration: BMP388Configuration(.polling) {
      $0.rate = .hz25
      $0.temperature = .x1
      $0.pressure = .x8
      $0.filter = .off
    })
}

@c(size_bmp388)
public func sizeBMP388() { size(makeBMP388) }

@inline(never)
private func makeHMC5883L() throws(ChipError) -> HMC5883L<OverI2C<Questions>> {
  try HMC5883L(
    overI2C(0x1E, HMC5883LChip.wireFormat, Questions.self), configuration: HMC5883LConfiguration())
}

@c(size_hmc5883l)
public func sizeHMC5883L() { size(makeHMC5883L) }

@inline(never)
private func makeQMC5883L() throws(ChipError) -> QMC5883L<OverI2C<Questions>> {
  try QMC5883L(
    overI2C(0x0D, QMC5883LChip.wireFormat, Questions.self), configuration: QMC5883LConfiguration())
}

@c(size_qmc5883l)
public func sizeQMC5883L() { size(makeQMC5883L) }

@inline(never)
private func makeVCNL4040() throws(ChipError) -> VCNL4040<OverI2C<Questions>> {
  try VCNL4040(
    overI2C(0x60, VCNL4040Chip.wireFormat, Questions.self),
    configuration: VCNL4040Configuration(.polling) {
      $0.rate = 10
      $0.integrationTime = .ms80
    })
}

@c(size_vcnl4040)
public func sizeVCNL4040() { size(makeVCNL4040) }

@inline(never)
private func makeBMP581() throws(ChipError) -> BMP581<OverI2C<Questions>> {
  try BMP581(
    overI2C(0x47, BMP581Chip.wireFormat, Questions.self), configuration: BMP581Configuration())
}

@c(size_bmp581)
public func sizeBMP581() { size(makeBMP581) }

@inline(never)
private func makeQMI8658() throws(ChipError) -> QMI8658<OverI2C<Edges>> {
  try QMI8658(
    overI2C(0x6B, QMI8658Chip.wireFormat, Edges.self), configuration: QMI8658Configuration())
}

@c(size_qmi8658)
public func sizeQMI8658() { size(makeQMI8658) }
