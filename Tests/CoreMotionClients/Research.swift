// SPDX-License-Identifier: Apache-2.0
import CoreMotion

/// Returns a line for an item, as research programs log them.
func line(_ item: Any) -> String? {
  switch item {
  case let item as CMRecordedPressureData:
    return "\(item.identifier) \(item.startDate) \(item.pressure.converted(to: .hectopascals))"
  case let item as CMAmbientPressureData:
    return "\(item.pressure.value) \(item.temperature.converted(to: .fahrenheit).value)"
  case let item as CMRecordedRotationRateData:
    return "\(item.startDate.timeIntervalSince1970) \(item.rotationRate.x)"
  case let item as CMRotationRateData:
    return "\(item.timestamp) \(item.rotationRate.z)"
  case let item as CMHighFrequencyHeartRateData:
    let sure: String
    switch item.confidence {
    case .low: sure = "low"
    case .medium: sure = "medium"
    case .high: sure = "high"
    case .highest: sure = "highest"
    @unknown default: sure = "?"
    }
    return "\(item.heartRate) \(sure) \(item.date?.description ?? "-")"
  case let item as CMOdometerData:
    let speed = item.speedAccuracy < 0 ? nil : Optional(item.speed)
    let origin: String
    switch item.originDevice {
    case .local: origin = "local"
    case .remote: origin = "remote"
    case .unknown: origin = "unknown"
    @unknown default: origin = "?"
    }
    return """
      \(item.startDate) \(item.endDate) \(item.gpsDate) \(item.deltaDistance) \(item.deltaDistanceAccuracy)
      \(speed ?? 0) \(item.deltaAltitude) \(item.verticalAccuracy) \(origin)
      \(item.slope ?? 0) \(item.maxAbsSlope ?? 0)
      """
  default: return nil
  }
}

func byRawValue() -> [Any?] {
  [
    CMOdometerOriginDevice(rawValue: 1), CMHighFrequencyHeartRateDataConfidence(rawValue: 3),
    CMPedometerEventType(rawValue: 1), CMMotionActivityConfidence(rawValue: 2),
    CMAuthorizationStatus(rawValue: 3),
  ]
}
