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
    /// What the chips measure that do not answer.
    var silent: ChannelSet = []
    /// Why, for people.
    var complaint = ""
  }
  private let state = Mutex(State())

  init(_ hub: MotionHub) { self.hub = hub }

  var channels: ChannelSet { hub.session?.channels ?? [] }

  var declination: Double? { hub.session?.declination }

  var frame: ReferenceFrame {
    get { state.withLock { $0.frame } }
    set { state.withLock { $0.frame = newValue } }
  }

  private var wantsItems: Bool {
    accelerometer.wantsItems || gyro.wantsItems || magnetometer.wantsItems
      || deviceMotion.wantsItems
  }

  /// The frames that the board can give.
  var frames: [ReferenceFrame] {
    let channels = channels
    guard channels.isSuperset(of: [.acceleration, .rotationRate]) else { return [] }
    guard channels.contains(.magneticField) else { return [.xArbitraryZVertical] }
    return ReferenceFrame.allCases.filter { $0 != .xTrueNorthZVertical || declination != nil }
  }

  /// Sees to it that samples come while a stream is active, and that the chips may sleep when none is. Returns the error
  /// that keeps them from coming.
  func follow() -> NSError? {
    // What stops is stopped outside the lock: it waits for the receiver, which may be in here.
    let (stopped, error) = state.withLock { state -> (Listening?, NSError?) in
      if wantsItems {
        guard state.listening == nil else { return (nil, nil) }
        do throws(SessionError) {
          // What was silent in an earlier run is news in this one.
          state.silent = []
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
    guard let board = hub.session?.board, board.chips.count == chips.count else { return }
    var silent: ChannelSet = []
    var complaints: [String] = []
    for (chip, present) in zip(board.chips, chips) {
      guard case .failed(let error) = present else { continue }
      let rows = ChipCatalog.entry(named: chip.chip)?.description.channels ?? []
      for row in rows { silent.insert(ChannelSet(row.channel)) }
      complaints.append(chip.sentence(for: error, on: board.bus(chip.bus)))
    }
    let complaint = complaints.joined(separator: "; ")
    let new = state.withLock { state in
      defer { (state.silent, state.complaint) = (silent, complaint) }
      return silent.subtracting(state.silent)
    }
    // One error when a sensor falls silent, to those who wait for it; data again when it is back.
    let error = motionError(CMErrorNotAvailable, complaint)
    if new.contains(.acceleration) { accelerometer.offer(nil, error) }
    if new.contains(.rotationRate) { gyro.offer(nil, error) }
    if new.contains(.magneticField) { magnetometer.offer(nil, error) }
    if !new.isDisjoint(with: motionChannels) { deviceMotion.offer(nil, error) }
  }

  /// What device motion is made of.
  var motionChannels: ChannelSet {
    frame == .xArbitraryZVertical
      ? [.acceleration, .rotationRate] : [.acceleration, .rotationRate, .magneticField]
  }

  /// The error that a stream of these channels begins with while their chip is silent.
  func silence(of channels: ChannelSet) -> NSError? {
    state.withLock { state in
      state.listening == nil || state.silent.isDisjoint(with: channels)
        ? nil : motionError(CMErrorNotAvailable, state.complaint)
    }
  }
}

extension SessionError {
  /// What a Core Motion handler is told.
  fileprivate var motionError: NSError {
    CoreMotion.motionError(isDenied ? CMErrorNotAuthorized : CMErrorNotAvailable, description)
  }
}
