// SPDX-License-Identifier: Apache-2.0
import CoreMotion

/// A logger as science projects write it: every raw stream has its own queue, and each sample a
/// line.
class SensorLogger {
  let manager = CMMotionManager()
  let queue = OperationQueue()
  private(set) var lines: [String] = []
  let bootDate = Date(timeIntervalSinceNow: -ProcessInfo.processInfo.systemUptime)

  init(frequency: Double) {
    queue.maxConcurrentOperationCount = 1
    manager.accelerometerUpdateInterval = 1.0 / frequency
    manager.gyroUpdateInterval = 1.0 / frequency
    manager.magnetometerUpdateInterval = 1.0 / frequency
    manager.deviceMotionUpdateInterval = 1.0 / frequency
    manager.showsDeviceMovementDisplay = true
  }

  func start() {
    guard manager.isAccelerometerAvailable, !manager.isAccelerometerActive else { return }
    manager.startAccelerometerUpdates(to: queue) { [weak self] (data, error) in
      guard let self = self, let data = data, error == nil else { return }
      self.add("acc", data.timestamp, data.acceleration.x, data.acceleration.y, data.acceleration.z)
    }
    if manager.isGyroAvailable && !manager.isGyroActive {
      manager.startGyroUpdates(
        to: queue,
        withHandler: { [weak self] data, error in
          if let e = error {
            print("gyro: \(e.localizedDescription)")
          }
          if let rate = data?.rotationRate, let time = data?.timestamp {
            self?.add("gyr", time, rate.x, rate.y, rate.z)
          }
        })
    }
    if manager.isMagnetometerAvailable && !manager.isMagnetometerActive {
      let handler: CMMagnetometerHandler = { [unowned self] in
        guard $1 == nil, let item = $0 else { return }
        add("mag", item.timestamp, item.magneticField.x, item.magneticField.y, item.magneticField.z)
      }
      manager.startMagnetometerUpdates(to: queue, withHandler: handler)
    }
  }

  func stop() {
    manager.stopAccelerometerUpdates()
    manager.stopGyroUpdates()
    manager.stopMagnetometerUpdates()
    manager.stopDeviceMotionUpdates()
    queue.cancelAllOperations()
  }

  private func add(_ kind: String, _ time: TimeInterval, _ x: Double, _ y: Double, _ z: Double) {
    let date = bootDate.addingTimeInterval(time)
    lines.append(
      String(format: "%@,%.4f,%.6f,%.6f,%.6f", kind, date.timeIntervalSince1970, x, y, z))
  }
}

/// The same logger with properties instead of handlers, as a game's loop uses them.
final class Pulled {
  private let motion = CMMotionManager()

  func begin() {
    motion.startAccelerometerUpdates()
    motion.startGyroUpdates()
    motion.startMagnetometerUpdates()
    motion.startDeviceMotionUpdates()
  }

  func tilt() -> (x: Double, y: Double)? {
    guard let a = motion.accelerometerData?.acceleration else { return nil }
    return (x: a.x, y: a.y)
  }

  func spin() -> Double {
    if let gyro = motion.gyroData {
      return sqrt(pow(gyro.rotationRate.x, 2) + pow(gyro.rotationRate.y, 2))
    }
    return 0
  }

  func field() -> Double? {
    motion.magnetometerData.map { sqrt($0.magneticField.x * $0.magneticField.x) }
  }

  func spinning(_ threshold: Double) -> CMGyroHandler {
    return { data, _ in
      if let z = data?.rotationRate.z, z > threshold { print("spinning") }
    }
  }

  func isUpright() -> Bool { (motion.deviceMotion?.gravity.y ?? 0) < -0.9 }
}
