// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Quantities
internal import Registers

// The timestamp counter: 24 bits on the chip's oscillator, readable in registers and as the FIFO's
// fourth data set (DocID026899 sections 9.45 to 9.47; AN4650, "timestamp").
extension LSM6DS3Model {
  /// The setting TIMER_EN, which is in different registers on the two register maps.
  private var isTimerEnabled: Bool {
    family == .lsm6ds3
      ? registers[map.tapCfg]({ $0.timerEn }) == true
      : registers[map.ctrl10C.address] & 0x20 != 0
  }

  /// Applies a write of `value` if `register` affects the timestamp counter.
  func updateTimer(written value: UInt8, to register: UInt8) {
    if !isTimerEnabled {
      timerOrigin = nil
    } else if timerOrigin == nil || register == map.timestamp2Reg.address && value == 0xAA {
      timerOrigin = now
    }
  }

  /// Returns the timestamp count at `time`, in units of 25 us with TIMER_HR, otherwise 6.4 ms.
  func timerCount(at time: Timestamp) -> UInt32 {
    guard let origin = timerOrigin else { return 0 }
    let unit = registers[map.wakeUpDur]({ $0.timerHr }) == true ? 25_000.0 : 6_400_000
    let count = Double((time - origin).nanoseconds) * (1 + clockError) / unit
    return UInt32(truncatingIfNeeded: Int64(count)) & 0xFF_FFFF
  }

  /// Returns a byte of the timestamp count: TIMESTAMP0 is the lowest, TIMESTAMP2 the highest.
  func timerByte(_ register: UInt8) -> UInt8 {
    let place = UInt32(register - map.timestamp0Reg.address)
    return UInt8(truncatingIfNeeded: timerCount(at: now) >> (8 * place))
  }

  /// The number of samples per timestamp in the FIFO (its fourth data set); 0 if the FIFO holds no
  /// timestamps.
  var timerDecimation: Int {
    guard registers[map.fifoCtrl2]({ $0.timerPedoFifoEn }) == true else { return 0 }
    return LSM6DS3Map.Decimation(rawValue: registers[map.fifoCtrl4.address] >> 3 & 7)?.factor ?? 0
  }

  /// Returns the FIFO's fourth data set: bits 15...8, 23...16, unused, 7...0 of the timestamp
  /// count, then the steps.
  func timerWords(at time: Timestamp) -> InlineArray<3, UInt16> {
    let count = timerCount(at: time)
    return [
      UInt16(truncatingIfNeeded: count >> 8), UInt16(truncatingIfNeeded: count << 8),
      functions.steps,
    ]
  }
}
