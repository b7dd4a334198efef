// SPDX-License-Identifier: Apache-2.0
import CoreMotion

final class Swing {
  let manager = CMBatchedSensorManager()

  static var isSupported: Bool {
    CMBatchedSensorManager.isAccelerometerSupported
      && CMBatchedSensorManager.isDeviceMotionSupported
      && CMBatchedSensorManager.authorizationStatus != .denied
  }

  func accelerations() async throws -> Double {
    var peak = 0.0
    for try await batch in manager.accelerometerUpdates() {
      for item in batch { peak = max(peak, abs(item.acceleration.x)) }
      if peak > 10 { break }
    }
    return peak
  }

  func turns() async {
    do {
      for try await batch in manager.deviceMotionUpdates() {
        batch.forEach { print($0.rotationRate.z) }
        if Task.isCancelled { return }
      }
    } catch {
      print((error as NSError).code)
    }
  }

  func byHand() async throws -> Int? {
    var iterator = manager.accelerometerUpdates().makeAsyncIterator()
    let batch: [CMAccelerometerData]? = try await iterator.next()
    var turns = manager.deviceMotionUpdates().makeAsyncIterator()
    return try await turns.next().map { $0.count + (batch?.count ?? 0) }
  }

  func push() {
    guard !manager.isAccelerometerActive, !manager.isDeviceMotionActive else { return }
    manager.startAccelerometerUpdates { batch, error in
      if let batch { print(batch.count) }
    }
    manager.startDeviceMotionUpdates { batch, error in
      if let error { print(error.localizedDescription) }
    }
    print(manager.accelerometerDataFrequency, manager.deviceMotionDataFrequency)
  }

  func pull() -> Int {
    manager.startAccelerometerUpdates()
    manager.startDeviceMotionUpdates()
    return (manager.accelerometerBatch?.count ?? 0) + (manager.deviceMotionBatch?.count ?? 0)
  }

  func stop() {
    manager.stopAccelerometerUpdates()
    manager.stopDeviceMotionUpdates()
  }
}

typealias Batch = CMBatchedSensorManager.AccelerometerUpdates.Element
typealias Turn = CMBatchedSensorManager.DeviceMotionUpdates.Iterator
typealias TurnBatch = CMBatchedSensorManager.DeviceMotionUpdates.Element
typealias Jolt = CMBatchedSensorManager.AccelerometerUpdates.Iterator
