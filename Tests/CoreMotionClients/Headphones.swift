// SPDX-License-Identifier: Apache-2.0
import CoreMotion

final class HeadTracker: NSObject, CMHeadphoneMotionManagerDelegate {
  private let manager = CMHeadphoneMotionManager()
  private(set) var connected = false

  override init() {
    super.init()
    manager.delegate = self
  }

  func start() {
    guard manager.isDeviceMotionAvailable, !manager.isDeviceMotionActive,
      CMHeadphoneMotionManager.authorizationStatus() != .denied
    else { return }
    if !manager.isConnectionStatusActive { manager.startConnectionStatusUpdates() }
    manager.startDeviceMotionUpdates()
    let handler: CMHeadphoneMotionManager.DeviceMotionHandler = { motion, _ in
      print(motion?.sensorLocation.rawValue ?? -1)
    }
    manager.startDeviceMotionUpdates(to: OperationQueue.main, withHandler: handler)
    print(manager.deviceMotion?.attitude.pitch ?? 0)
  }

  func stop() {
    manager.stopDeviceMotionUpdates()
    manager.stopConnectionStatusUpdates()
  }

  func headphoneMotionManagerDidConnect(_ manager: CMHeadphoneMotionManager) { connected = true }
  func headphoneMotionManagerDidDisconnect(_ manager: CMHeadphoneMotionManager) {
    connected = false
  }
}

/// A delegate that implements no method; both are optional.
final class Deaf: NSObject, CMHeadphoneMotionManagerDelegate {}

/// A delegate that implements one method.
class HalfDeaf: NSObject {}
extension HalfDeaf: CMHeadphoneMotionManagerDelegate {
  func headphoneMotionManagerDidDisconnect(_ manager: CMHeadphoneMotionManager) {}
}

final class WearerMonitor {
  let manager = CMHeadphoneActivityManager()

  func start() {
    guard CMHeadphoneActivityManager.authorizationStatus() == .authorized else { return }
    if manager.isActivityAvailable && !manager.isActivityActive {
      let handler: CMHeadphoneActivityManager.ActivityHandler = { activity, error in
        print(activity?.walking ?? false, error?.localizedDescription ?? "")
      }
      manager.startActivityUpdates(to: .main, withHandler: handler)
    }
    if manager.isStatusAvailable && !manager.isStatusActive {
      manager.startStatusUpdates(to: .main) { status, _ in
        switch status {
        case .connected: print("on")
        case .disconnected: print("off")
        @unknown default: break
        }
      }
    }
  }

  func stop() {
    manager.stopActivityUpdates()
    manager.stopStatusUpdates()
  }
}

func onStatus() -> CMHeadphoneActivityManager.StatusHandler { { _, _ in } }
let status = CMHeadphoneActivityManager.Status(rawValue: 1)
