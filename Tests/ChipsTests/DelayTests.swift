// SPDX-License-Identifier: Apache-2.0
import Chips
import Sensors
import Testing

/// The delays of samples, typed from the documents.
@Suite struct DelayTests {
  /// RM-MPU-6000A section 4.3: the filter of 98 Hz delays the gyroscope by 2.8 ms and the
  /// accelerometer by 3.0 ms; the other rows correspond.
  @Test(arguments: [
    (1000.0, nil, 1.9, 2.0), (200, nil, 2.8, 3.0), (100, nil, 4.8, 4.9), (50, nil, 8.3, 8.5),
    (25, nil, 13.4, 13.8), (10, nil, 18.6, 19.0), (1000, 5.0, 18.6, 19.0),
  ])
  func `an MPU-6050's delays are those of its register map`(
    _ rate: Double, _ bandwidth: Double?, _ gyro: Double, _ accel: Double
  ) {
    let delays = MPU6050Chip.delays(
      of: SensorSettings(rate: rate, bandwidth: bandwidth), identity: 0x68)
    #expect(abs(delays.rotationRate - gyro / 1000) < 1e-12)
    #expect(abs(delays.acceleration - accel / 1000) < 1e-12)
    #expect(delays.magneticField == 0)
  }

  /// RM-MPU-6500A section 4.5: the delay at 41 Hz is 5.9 ms.
  @Test func `an MPU-6500's delay at 41 Hz is 5900 microseconds`() {
    let delays = MPU6050Chip.delays(of: SensorSettings(rate: 100), identity: 0x70)
    #expect(abs(delays.rotationRate - 0.0059) < 1e-12)
  }

  @Test func `chips that sleep between samples have hardly a delay`() {
    var settings = SensorSettings(rate: 20)
    settings.power = .low
    #expect(MPU6050Chip.delays(of: settings, identity: 0x68) == StreamDelays())
    #expect(LSM6DS3Chip.delays(of: settings, family: .lsm6ds3trc) == StreamDelays())
    // The mean of four samples at 1600 Hz is 1.5 sample periods old.
    #expect(abs(BMI160Chip.delays(of: settings).acceleration - 1.5 / 1600) < 1e-12)
  }

  /// The data sheet gives 39.9 Hz at 100 Hz, and half of that with 2 times oversampling: sqrt(2) /
  /// (2 pi 39.9) s is 5.64 ms.
  @Test func `a BMI160's delays follow from its bandwidth`() {
    let delays = BMI160Chip.delays(of: SensorSettings(rate: 100))
    #expect(abs(delays.rotationRate - 0.005641) < 1e-6)
    let half = BMI160Chip.delays(of: SensorSettings(rate: 100, bandwidth: 25))
    #expect(abs(half.rotationRate - 0.011282) < 1e-6)
  }

  /// At 104 Hz the bandwidth is 52 Hz: sqrt(2) / (2 pi 52) s is 4.33 ms.
  @Test func `an LSM6DS3's delays follow from its rate`() {
    let delays = LSM6DS3Chip.delays(of: SensorSettings(rate: 104), family: .lsm6ds3trc)
    #expect(abs(delays.acceleration - 0.004328) < 1e-6)
    #expect(abs(delays.rotationRate - 0.006493) < 1e-6)
  }

  /// In the highest performance mode it converts 155 times per second, so a sample is the mean over
  /// 6.45 ms.
  @Test func `a LIS3MDL's delay is half a conversion`() {
    let slow = LIS3MDLChip.delays(of: SensorSettings(rate: 80))
    #expect(abs(slow.magneticField - 0.003226) < 1e-6)
    let fast = LIS3MDLChip.delays(of: SensorSettings(rate: 1000))
    #expect(abs(fast.magneticField - 0.0005) < 1e-12)
  }
}
