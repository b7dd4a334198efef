// SPDX-License-Identifier: Apache-2.0
import Quantities
import Sensors
import Testing

@Suite struct ChipCorrectionTests {
  /// A bias of 0.5 rad/s at 25 degrees that grows by 0.01 rad/s per kelvin is 0.6 rad/s at 35
  /// degrees.
  @Test func `the bias follows the temperature`() {
    let correction = ChipCorrection(
      ChipCalibration(
        gyroBias: Vector3(0.5, 0, 0), gyroBiasSlope: Vector3(0.01, 0, -0.02),
        gyroBiasTemperature: 25))
    var reading = ChipReading(channels: [.rotationRate, .temperature])
    reading.rotationRate = Vector3(1, 2, 3)
    reading.temperature = 35
    let warm = correction.corrected(reading).rotationRate
    #expect((warm - Vector3(0.4, 2, 3.2)).norm < 1e-15)
    // For a chip that does not measure its temperature, the bias is the one at 25 degrees.
    reading.channels = .rotationRate
    #expect(correction.corrected(reading).rotationRate == Vector3(0.5, 2, 3))
  }

  /// A slope means nothing without the temperature at which the bias was found.
  @Test func `a slope needs its temperature`() {
    let correction = ChipCorrection(ChipCalibration(gyroBiasSlope: Vector3(1, 1, 1)))
    #expect(correction.isIdentity)
  }

  @Test func `the gyroscope's matrix is applied after the bias`() {
    let correction = ChipCorrection(
      ChipCalibration(
        gyroBias: Vector3(1, 0, 0),
        gyroMatrix: Matrix3(rows: Vector3(2, 0, 0), Vector3(0, 1, 0.5), Vector3(0, 0, 1))))
    var reading = ChipReading(channels: .rotationRate)
    reading.rotationRate = Vector3(3, 1, 2)
    #expect(correction.corrected(reading).rotationRate == Vector3(4, 2, 2))
  }

  /// Values of channels that a reading does not hold are zero and stay zero.
  @Test func `other channels stay zero`() {
    let correction = ChipCorrection(
      ChipCalibration(
        gyroBias: Vector3(1, 1, 1), accelerationOffset: Vector3(1, 1, 1),
        hardIron: Vector3(1, 1, 1)))
    var reading = ChipReading(channels: .acceleration)
    reading.specificForce = Vector3(1, 1, 2)
    let corrected = correction.corrected(reading)
    #expect(corrected.specificForce == Vector3(0, 0, 1))
    #expect(corrected.rotationRate == .zero && corrected.magneticField == .zero)
  }

  @Test(arguments: [
    ChipCalibration(gyroBias: Vector3(0, 0, 1)), ChipCalibration(hardIron: Vector3(0, 1, 0)),
    ChipCalibration(accelerationOffset: Vector3(1, 0, 0)),
    ChipCalibration(gyroBiasSlope: Vector3(1, 0, 0), gyroBiasTemperature: 20),
    ChipCalibration(gyroMatrix: Matrix3(rows: .zero, .zero, .zero)),
    ChipCalibration(accelerationMatrix: Matrix3(rows: .zero, .zero, .zero)),
    ChipCalibration(softIronMatrix: Matrix3(rows: .zero, .zero, .zero)),
  ]) func `only an empty calibration is the identity`(_ calibration: ChipCalibration) {
    #expect(!ChipCorrection(calibration).isIdentity)
    #expect(ChipCorrection().isIdentity)
  }

  /// The product specification of the MPU-6050 gives 4.9 ms for its accelerometer's 44 Hz and 2.8
  /// ms for its gyroscope's 98 Hz. The estimate for chips whose makers give none is of that size.
  @Test func `a low-pass filter's delay is about that of the data sheets`() {
    #expect(abs(StreamDelays.lowPass(bandwidth: 44) - 0.0049) < 0.0005)
    #expect(abs(StreamDelays.lowPass(bandwidth: 98) - 0.0028) < 0.0006)
    #expect(StreamDelays.lowPass(bandwidth: 0) == 0)
  }
}
