// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Quantities
internal import Registers
internal import Sensors

// The offset registers and their fast compensation (FOC), and the self-test, which also adds an
// offset. Addresses, steps and targets are from the data sheet (BST-BMI160-DS000-07, FOC_CONF and
// OFFSET) and from Bosch's driver (BMI160_SensorAPI). The driver's README says that a reset
// discards offsets that are not in the permanent memory.
extension BMI160Model {
  /// The sizes of one count of the offset registers, in g and rad/s.
  private static var accelStep: Double { 0.0039 }
  private static var gyroStep: Double { radians(fromDegrees: 0.061) }

  /// Adds the effects of the self-test and of the offset registers to the measurements.
  func disturb(_ reading: inout ChipReading) {
    let test = registers[map.selfTest]
    if test({ $0.accSelfTestEn }) == 1 {
      // The self-test passes if the second deflection exceeds the first by 2 g.
      let push = test({ $0.accSelfTestAmp }) == true ? 1.25 : 0.625
      let way = test({ $0.accSelfTestSign }) == true ? -push : push
      reading.specificForce += Vector3(way, way, way)
    }
    if registers[map.offset6]({ $0.accOffEn }) == true {
      reading.specificForce +=
        Vector3(accelOffset(0), accelOffset(1), accelOffset(2)) * Self.accelStep
    }
    if registers[map.offset6]({ $0.gyrOffEn }) == true {
      reading.rotationRate +=
        Vector3(gyroOffset(0), gyroOffset(1), gyroOffset(2)) * Self.gyroStep
    }
  }

  private func accelOffset(_ axis: UInt8) -> Double {
    Double(Int8(bitPattern: registers[map.offset.address + axis]))
  }

  /// Returns the ten-bit offset of an axis, whose two highest bits are in a register that all axes
  /// share.
  private func gyroOffset(_ axis: UInt8) -> Double {
    let high = UInt16(registers[map.offset6.address] >> (2 * axis) & 0x03)
    let bits = high << 8 | UInt16(registers[map.offset[3].address + axis])
    return Double(Int16(bitPattern: bits << 6) >> 6)
  }

  /// Sets the offset registers to values with which the outputs are those requested in FOC_CONF: 0,
  /// 1 or -1 g for each axis of the accelerometer, and 0 for the gyroscope.
  func compensate(at time: Timestamp) {
    let reading = input.reading(at: time)
    let request = registers[map.focConf]
    let force = reading.specificForce
    compensate(0, measured: force.x, request({ $0.focAccX }) ?? 0)
    compensate(1, measured: force.y, request({ $0.focAccY }) ?? 0)
    compensate(2, measured: force.z, request({ $0.focAccZ }) ?? 0)
    if request({ $0.focGyrEn }) == true {
      let turn = reading.rotationRate
      setGyroOffset(0, turn.x)
      setGyroOffset(1, turn.y)
      setGyroOffset(2, turn.z)
    }
    registers.change(map.status) { $0.focRdy(true) }
  }

  /// Sets the offset of an axis of the accelerometer. `code` is the requested output: 1 for 1 g, 2
  /// for -1 g, and 3 for 0 g. With code 0 the axis keeps its offset.
  private func compensate(_ axis: UInt8, measured: Double, _ code: UInt8) {
    let targets: InlineArray<4, Double> = [0, 1, -1, 0]
    guard code > 0 else { return }
    let steps = min(max(counts(targets[Int(code & 3)] - measured, 1 / Self.accelStep), -128), 127)
    registers[map.offset.address + axis] = UInt8(truncatingIfNeeded: steps)
  }

  private func setGyroOffset(_ axis: UInt8, _ rate: Double) {
    let bits = UInt16(bitPattern: min(max(counts(-rate, 1 / Self.gyroStep), -512), 511))
    registers[map.offset[3].address + axis] = UInt8(truncatingIfNeeded: bits)
    let shift = 2 * axis
    let others = registers[map.offset6.address] & ~(0x03 << shift)
    registers[map.offset6.address] = others | UInt8(truncatingIfNeeded: bits >> 8 & 0x03) << shift
  }
}
