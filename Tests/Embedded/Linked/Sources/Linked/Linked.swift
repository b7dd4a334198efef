// SPDX-License-Identifier: Apache-2.0
import CBoard
import Chips
import Fusion
import Quantities
import Recognition
import Registers
import Sensors

/// The board's bus, on which no chip responds.
struct BoardBus: I2CBus {
  var now: Timestamp { .zero }

  mutating func write(_ bytes: Span<UInt8>, to address: UInt8) throws(BusError) {
    let status = bytes.withUnsafeBufferPointer {
      board_write(address, $0.baseAddress, Int32($0.count))
    }
    guard status == 0 else { throw .noAcknowledge }
  }

  mutating func read(
    _ bytes: inout MutableSpan<UInt8>, after register: UInt8, from address: UInt8
  ) throws(BusError) {
    let status = bytes.withUnsafeMutableBufferPointer {
      board_read(address, register, $0.baseAddress, Int32($0.count))
    }
    guard status == 0 else { throw .noAcknowledge }
  }

  static func connection(_ address: UInt8, _ format: WireFormat) -> I2CConnection<BoardBus> {
    I2CConnection(BoardBus(), address: address, format: format)
  }
}

/// Returns true if a driver without a chip reports that no chip responds, after all its functions
/// were called.
@inline(never)
func saysNobodyIsThere<Driver: SensorDriver & ~Copyable>(_ driver: consuming Driver) -> Bool {
  var batch = RawBatch()
  var sum = Vector3.zero
  do throws(ChipError) {
    _ = try driver.configure(SensorSettings())
    driver.start()
    for _ in 0..<4 {
      if case .never = try driver.step(.due, into: &batch) { return false }
      driver.decode(batch) { sum += $0.specificForce }
    }
    try driver.startSelfTest()
    try driver.stop()
    return false
  } catch {
    return error.isNoAcknowledge && sum == .zero
  }
}

extension ChipError {
  var isNoAcknowledge: Bool {
    if case .bus(.noAcknowledge, _) = self { true } else { false }
  }
}

/// Returns true if after two seconds flat and face up gravity points down and no step was counted.
@inline(never)
func isDownFound() -> Bool {
  var estimator = MotionEstimator(channels: [.acceleration, .rotationRate, .magneticField])
  var gravity = Vector3.zero
  for count in 0..<100 {
    if let motion = estimator.update(atRest(count)) { gravity = motion.gravity }
  }
  return (gravity - Vector3(0, 0, -1)).norm < 1e-6
}

@inline(never)
func isStandingStill() -> Bool {
  var estimator = MovementEstimator(channels: [.acceleration, .pressure])
  for count in 0..<100 { estimator.update(atRest(count)) }
  estimator.finish()
  return estimator.nextStep() == nil && estimator.movement.counts.steps == 0
}

func atRest(_ count: Int) -> Sample {
  var sample = Sample(timestamp: .zero + .milliseconds(20 * Int64(count)))
  sample.channels = [.acceleration, .rotationRate, .magneticField, .pressure]
  sample.acceleration = Vector3(0, 0, -1)
  sample.magneticField = Vector3(0, 20, -40)
  sample.pressure = 101.325
  return sample
}

/// Checks a row of the test values in NOAA's report on WMM2025: 100 km above 80 degrees north, 0
/// degrees east.
@inline(never)
func isNorthFound() -> Bool {
  do throws(GeomagneticError) {
    guard
      let place = try? GeodeticPosition(
        latitude: 80, longitude: 0, height: 100_000)
    else { return false }
    let field = try GeomagneticModel.wmm2025.field(at: place, year: 2025)
    let difference = Vector3(field.north, field.east, field.down) - Vector3(6.216, 0.0924, 52.5988)
    return difference.norm < 0.0001
  } catch {
    return false
  }
}

/// Returns true if an ideal accelerometer on its six faces has no errors.
@inline(never)
func isIdealFound() -> Bool {
  var positions = SixPositions()
  for axis in 0..<6 {
    var mean = Vector3(axis % 3 == 0 ? 1 : 0, axis % 3 == 1 ? 1 : 0, axis % 3 == 2 ? 1 : 0)
    if axis > 2 { mean = -mean }
    _ = positions.add(StillSegment(mean: mean, spread: 0.001, count: 100))
  }
  do throws(AccelerationFitError) {
    return try positions.solve().offset.norm < 1e-6
  } catch {
    return false
  }
}

/// Returns 0, or the number of the first check that failed.
@_cdecl("linked_firmware")
public func firmware() -> Int32 {
  if !saysNobodyIsThere(BMI160(BoardBus.connection(0x68, BMI160Chip.wireFormat))) { return 1 }
  if !saysNobodyIsThere(BMP280(BoardBus.connection(0x76, BMP280Chip.wireFormat))) { return 2 }
  if !saysNobodyIsThere(LIS3MDL(BoardBus.connection(0x1C, LIS3MDLChip.wireFormat))) { return 3 }
  if !saysNobodyIsThere(LSM6DS3(BoardBus.connection(0x6A, LSM6DS3Chip.wireFormat))) { return 4 }
  if !saysNobodyIsThere(MPU6050(BoardBus.connection(0x68, MPU6050Chip.wireFormat))) { return 5 }
  if !isDownFound() { return 6 }
  if !isStandingStill() { return 7 }
  if !isNorthFound() { return 8 }
  if !isIdealFound() { return 9 }
  return 0
}
