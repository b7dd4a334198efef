// SPDX-License-Identifier: Apache-2.0
internal import Otolith
internal import Synchronization

/// What stands behind one manager: its four streams, and its place at the hub.
final class ManagerCore: MotionReceiver, Sendable {
  let accelerometer = UpdateStream<CMAccelerometerData>()
  let gyro = UpdateStream<CMGyroData>()
  let magnetometer = UpdateStream<CMMagnetometerData>()
  let deviceMotion = UpdateStream<CMDeviceMotion>()
  private let hub: MotionHub

  private struct State: Sendable {
    var listening: Listening?
    var frame = ReferenceFrame.xArbitraryZVertical
    var failed = false
  }
  private let state = Mutex(State())

  init(_ hub: MotionHub) { self.hub = hub }

  var channels: ChannelSet { hub.session?.channels ?? [] }

  var declination: Double? { hub.session?.board.location?.declination }

  var frame: ReferenceFrame {
    get { state.withLock { $0.frame } }
    set { state.withLock { $0.frame = newValue } }
  }

  private var isActive: Bool {
    accelerometer.isActive || gyro.isActive || magnetometer.isActive || deviceMotion.isActive
  }

  /// Sees to it that samples come while a stream is active, and that the chips may sleep when none is. Returns the error
  /// that keeps them from coming.
  func follow() -> NSError? {
    // What stops is stopped outside the lock: it waits for the receiver, which may be in here.
    let (stopped, error) = state.withLock { state -> (Listening?, NSError?) in
      if isActive {
        guard state.listening == nil else { return (nil, nil) }
        do throws(SessionError) {
          state.listening = try hub.listen(self)
          return (nil, nil)
        } catch { return (nil, error.motionError) }
      }
      defer { state.listening = nil }
      return (state.listening, nil)
    }
    stopped?.stop()
    return error
  }

  func receive(_ sourced: SourcedSample) {
    let sample = sourced.sample
    let time = sample.timestamp.seconds
    if sample.channels.contains(.acceleration), accelerometer.wants(at: time) {
      accelerometer.offer(CMAccelerometerData(sample.acceleration, timestamp: time))
    }
    if sample.channels.contains(.rotationRate), gyro.wants(at: time) {
      gyro.offer(CMGyroData(sample.rotationRate, timestamp: time))
    }
    if sample.channels.contains(.magneticField), magnetometer.wants(at: time) {
      magnetometer.offer(CMMagnetometerData(sample.magneticField, timestamp: time))
    }
  }

  func receive(_ motion: MotionSample) {
    guard deviceMotion.wants(at: motion.timestamp.seconds) else { return }
    if let item = CMDeviceMotion(motion, frame: frame, declination: declination ?? 0) {
      deviceMotion.offer(item)
    }
  }

  func missed(_ count: UInt64) {}

  func chipsChanged(_ chips: [ChipState]) {
    let failure = chips.contains { if case .failed = $0 { true } else { false } }
    let isNew = state.withLock { state in
      defer { state.failed = failure }
      return failure && !state.failed
    }
    // One error when a sensor falls silent; data again when it is back.
    guard isNew else { return }
    let error = motionError(
      CMErrorNotAvailable, "a sensor of the board does not answer; otolith detect tells more")
    accelerometer.offer(nil, error)
    gyro.offer(nil, error)
    magnetometer.offer(nil, error)
    deviceMotion.offer(nil, error)
  }
}

extension SessionError {
  /// What a Core Motion handler is told.
  fileprivate var motionError: NSError {
    CoreMotion.motionError(isDenied ? CMErrorNotAuthorized : CMErrorNotAvailable, description)
  }
}
