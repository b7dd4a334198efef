// SPDX-License-Identifier: Apache-2.0
import CoreMotion
import Observation

@MainActor @Observable final class LevelModel {
  private(set) var roll = 0.0
  private(set) var pitch = 0.0
  private(set) var isRunning = false
  private let manager = CMMotionManager()

  func start() {
    guard manager.isDeviceMotionAvailable else { return }
    manager.startDeviceMotionUpdates(to: .main) { [weak self] motion, error in
      guard let self, let attitude = motion?.attitude else { return }
      self.roll = attitude.roll
      self.pitch = attitude.pitch
    }
    isRunning = true
  }

  func stop() {
    manager.stopDeviceMotionUpdates()
    isRunning = false
  }
}

@MainActor final class StepsModel: NSObject {
  private(set) var steps = 0
  private let pedometer = CMPedometer()

  func start() {
    pedometer.startUpdates(from: Date()) { @Sendable [weak self] data, _ in
      let count = data?.numberOfSteps.intValue ?? 0
      Task { @MainActor in self?.steps = count }
    }
  }

  func today() {
    pedometer.queryPedometerData(from: Calendar.current.startOfDay(for: .now), to: .now) {
      @Sendable data, error in
      guard let steps = data?.numberOfSteps.intValue else { return }
      DispatchQueue.main.async { self.steps = steps }
    }
  }
}

@MainActor final class HeadphoneModel: NSObject, CMHeadphoneMotionManagerDelegate {
  private let manager = CMHeadphoneMotionManager()
  private(set) var isConnected = false

  override init() {
    super.init()
    manager.delegate = self
  }

  nonisolated func headphoneMotionManagerDidConnect(_ manager: CMHeadphoneMotionManager) {
    Task { @MainActor in self.isConnected = true }
  }

  nonisolated func headphoneMotionManagerDidDisconnect(_ manager: CMHeadphoneMotionManager) {
    Task { @MainActor in self.isConnected = false }
  }
}

@MainActor final class DepthModel: NSObject, @preconcurrency CMWaterSubmersionManagerDelegate {
  var depth = 0.0

  func manager(_ manager: CMWaterSubmersionManager, didUpdate event: CMWaterSubmersionEvent) {}
  func manager(
    _ manager: CMWaterSubmersionManager, didUpdate measurement: CMWaterSubmersionMeasurement
  ) {
    depth = measurement.depth?.converted(to: .meters).value ?? 0
  }
  func manager(_ manager: CMWaterSubmersionManager, didUpdate measurement: CMWaterTemperature) {}
  func manager(_ manager: CMWaterSubmersionManager, errorOccurred error: any Error) {}
}
