// SPDX-License-Identifier: Apache-2.0
@preconcurrency import CoreMotion

// Handlers wrapped for async and await, as packages write it.

extension CMPedometer {
  func steps(from start: Date, to end: Date) async throws -> Int {
    try await withCheckedThrowingContinuation { continuation in
      queryPedometerData(from: start, to: end) { data, error in
        if let error = error {
          continuation.resume(throwing: error)
        } else {
          continuation.resume(returning: data?.numberOfSteps.intValue ?? 0)
        }
      }
    }
  }
}

extension CMMotionActivityManager {
  func activityNames(from start: Date, to end: Date) async throws -> [Date] {
    let queue = OperationQueue()
    return try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<[Date], Error>) in
      self.queryActivityStarting(from: start, to: end, to: queue) { activities, error in
        if let error { return continuation.resume(throwing: error) }
        continuation.resume(returning: (activities ?? []).map(\.startDate))
      }
    }
  }
}

struct MotionValue: Sendable {
  let time: TimeInterval
  let roll: Double
  let acceleration: CMAcceleration
}

func motions(hertz: Double) -> AsyncStream<MotionValue> {
  AsyncStream { continuation in
    let manager = CMMotionManager()
    manager.deviceMotionUpdateInterval = 1 / hertz
    manager.startDeviceMotionUpdates(to: OperationQueue()) { motion, error in
      guard let motion else { return continuation.finish() }
      continuation.yield(
        MotionValue(
          time: motion.timestamp, roll: motion.attitude.roll, acceleration: motion.userAcceleration)
      )
    }
    continuation.onTermination = { @Sendable _ in manager.stopDeviceMotionUpdates() }
  }
}

func throwingMotions() -> AsyncThrowingStream<CMAcceleration, any Error> {
  let (stream, continuation) = AsyncThrowingStream<CMAcceleration, any Error>.makeStream()
  let manager = CMMotionManager()
  manager.startAccelerometerUpdates(to: .init()) { data, error in
    if let error { continuation.finish(throwing: error) }
    if let data { continuation.yield(data.acceleration) }
  }
  continuation.onTermination = { _ in manager.stopAccelerometerUpdates() }
  return stream
}

actor MotionStore {
  private let manager = CMMotionManager()
  private var values: [CMAcceleration] = []

  func start() {
    manager.startAccelerometerUpdates(to: OperationQueue()) { [weak self] data, _ in
      guard let acceleration = data?.acceleration else { return }
      Task { await self?.add(acceleration) }
    }
  }

  func add(_ value: CMAcceleration) { values.append(value) }

  func stop() { manager.stopAccelerometerUpdates() }
}
