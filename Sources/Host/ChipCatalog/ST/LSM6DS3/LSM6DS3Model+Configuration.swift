// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Registers

// The chip's register settings, as numbers for the model.
extension LSM6DS3Model {
  /// The accelerometer's rate code; `nil` while it is powered down. The code for 1.6 Hz is -2, so
  /// that each code stands for half the rate of the next code: 12.5, 6.25, 3.125, 1.6 Hz.
  private var accelCode: Int? {
    let code = registers[map.ctrl1Xl.address] >> 4
    if code == 0x0B, family == .lsm6ds3trc {
      // The rate code 0x0B means 1.6 Hz in low power, and 12.5 Hz otherwise.
      return registers[map.ctrl6C]({ $0.xlHmMode }) == true ? -2 : 1
    }
    return (1...10).contains(code) ? Int(code) : nil
  }

  /// The gyroscope's rate code, at most the code for 1660 Hz; `nil` while it is powered down.
  private var gyroCode: Int? {
    let code = registers[map.ctrl2G.address] >> 4
    return (1...8).contains(code) ? Int(code) : nil
  }

  private var fastest: Int? {
    guard let accel = accelCode, let gyro = gyroCode else { return accelCode ?? gyroCode }
    return max(accel, gyro)
  }

  private func hertz(_ code: Int) -> Double {
    code < 0 ? 1.6 : LSM6DS3Map.OutputRate(rawValue: UInt8(code))?.hertz ?? 0
  }

  /// The chip's output rate in Hz, which is the rate of the faster sensor; 0 if both sensors are
  /// powered down.
  var rate: Double { fastest.map(hertz) ?? 0 }

  var accelRate: Double { accelCode.map(hertz) ?? 0 }

  var gyroRate: Double { gyroCode.map(hertz) ?? 0 }

  /// Returns how many samples the faster sensor takes per sample of the sensor with `code`; 0 if
  /// that sensor is off. Each rate is half of the next.
  private func every(_ code: Int?) -> Int {
    guard let code, let fastest else { return 0 }
    return 1 << (fastest - code)
  }

  var accelEvery: Int { every(accelCode) }
  var gyroEvery: Int { every(gyroCode) }

  /// The number of samples of the faster sensor per sample in the FIFO. The FIFO is never faster
  /// than the sensors.
  var queueEvery: Int {
    let code = Int((registers[map.fifoCtrl5.address] >> 3) & 0x0F)
    guard code > 0, let fastest else { return 0 }
    return every(min(code, fastest))
  }

  /// The number of FIFO words per sample of both sensors, without decimation.
  var wordsPerSample: Int {
    let control = registers[map.fifoCtrl3]
    let mode = registers[map.fifoCtrl5]({ $0.fifoMode }) ?? .bypass
    guard queueEvery > 0, mode != .bypass, mode != .bypassUntilTrigger else { return 0 }
    return ((control({ $0.decFifoGyro }) ?? .absent) == .absent ? 0 : 3)
      + ((control({ $0.decFifoXl }) ?? .absent) == .absent ? 0 : 3)
      + (timerDecimation == 0 ? 0 : 3)
  }

  /// The number of words after which the FIFO's pattern of sensor words repeats.
  var patternLength: Int {
    let control = registers[map.fifoCtrl3]
    let factors: InlineArray<3, Int> = [
      control({ $0.decFifoGyro })?.factor ?? 0, control({ $0.decFifoXl })?.factor ?? 0,
      timerDecimation,
    ]
    // The pattern repeats after the least common multiple of the decimation factors.
    var cycle = 1
    for index in factors.indices where factors[index] > 0 {
      let step = cycle
      while cycle % factors[index] != 0 { cycle += step }
    }
    var words = 0
    for index in factors.indices where factors[index] > 0 { words += 3 * cycle / factors[index] }
    return words
  }

  var watermark: Int {
    Int(registers[map.fifoCtrl2.address] & family.countHighMask) << 8
      | Int(registers[map.fifoCtrl1.address])
  }

  /// The setting STOP_ON_FTH, which is in different registers on the two register maps.
  var stopsOnWatermark: Bool {
    family == .lsm6ds3
      ? registers[map.ctrl4C]({ $0.stopOnFth }) == true
      : registers[map.fifoCtrl4.address] & 0x80 != 0
  }

  var queueLimit: Int { stopsOnWatermark ? min(watermark, queue.capacity) : queue.capacity }

  var isAtWatermark: Bool { watermark > 0 && queue.count >= watermark }

  func queueStatus(_ register: UInt8) -> UInt8 {
    switch register {
    case map.fifoStatus1.address: return UInt8(truncatingIfNeeded: queue.count)
    case map.fifoStatus2.address:
      var flags: UInt8 = UInt8(truncatingIfNeeded: queue.count >> 8) & family.countHighMask
      if isAtWatermark { flags |= 0x80 }
      if queue.hasOverrun { flags |= 0x40 }
      if isNearlyFull { flags |= 0x20 }
      if queue.count == 0 { flags |= 0x10 }
      return flags
    case map.fifoStatus3.address: return UInt8(truncatingIfNeeded: queue.place)
    default: return UInt8(queue.place >> 8) & 0x03
    }
  }

  /// The FIFO's "smart" full flag, which is set when the next sample will not fit.
  var isNearlyFull: Bool { queue.count + max(wordsPerSample, 1) > queue.capacity }

  /// The setting DRDY_PULSED, which exists only on the newer register map.
  var isPulsed: Bool {
    family == .lsm6ds3trc && registers[map.orientCfgG.address] & 0x80 != 0
  }
}
