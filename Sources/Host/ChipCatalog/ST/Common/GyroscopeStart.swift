// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The start of an LSM6 part's gyroscope, whose first samples after power-down or after a change of
/// rate are wrong.
///
/// The start takes 35 ms (turn-on time in table 4 of DocID030071 and DS12140), and at low rates a
/// number of samples, which ST's Linux drivers discard (`ST_LSM6DS3H_GYRO_STD_13HZ` to `_208HZ`).
/// Linux's `st_lsm6dsx` discards more: 2, 5, 7, 12, 20 and 36 samples from 12.5 to 416 Hz.
struct GyroscopeStart {
  private var end = Timestamp.zero
  /// The number of samples that are still wrong, regardless of their time.
  private var wrong = 0

  /// Begins a start at `rate` in Hz.
  mutating func begin(at time: Timestamp, rate: Double) {
    end = time + .milliseconds(35)
    switch rate {
    case ..<20: wrong = 2
    case ..<80: wrong = 3
    case ..<150: wrong = 5
    default: wrong = 8
    }
  }

  /// Counts a sample at `time`. Returns true if the sample is correct.
  mutating func isOver(at time: Timestamp) -> Bool {
    wrong = max(wrong - 1, -1)
    return wrong < 0 && time >= end
  }
}
