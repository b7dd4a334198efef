// SPDX-License-Identifier: Apache-2.0
import CoreMotion

extension CMMotionActivity {
  var name: String {
    if walking { return "walking" }
    if running { return "running" }
    if cycling { return "cycling" }
    if automotive { return stationary ? "waiting" : "driving" }
    if stationary { return "stationary" }
    return unknown ? "unknown" : "moving"
  }
}

final class ActivityMonitor {
  private let manager = CMMotionActivityManager()
  private let queue = OperationQueue()
  private(set) var newest: CMMotionActivity?

  func start() {
    guard CMMotionActivityManager.isActivityAvailable() else { return }
    if CMMotionActivityManager.authorizationStatus() == .denied { return }
    manager.startActivityUpdates(to: .main) { [weak self] (activity: CMMotionActivity?) in
      guard let activity = activity else { return }
      switch activity.confidence {
      case .high, .medium: self?.newest = activity
      case .low: break
      @unknown default: break
      }
    }
  }

  func history(days: Int, _ done: @escaping ([(String, Date)]) -> Void) {
    let start = Date().addingTimeInterval(-86400 * Double(days))
    manager.queryActivityStarting(from: start, to: Date(), to: queue) { (activities, error) in
      if let error = error as NSError?,
        error.code == Int(CMErrorMotionActivityNotAuthorized.rawValue)
      {
        return done([])
      }
      done((activities ?? []).map { ($0.name, $0.startDate) })
    }
  }

  func stop() { manager.stopActivityUpdates() }

  deinit { manager.stopActivityUpdates() }
}

func ignoring() -> (CMMotionActivityHandler, CMMotionActivityQueryHandler) {
  ({ _ in }, { _, _ in })
}
