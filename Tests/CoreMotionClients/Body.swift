// SPDX-License-Identifier: Apache-2.0
import CoreMotion

final class FallWatcher: NSObject, CMFallDetectionDelegate {
  let manager = CMFallDetectionManager()

  func start() {
    guard CMFallDetectionManager.isAvailable else { return }
    manager.delegate = self
    if manager.authorizationStatus == .notDetermined {
      manager.requestAuthorization { status in print(status.rawValue) }
    }
  }

  func fallDetectionManager(
    _ fallDetectionManager: CMFallDetectionManager, didDetect event: CMFallDetectionEvent,
    completionHandler handler: @escaping () -> Void
  ) {
    switch event.resolution {
    case .confirmed: print("fell at \(event.date)")
    case .dismissed, .rejected, .unresponsive: break
    @unknown default: break
    }
    handler()
  }

  func fallDetectionManagerDidChangeAuthorization(_ fallDetectionManager: CMFallDetectionManager) {}
}

final class Careless: NSObject, CMFallDetectionDelegate {}

final class Patient: NSObject, CMFallDetectionDelegate {
  func fallDetectionManager(
    _ fallDetectionManager: CMFallDetectionManager, didDetect event: CMFallDetectionEvent
  ) async {
    print("fell at \(event.date)")
  }
}

final class DiveComputer: NSObject, CMWaterSubmersionManagerDelegate {
  private var manager: CMWaterSubmersionManager?
  private(set) var log: [String] = []

  func dive() {
    guard CMWaterSubmersionManager.waterSubmersionAvailable,
      CMWaterSubmersionManager.authorizationStatus == .authorized
    else { return }
    let manager = CMWaterSubmersionManager()
    manager.delegate = self
    if let deepest = manager.maximumDepth { log.append("\(deepest.converted(to: .feet))") }
    self.manager = manager
  }

  func manager(_ manager: CMWaterSubmersionManager, didUpdate event: CMWaterSubmersionEvent) {
    switch event.state {
    case .unknown: log.append("?")
    case .notSubmerged: log.append("dry \(event.date)")
    case .submerged: log.append("wet")
    @unknown default: break
    }
  }

  func manager(
    _ manager: CMWaterSubmersionManager, didUpdate measurement: CMWaterSubmersionMeasurement
  ) {
    let depth: Measurement<UnitLength>? = measurement.depth
    let pressure = measurement.pressure?.converted(to: .bars).value ?? 0
    switch measurement.submersionState {
    case .sensorDepthError, .unknown: return
    case .pastMaxDepth, .approachingMaxDepth: log.append("up!")
    case .notSubmerged, .submergedShallow, .submergedDeep:
      log.append(
        "\(depth?.value ?? 0) \(pressure) \(measurement.surfacePressure) \(measurement.date)")
    @unknown default: break
    }
  }

  func manager(_ manager: CMWaterSubmersionManager, didUpdate measurement: CMWaterTemperature) {
    log.append(
      "\(measurement.temperature) +- \(measurement.temperatureUncertainty) \(measurement.date)")
  }

  func manager(_ manager: CMWaterSubmersionManager, errorOccurred error: Error) {
    log.append(error.localizedDescription)
  }
}

final class TremorStudy {
  let manager = CMMovementDisorderManager()

  func run() {
    guard CMMovementDisorderManager.isAvailable(),
      CMMovementDisorderManager.authorizationStatus() == .authorized
    else { return }
    print(CMMovementDisorderManager.version() ?? "-")
    manager.monitorKinesias(forDuration: 7 * 24 * 3600)
    let end = manager.lastProcessedDate() ?? Date()
    print(manager.monitorKinesiasExpirationDate() as Any)
    let handler: CMTremorResultHandler = { results, error in
      for result in results {
        let total =
          result.percentUnknown + result.percentNone + result.percentSlight + result.percentMild
          + result.percentModerate + result.percentStrong
        print(result.startDate, result.endDate, total)
      }
    }
    manager.queryTremor(from: .distantPast, to: end, withHandler: handler)
    manager.queryDyskineticSymptom(from: .distantPast, to: end) { results, error in
      for result in results {
        print(result.startDate, result.endDate, result.percentLikely, result.percentUnlikely)
      }
    }
  }
}

func noSymptoms() -> CMDyskineticSymptomResultHandler {
  { (_: [CMDyskineticSymptomResult], _) in }
}
let answers = CMFallDetectionEvent.UserResolution(rawValue: 2)
let wet = CMWaterSubmersionEvent.State(rawValue: 2)
let deep = CMWaterSubmersionMeasurement.DepthState(rawValue: 300)
