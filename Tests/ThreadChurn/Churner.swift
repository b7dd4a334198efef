// SPDX-License-Identifier: Apache-2.0
import CoreMotion
import Otolith
import SeededRandom

/// The work of one thread: it does random things one after another.
final class Churner {
  private enum Sensor: CaseIterable { case accelerometer, gyro, magnetometer, deviceMotion }

  private var dice: Dice
  private let field: Field
  private let end: TimeInterval
  private var loops: [Task<Void, Never>] = []

  init(_ index: Int, _ field: Field, until end: TimeInterval) {
    dice = Dice(seed: UInt64(index))
    self.field = field
    self.end = end
  }

  func run() {
    while ProcessInfo.processInfo.systemUptime < end {
      let place = dice.roll(6)
      let manager = field.manager(place)
      let sensor = Sensor.allCases[dice.roll(4)]
      switch dice.roll(16) {
      case 0..<3: push(sensor, of: manager)
      case 3: pull(sensor, of: manager)
      case 4..<7: stop(sensor, of: manager)
      case 7, 8: setInterval(of: sensor, of: manager)
      case 9..<12: read(manager)
      case 12: replace(place)
      case 13: beginLoop()
      case 14: endLoop()
      default: Thread.sleep(forTimeInterval: 0.001 * Double(dice.roll(4)))
      }
    }
    while !loops.isEmpty { endLoop() }
  }

  private func replace(_ place: Int) {
    field.replace(place)
    field.count(.replace)
  }

  // MARK: - Managers

  private func push(_ sensor: Sensor, of manager: CMMotionManager) {
    let queue = field.queues[dice.roll(field.queues.count)]
    let handler = handler(SendableBox(manager))
    field.count(.start)
    switch sensor {
    case .accelerometer:
      manager.startAccelerometerUpdates(to: queue) { handler($0?.acceleration.x, $1) }
    case .gyro: manager.startGyroUpdates(to: queue) { handler($0?.rotationRate.x, $1) }
    case .magnetometer:
      manager.startMagnetometerUpdates(to: queue) { handler($0?.magneticField.x, $1) }
    case .deviceMotion:
      manager.startDeviceMotionUpdates(using: frame(), to: queue) {
        handler($0?.attitude.yaw, $1)
      }
    }
  }

  /// Returns a handler that sometimes does something to its own manager, without keeping it alive.
  private func handler(_ box: SendableBox) -> (Double?, (any Error)?) -> Void {
    let field = field
    let habit = dice.roll(6)
    return { value, error in
      field.took(error)
      guard habit < 3, let manager = box.manager else { return }
      field.count(.inHandler)
      switch habit {
      case 0: manager.stopAccelerometerUpdates()
      case 1: manager.gyroUpdateInterval = 0.002
      default: manager.startDeviceMotionUpdates()
      }
    }
  }

  private func frame() -> CMAttitudeReferenceFrame {
    CMAttitudeReferenceFrame(rawValue: 1 << UInt(dice.roll(4)))
  }

  private func pull(_ sensor: Sensor, of manager: CMMotionManager) {
    field.count(.start)
    switch sensor {
    case .accelerometer: manager.startAccelerometerUpdates()
    case .gyro: manager.startGyroUpdates()
    case .magnetometer: manager.startMagnetometerUpdates()
    case .deviceMotion: manager.startDeviceMotionUpdates(using: frame())
    }
  }

  private func stop(_ sensor: Sensor, of manager: CMMotionManager) {
    field.count(.stop)
    switch sensor {
    case .accelerometer: manager.stopAccelerometerUpdates()
    case .gyro: manager.stopGyroUpdates()
    case .magnetometer: manager.stopMagnetometerUpdates()
    case .deviceMotion: manager.stopDeviceMotionUpdates()
    }
  }

  private func setInterval(of sensor: Sensor, of manager: CMMotionManager) {
    let interval = [0, 0.002, 0.01, 0.1][dice.roll(4)]
    field.count(.interval)
    switch sensor {
    case .accelerometer: manager.accelerometerUpdateInterval = interval
    case .gyro: manager.gyroUpdateInterval = interval
    case .magnetometer: manager.magnetometerUpdateInterval = interval
    case .deviceMotion: manager.deviceMotionUpdateInterval = interval
    }
  }

  private func read(_ manager: CMMotionManager) {
    field.count(.read)
    _ = manager.isAccelerometerAvailable
    _ = manager.isAccelerometerActive && manager.isGyroActive && manager.isMagnetometerActive
    _ = manager.isDeviceMotionActive
    _ = manager.accelerometerUpdateInterval + manager.deviceMotionUpdateInterval
    _ = manager.accelerometerData?.acceleration.z
    _ = manager.gyroData?.timestamp
    _ = manager.magnetometerData?.magneticField.y
    _ = manager.attitudeReferenceFrame
    // The attitude is changed in place, which is safe as each reader has its own.
    if let motion = manager.deviceMotion {
      motion.attitude.multiply(byInverseOf: motion.attitude)
      _ = motion.gravity.x + motion.heading
    }
  }

  // MARK: - Streams

  private func beginLoop() {
    if loops.count > 4 { endLoop() }
    let hub = field.hubs[dice.roll(field.hubs.count)]
    let interval: Duration = .milliseconds(dice.roll(3) * 5)
    // Some loops end by themselves, and the others are cancelled.
    let most = dice.roll(2) == 0 ? 20 : Int.max
    field.count(.stream)
    if dice.roll(2) == 0 {
      begin(hub.accelerations(every: interval, buffering: .newest(4)), most)
    } else {
      begin(hub.deviceMotions(in: .xMagneticNorthZVertical, every: interval), most)
    }
    if dice.roll(8) == 0 { hub.resetYaw() }
    _ = hub.calibration
    _ = hub.source?.report
  }

  private func begin<Element>(_ stream: SensorStream<Element>, _ most: Int) {
    let field = field
    loops.append(
      Task.detached {
        var count = 0
        do {
          var loop = stream.makeAsyncIterator()
          while try await loop.next() != nil {
            field.count(.element)
            count += 1
            if count % 8 == 0 { _ = loop.statistics }
            if count >= most { break }
          }
        } catch { field.took(error) }
      })
  }

  private func endLoop() {
    guard !loops.isEmpty else { return }
    field.count(.cancel)
    loops.remove(at: dice.roll(loops.count)).cancel()
  }
}

/// A manager in a box, as a handler holds it.
private final class SendableBox: @unchecked Sendable {  // a weak reference that is set once
  weak let manager: CMMotionManager?
  init(_ manager: CMMotionManager) { self.manager = manager }
}

/// Random numbers that are the same in every run.
private struct Dice {
  private var random: SplitMix
  init(seed: UInt64) { random = SplitMix(state: seed) }

  /// Returns a number in 0 ..< sides.
  mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &random) }
}
