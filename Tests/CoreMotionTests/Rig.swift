// SPDX-License-Identifier: Apache-2.0
import Boards
import ChipCatalog
import CoreMotion
import Otolith
import MotionSources
import ServedSources
import Synchronization
import Testing

/// Shared by the tests of managers: boards typed here, and items collected from a queue.
enum Rig {
  /// Returns a board at rest without noise: flat, face up, top edge to magnetic north.
  static func text(
    compass: Bool = true, location: String = "", bus: String = "simulated: i2c", rate: Int = 100
  ) -> String {
    let isSimulated = bus.hasPrefix("simulated")
    let interrupt = isSimulated ? "interrupt: simulated" : ""
    return """
      otolith-board: 1
      name: Still board
      buses:
        bus: { \(bus) }
      chips:
        imu:
          chip: invensense,mpu6050
          on: bus
          address: 0x68
          \(interrupt)
          rate-hz: \(rate)
      \(compass ? "  compass: { chip: \"st,lis3mdl\", on: bus, address: 0x1C, rate-hz: 80 }" : "")
      \(location)
      \(isSimulated ? "simulation: { motion: still, noise: false }" : "")

      """
  }

  static func board(_ text: String = text()) throws -> Board {
    try BoardFile.parse(text, file: "still.yaml", catalogue: ChipCatalog.descriptions)
  }

  /// Sets the board of the process's hub, once managers of earlier tests are released on their
  /// threads. Returns the running board.
  @discardableResult static func use(_ text: String = text()) throws -> BoardSession {
    let session = BoardSession(try board(text))
    #expect(eventually { MotionHub.shared.reset() }, "somebody still listens")
    try MotionHub.shared.use(served(session))
    return session
  }

  /// Polls `condition` for at most `seconds`; only a failing test takes that long.
  static func eventually(_ seconds: Double = 30, _ condition: () -> Bool) -> Bool {
    let end = ProcessInfo.processInfo.systemUptime + seconds
    while ProcessInfo.processInfo.systemUptime < end {
      if condition() { return true }
      Thread.sleep(forTimeInterval: 0.005)
    }
    return condition()
  }

  static func queue() -> OperationQueue {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    return queue
  }
}

/// Collects the values and errors that a handler received.
final class Collected<Value: Sendable>: Sendable {
  private struct State: Sendable {
    var values: [Value] = []
    var errors: [NSError] = []
  }
  private let state = Mutex(State())

  func add(_ value: Value?, _ error: (any Error)?) {
    state.withLock { state in
      if let value { state.values.append(value) }
      if let error { state.errors.append(error as NSError) }
    }
  }

  var values: [Value] { state.withLock { $0.values } }
  var errors: [NSError] { state.withLock { $0.errors } }
  var calls: Int { state.withLock { $0.values.count + $0.errors.count } }
}

/// A vector and its time from a Core Motion object, which is not Sendable.
struct Timed: Sendable {
  var time: TimeInterval
  var v: [Double]

  init(_ time: TimeInterval, _ v: [Double]) {
    self.time = time
    self.v = v
  }
}

extension CMAccelerometerData {
  var timed: Timed { Timed(timestamp, [acceleration.x, acceleration.y, acceleration.z]) }
}

extension CMGyroData {
  var timed: Timed { Timed(timestamp, [rotationRate.x, rotationRate.y, rotationRate.z]) }
}

extension CMMagnetometerData {
  var timed: Timed { Timed(timestamp, [magneticField.x, magneticField.y, magneticField.z]) }
}

/// These suites use the process's hub, so one test runs at a time.
@Suite(.serialized, .timeLimit(.minutes(2))) struct HubSuites {}
