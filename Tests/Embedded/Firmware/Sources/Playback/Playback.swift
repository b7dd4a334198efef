// SPDX-License-Identifier: Apache-2.0
import Board
import Chips
import Fusion
import Quantities
import Recognition
import Recording
import Registers
import Sensors
import Startup

// Runs five drivers, fusion and the recognisers on a tape, and writes each value for comparison
// with Linux.

typealias OverI2C = I2CConnection<PlatformI2C>
typealias OverSPI = SPIConnection<PlatformSPI>

/// Converts the chips' values to samples, motions and movement.
struct Pipeline: ~Copyable {
  var output = Output("values")
  var batch = RawBatch()
  let mounting = Mounting()
  var motion: MotionEstimator
  var movement: MovementEstimator
  var nothing = InstructionCount()
  var decoding = InstructionCount()
  var fusion = InstructionCount()
  var heading = InstructionCount()
  var recognition = InstructionCount()

  init(channels: ChannelSet) {
    motion = MotionEstimator(channels: channels)
    movement = MovementEstimator(channels: channels)
  }

  mutating func step<Driver: SensorDriver & ~Copyable>(
    _ driver: inout Driver?, _ chip: Int, _ event: Event
  ) {
    batch.removeAll()
    do throws(ChipError) { _ = try driver?.step(event, into: &batch) } catch {
      output.add(letter: "X")
      output.add(UInt8(chip))
      return
    }
    guard batch.frames > 0 else { return }
    output.add(batch, of: chip)
    for frame in 0..<batch.frames {
      nothing.add(since: Microseconds.ticks)
      let begin = Microseconds.ticks
      guard let reading = driver?.decode(batch, frame: frame) else { return }
      decoding.add(since: begin)
      let sample = mounting.sample(
        reading, at: batch.timestamp(ofFrame: frame), after: frame == 0 ? batch.missing : 0)
      output.add(sample, of: chip)
      take(sample)
    }
  }

  mutating func end<Driver: SensorDriver & ~Copyable>(_ driver: inout Driver?, _ chip: Int) {
    if let health = driver?.health { output.add(health, of: chip) }
  }

  private mutating func take(_ sample: Sample) {
    let begin = Microseconds.ticks
    let now = motion.update(sample)
    if sample.channels.contains(.rotationRate) { fusion.add(since: begin) }
    if sample.channels.contains(.magneticField) { heading.add(since: begin) }
    if let now { output.add(now) }
    let other = Microseconds.ticks
    movement.update(sample)
    if sample.channels.contains(.acceleration) { recognition.add(since: other) }
  }
}

@c(firmware_main)
public func firmwareMain() {
  Microseconds.start()
  guard Tape.isThere else {
    host_exit(66)
    return
  }
  var mpu6050: MPU6050<OverI2C>?
  var lsm6ds3: LSM6DS3<OverI2C>?
  var bmi160: BMI160<OverSPI>?
  var lis3mdl: LIS3MDL<OverI2C>?
  var bmp280: BMP280<OverI2C>?
  var channels: ChannelSet = []
  for index in 0..<Tape.chipCount {
    let chip = Tape.chip(index)
    switch chip.kind {
    case .mpu6050:
      let wire = I2CConnection(Tape.i2c, address: chip.address, format: MPU6050Chip.wireFormat)
      mpu6050 = started(MPU6050(wire), chip.settings, &channels)
    case .lsm6ds3:
      let wire = I2CConnection(Tape.i2c, address: chip.address, format: LSM6DS3Chip.wireFormat)
      lsm6ds3 = started(LSM6DS3(wire), chip.settings, &channels)
    case .bmi160:
      let wire = SPIConnection(Tape.spi, format: BMI160Chip.wireFormat)
      bmi160 = started(BMI160(wire), chip.settings, &channels)
    case .lis3mdl:
      let wire = I2CConnection(Tape.i2c, address: chip.address, format: LIS3MDLChip.wireFormat)
      lis3mdl = started(LIS3MDL(wire), chip.settings, &channels)
    case .bmp280:
      let wire = I2CConnection(Tape.i2c, address: chip.address, format: BMP280Chip.wireFormat)
      bmp280 = started(BMP280(wire), chip.settings, &channels)
    }
  }
  var pipeline = Pipeline(channels: channels)
  Tape.rewind()
  while let (index, event) = Tape.nextStep() {
    switch Tape.chip(index).kind {
    case .mpu6050: pipeline.step(&mpu6050, index, event)
    case .lsm6ds3: pipeline.step(&lsm6ds3, index, event)
    case .bmi160: pipeline.step(&bmi160, index, event)
    case .lis3mdl: pipeline.step(&lis3mdl, index, event)
    case .bmp280: pipeline.step(&bmp280, index, event)
    }
  }
  for index in 0..<Tape.chipCount {
    switch Tape.chip(index).kind {
    case .mpu6050: pipeline.end(&mpu6050, index)
    case .lsm6ds3: pipeline.end(&lsm6ds3, index)
    case .bmi160: pipeline.end(&bmi160, index)
    case .lis3mdl: pipeline.end(&lis3mdl, index)
    case .bmp280: pipeline.end(&bmp280, index)
    }
  }
  finish(&pipeline)
}

/// Configures and starts the driver; adds its channels to `channels`.
func started<Driver: SensorDriver & ~Copyable>(
  _ driver: consuming Driver, _ settings: SensorSettings, _ channels: inout ChannelSet
) -> Driver {
  // If the settings are refused, the driver makes none of the recorded requests.
  _ = try? driver.configure(settings)
  channels.formUnion(driver.channels)
  driver.start()
  return driver
}

func finish(_ pipeline: inout Pipeline) {
  let movement = pipeline.movement.movement
  pipeline.output.add(letter: "T")
  pipeline.output.add(number: Int64(movement.counts.steps))
  pipeline.output.add(number: Int64(movement.counts.floorsAscended))
  pipeline.output.add(number: Int64(movement.counts.floorsDescended))
  // These instruction counts are not compared with Linux.
  pipeline.output.add(pipeline.nothing, 0)
  pipeline.output.add(pipeline.decoding, 1)
  pipeline.output.add(pipeline.fusion, 2)
  pipeline.output.add(pipeline.heading, 3)
  pipeline.output.add(pipeline.recognition, 4)
  pipeline.output.add(size: Int(Tape.divergences), 0)
  pipeline.output.add(size: Int(stack_used()), 1)
  pipeline.output.add(size: Int(static_size()), 2)
  pipeline.output.add(size: MemoryLayout<MPU6050<OverI2C>>.size, 3)
  pipeline.output.add(size: MemoryLayout<LSM6DS3<OverI2C>>.size, 4)
  pipeline.output.add(size: MemoryLayout<BMI160<OverSPI>>.size, 5)
  pipeline.output.add(size: MemoryLayout<LIS3MDL<OverI2C>>.size, 6)
  pipeline.output.add(size: MemoryLayout<BMP280<OverI2C>>.size, 7)
  pipeline.output.add(size: MemoryLayout<RawBatch>.size, 8)
  pipeline.output.add(size: MemoryLayout<MotionEstimator>.size, 9)
  pipeline.output.add(size: MemoryLayout<MovementEstimator>.size, 10)
  pipeline.output.add(size: MemoryLayout<StepRecognizer>.size, 11)
  pipeline.output.flush()
}
