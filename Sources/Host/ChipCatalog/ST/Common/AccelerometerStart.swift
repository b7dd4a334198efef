// SPDX-License-Identifier: Apache-2.0

/// The start of an LSM6 part's accelerometer, whose first samples after power-down or after a
/// change of rate are wrong.
///
/// ST's Linux drivers discard 1, 2 and 3 samples at 52, 104 and 208 Hz
/// (`ST_LSM6DS3H_ACCEL_STD_52HZ` to `_208HZ`, the same for the LSM6DSM), and 3 samples at any rate
/// of the LSM6DS3 (`ST_LSM6DS3_ACCEL_STD`). Chrome OS discards 3 samples of the LSM6DSO (AN5192,
/// tables 12 and 18) and of the LSM6DSV.
struct AccelerometerStart {
  /// The number of samples that are still wrong.
  private var wrong = 0

  /// Begins a start at `rate` in Hz.
  mutating func begin(rate: Double) {
    switch rate {
    case ..<80: wrong = 1
    case ..<150: wrong = 2
    default: wrong = 3
    }
  }

  /// Counts a sample. Returns true if the sample is correct.
  mutating func isOver() -> Bool {
    wrong = max(wrong - 1, -1)
    return wrong < 0
  }
}
