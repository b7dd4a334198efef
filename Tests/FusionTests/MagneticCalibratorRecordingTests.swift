// SPDX-License-Identifier: Apache-2.0
import Fusion
import Quantities
import Testing

@Suite("Magnetic calibration of a recording")
struct MagneticCalibratorRecordingTests {
  /// Returns the calibration after the recording of a calibrated magnetometer, with `planted`
  /// microtesla added.
  private func calibration(
    planted: Vector3, each: (MagneticCalibration) -> Void = { _ in }
  ) throws -> MagneticCalibration {
    var engine = FusionEngine()
    var calibrator = MagneticCalibrator()
    var last: Double?
    for row in try RecordingTests.rows() {
      let time = Timestamp(seconds: row.time)
      engine.update(rotationRate: row.rotationRate, at: time)
      engine.update(acceleration: row.acceleration, at: time)
      calibrator.update(
        magneticField: row.magneticField + planted, attitude: engine.attitude6,
        interval: row.time - (last ?? row.time), headingDrift: engine.gyroBiasSigma)
      last = row.time
      each(calibrator.calibration)
    }
    return calibrator.calibration
  }

  @Test func `a planted offset is found in 24 s of quick turning by hand`() throws {
    for planted in [Vector3(30, -20, 25), Vector3(-80, 60, 10), Vector3(-5, 40, -60)] {
      let found = try calibration(planted: planted)
      #expect((found.hardIron - planted).norm < 2)
      // Trial 7 of BROAD was recorded in a field of about 44.6 microtesla.
      #expect(abs(found.fieldNorm - 44.6) < 1.5)
    }
  }

  @Test func `without hard iron no hard iron is learned`() throws {
    let found = try calibration(planted: .zero) { #expect($0.hardIron == .zero) }
    #expect(found.fieldNorm > 0)
  }
}
