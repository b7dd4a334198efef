// SPDX-License-Identifier: Apache-2.0
import Otolith
import Testing

/// The units of numbers that programs see.
@Suite struct UnitTests {
  /// 0.1 rad is 5.73 degrees; the values written to a file stay in radians.
  @Test func `a heading and its accuracy are both in degrees`() throws {
    var sample = MotionSample(timestamp: Timestamp(nanoseconds: 7))
    sample.contents = [.attitude, .heading]
    sample.headingSigma = 0.1
    var motion = try #require(DeviceMotion(sample, in: .xMagneticNorthZVertical))
    #expect(motion.heading == 270 && abs(motion.headingAccuracy - 5.729578) < 1e-6)
    motion.headingAccuracy = 90
    #expect(abs(motion.headingAccuracy - 90) < 1e-12)
    sample.headingSigma = .pi
    #expect(DeviceMotion(sample, in: .xMagneticNorthZVertical)?.headingAccuracy == 180)
  }

  /// Core Motion's numbers, from its header: CMMagneticFieldCalibrationAccuracyUncalibrated = -1
  /// and so on.
  @Test func `magnetic accuracies are Core Motion's, worst first`() {
    #expect(MagneticAccuracy.allCases == [.uncalibrated, .low, .medium, .high])
    #expect(MagneticAccuracy.allCases.map(\.rawValue) == [-1, 0, 1, 2])
    #expect(MagneticAccuracy.allCases == MagneticAccuracy.allCases.shuffled().sorted())
  }

  /// Shared memory may contain any number.
  @Test func `a number that is not an accuracy gives nil`() {
    var motion = MotionSample(timestamp: .zero)
    motion.magneticAccuracyCode = 2
    #expect(motion.magneticAccuracy == .high)
    motion.magneticAccuracyCode = 77
    #expect(motion.magneticAccuracy == .uncalibrated)
  }

  @Test(
    arguments: [
      (0, "0.000000000 s"), (12_345_678_900, "12.345678900 s"), (-500_000_000, "-0.500000000 s"),
      (7, "0.000000007 s"), (.min, "-9223372036.854775808 s"),
    ] as [(Int64, String)])
  func `times print in seconds`(_ nanoseconds: Int64, _ text: String) {
    #expect("\(Timestamp(nanoseconds: nanoseconds))" == text)
    #expect("\(TimeSpan(nanoseconds: nanoseconds))" == text)
  }

  @Test func `a sample prints its time, and the end of time has a name`() {
    let sample = Altitude(
      timestamp: Timestamp(nanoseconds: 1_500_000_000), pressure: 100, relativeAltitude: 0,
      precision: 1)
    #expect("\(sample)".contains("timestamp: 1.500000000 s,"))
    #expect("\(Timestamp.distantFuture)" == "distant future")
  }
}
