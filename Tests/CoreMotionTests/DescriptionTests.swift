// SPDX-License-Identifier: Apache-2.0
import CoreMotion
import CoreMotionTesting
import Foundation
import Testing

/// The text that `print` shows of each class for handlers: every property with its value, in the
/// order and format of iPhone logs.
@Suite struct DescriptionTests {
  private static let start = Date(timeIntervalSince1970: 1_541_015_423)
  private static let date = "2018-10-31 19:50:23 +0000"
  private static let end = "2018-10-31 19:50:34 +0000"

  private static func items() -> [(NSObject, String)] {
    let rate = CMRotationRate(x: 0.5, y: -0.25, z: 2)
    return [
      (
        CMAltitudeData(relativeAltitude: 1.5, pressure: 101.25, timestamp: 2797.7),
        "relativeAltitude 1.500000 pressure 101.250000 @ 2797.700000"
      ),
      (
        CMAbsoluteAltitudeData(altitude: -3.5, accuracy: 8.25, precision: 0.125, timestamp: 2),
        "altitude -3.500000 accuracy 8.250000 precision 0.125000 @ 2.000000"
      ),
      (
        CMAmbientPressureData(
          pressure: Measurement(value: 101.25, unit: .kilopascals),
          temperature: Measurement(value: 21.5, unit: .celsius), timestamp: 3),
        "pressure 101.250000 temperature 21.500000 @ 3.000000"
      ),
      (
        CMRecordedPressureData(
          pressure: Measurement(value: 101.25, unit: .kilopascals),
          temperature: Measurement(value: 21.5, unit: .celsius), identifier: 7, startDate: start,
          timestamp: 3),
        "pressure 101.250000 temperature 21.500000 @ 3.000000 identifier 7 startDate \(date)"
      ),
      (
        CMRotationRateData(rotationRate: rate, timestamp: 4),
        "x 0.500000 y -0.250000 z 2.000000 @ 4.000000"
      ),
      (
        CMRecordedRotationRateData(rotationRate: rate, startDate: start, timestamp: 4),
        "x 0.500000 y -0.250000 z 2.000000 @ 4.000000 startDate \(date)"
      ),
      (
        CMRecordedAccelerometerData(
          acceleration: CMAcceleration(x: 0.25, y: 0, z: -1), identifier: 9, startDate: start,
          timestamp: 5),
        "x 0.250000 y 0.000000 z -1.000000 @ 5.000000 identifier 9 startDate \(date)"
      ),
      (
        CMHighFrequencyHeartRateData(
          heartRate: 61.5, confidence: .highest, date: start, timestamp: 6),
        "heartRate 61.500000 confidence 3 date \(date) @ 6.000000"
      ),
      (
        CMHighFrequencyHeartRateData(heartRate: 61.5, confidence: .medium, date: nil, timestamp: 6),
        "heartRate 61.500000 confidence 1 date (null) @ 6.000000"
      ),
      (
        CMFallDetectionEvent(date: start, resolution: .rejected),
        "CMFallDetectionEvent,<date \(date), resolution 2>"
      ),
      (
        CMDyskineticSymptomResult(
          startDate: start, endDate: start + 11, unlikely: 0.75, likely: 0.25),
        "CMDyskineticSymptomResult,<startDate \(date), endDate \(end), percentUnlikely 0.750000, "
          + "percentLikely 0.250000>"
      ),
      (
        CMTremorResult(
          startDate: start, endDate: start + 11, unknown: 0.5, none: 0.25, slight: 0.125,
          mild: 0.0625, moderate: 0.03125, strong: 0.015625),
        "CMTremorResult,<startDate \(date), endDate \(end), percentUnknown 0.500000, percentNone "
          + "0.250000, percentSlight 0.125000, percentMild 0.062500, percentModerate 0.031250, "
          + "percentStrong 0.015625>"
      ),
      (
        CMOdometerData(
          startDate: start, endDate: start + 11, gpsDate: start, deltaDistance: 12.5,
          deltaDistanceAccuracy: 2.5, speed: 1.25, speedAccuracy: 0.5, deltaAltitude: -3,
          verticalAccuracy: 4, originDevice: .remote, slope: 0.0625),
        "CMOdometerData,<startDate \(date), endDate \(end), gpsDate \(date), deltaDistance "
          + "12.500000, deltaDistanceAccuracy 2.500000, speed 1.250000, speedAccuracy 0.500000, "
          + "deltaAltitude -3.000000, verticalAccuracy 4.000000, originDevice 2, slope 0.062500, "
          + "maxAbsSlope (null)>"
      ),
      (
        CMWaterSubmersionEvent(date: start, state: .submerged),
        "CMWaterSubmersionEvent,<date \(date), state 2>"
      ),
      (
        CMWaterSubmersionMeasurement(
          date: start, depth: Measurement(value: 2.5, unit: .meters), pressure: nil,
          surfacePressure: Measurement(value: 101.25, unit: .kilopascals),
          submersionState: .submergedShallow),
        "CMWaterSubmersionMeasurement,<date \(date), depth 2.500000, pressure (null), "
          + "surfacePressure 101.250000, submersionState 200>"
      ),
      (
        CMWaterTemperature(
          date: start, temperature: Measurement(value: 14.5, unit: .celsius), uncertainty: 0.25),
        "CMWaterTemperature,<date \(date), temperature 14.500000, temperatureUncertainty 0.250000>"
      ),
    ]
  }

  @Test func `print says every value of an item`() {
    for (item, text) in Self.items() { #expect("\(item)" == text) }
  }

  /// Classes that `AttitudeTests` compares with iPhone logs, and a list, which reads its items from
  /// the disk.
  private static let others: Set<String> = [
    "CMLogItem", "CMAccelerometerData", "CMGyroData", "CMMagnetometerData", "CMDeviceMotion",
    "CMAttitude", "CMMotionActivity", "CMPedometerData", "CMPedometerEvent", "CMSensorDataList",
  ]

  @Test func `no class of items is left out`() throws {
    let path = URL(filePath: #filePath).deletingLastPathComponent().path() + "symbols.txt"
    let classes = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      .compactMap { line -> String? in
        let words = line.split(separator: "\t")
        return words.count == 2 && words[1] == "class" ? String(words[0]) : nil
      }
    // Classes that are not items: managers, and those that count, measure altitude or record.
    let items = classes.filter {
      !$0.hasSuffix("Manager")
        && !["CMAltimeter", "CMPedometer", "CMSensorRecorder", "CMStepCounter"].contains($0)
    }
    let described = Set(Self.items().map { "\(type(of: $0.0))" }).union(Self.others)
    #expect(items.count > 20 && Set(items) == described)
  }
}
