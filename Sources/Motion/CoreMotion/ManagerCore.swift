// SPDX-License-Identifier: Apache-2.0
internal import Otolith
internal import Synchronization

/// The implementation of a manager: its four streams, and its connection to the hub.
final class ManagerCore: CountingReceiver, Sendable {
  let accelerometer = UpdateStream<CMAccelerometerData>()
  let gyro = UpdateStream<CMGyroData>()
  let magnetometer = UpdateStream<CMMagnetometerData>()
  let deviceMotion = UpdateStream<CMDeviceMotion>()
  private let hub: MotionHub

  /// The reference frame of the stream of device motion, and the state of its calibration error.
  private struct View: Sendable {
    var frame = ReferenceFrame.xArbitraryZVertical
    /// The angle from true to magnetic north in radians.
    var declination = 0.0
    /// The time in seconds since which the compass has not been calibrated; `nil` if the
    /// calibration error was reported or is not needed.
    var uncalibratedSince: Double? = .infinity

    /// Checks a motion in a frame with north. Returns true once, when the compass has been
    /// uncalibrated for a second; the check waits because the first turns of the device may
    /// calibrate the compass.
    mutating func finds(_ motion: MotionSample, at time: Double) -> Bool {
      guard frame == .xMagneticNorthZVertical || frame == .xTrueNorthZVertical,
        motion.contents.contains(.heading), let since = uncalibratedSince
      else { return false }
      guard motion.magneticAccuracy == .uncalibrated else {
        uncalibratedSince = nil
        return false
      }
      uncalibratedSince = min(since, time)
      guard time - min(since, time) >= 1 else { return false }
      uncalibratedSince = nil
      return true
    }
  }
  private struct State: Sendable {
    var listening: RetriedListening?
    /// The channels of the chips that do not respond.
    var silent: ChannelSet = []
    /// The reason why these chips do not respond, as a message for users.
    var complaint = ""
  }
  private let state = Mutex(State())
  private let view = Mutex(View())

  init(_ hub: MotionHub) { self.hub = hub }

  var channels: ChannelSet { hub.source?.channels ?? [] }

  /// The channels of the board's chips, if its devices are present; otherwise empty.
  var presentChannels: ChannelSet { hub.presentChannels ?? [] }

  /// True if there is no board: its file is invalid, its service rejects this program, or none was
  /// found. An attempt to open the board then reports the reason.
  var lacksSource: Bool { hub.source == nil }

  var frame: ReferenceFrame { view.withLock { $0.frame } }

  /// The reference frames that the board supports now.
  var frames: [ReferenceFrame] {
    hub.presentChannels == nil ? [] : ReferenceFrame.allCases.filter(gives)
  }

  /// Returns true if the board has the sensors for `frame`, and the declination for true north.
  func gives(_ frame: ReferenceFrame) -> Bool {
    channels.isSuperset(of: Self.channels(of: frame))
      && (frame != .xTrueNorthZVertical || hub.source?.declination != nil)
  }

  /// Sets the frame for device motion. `first` motions were published before, and an arbitrary
  /// frame begins with the next one. A restart begins a new frame, even if other streams of the
  /// manager are active.
  func show(in frame: ReferenceFrame, from first: UInt64) {
    let declination = hub.source?.declination ?? 0
    view.withLock { $0 = View(frame: frame, declination: declination) }
    state.withLock { $0.listening }?.resetYaw(from: first)
  }

  private var wantsItems: Bool {
    accelerometer.wantsItems || gyro.wantsItems || magnetometer.wantsItems
      || deviceMotion.wantsItems
  }

  /// Begins sampling for a stream that was started. Returns the error if sampling cannot begin yet.
  func begin() -> NSError? {
    let (going, listening) = state.withLock { state in
      let going = state.listening
      let listening =
        going
        ?? RetriedListening { [weak self] () throws(SessionError) -> Listening in
          guard let self else { throw .noBoard([]) }
          return try self.listen()
        }
      // If sampling starts again, chips that did not respond in the previous session must be
      // reported again.
      if going == nil { state.silent = [] }
      state.listening = listening
      return (going, listening)
    }
    // Call `listening.begin()` outside the lock. It may wait for another thread's attempt to open
    // the board, and that attempt takes the lock.
    let error = listening.begin()
    going?.demandChanged()
    // Another thread may have called `stop()` in the meantime.
    if !wantsItems { follow() }
    return error?.motionError
  }

  /// Ends sampling if no stream is active, so that the chips can sleep.
  func follow() {
    // Stop outside the lock. Stopping waits for the receiver, and the receiver may be waiting for
    // the lock.
    var going: RetriedListening?
    let stopped = state.withLock { state -> RetriedListening? in
      if wantsItems {
        going = state.listening
        return nil
      }
      defer { state.listening = nil }
      return state.listening
    }
    stopped?.stop()
    going?.demandChanged()
  }

  private func listen() throws(SessionError) -> Listening {
    let listening = try hub.listen(self)
    // The board may have appeared after the start, so check now whether it supports the frame.
    if deviceMotion.wantsItems {
      let declination = listening.source.declination ?? 0
      view.withLock { $0.declination = declination }
      if !gives(frame) { deviceMotion.refuse(refusal(of: [frame])) }
    }
    return listening
  }

  /// Returns the reason why the board supports none of the requested frames.
  func refusal(of frames: [ReferenceFrame]) -> NSError {
    guard frames.count == 1 else {
      return motionError(CMErrorInvalidParameter, "exactly one reference frame can be used")
    }
    guard channels.isSuperset(of: [.acceleration, .rotationRate]) else {
      return motionError(CMErrorNotAvailable, "the board has no accelerometer and no gyroscope")
    }
    guard channels.contains(.magneticField) else {
      return motionError(CMErrorNotAvailable, "the board has no magnetometer")
    }
    return motionError(
      CMErrorTrueNorthNotAvailable,
      "the board file has no location (latitude-deg and longitude-deg, or declination-deg)")
  }

  /// Updates the demand after a stream's interval has changed.
  func intervalChanged() { state.withLock { $0.listening }?.demandChanged() }

  var demand: SampleDemand {
    var demand = SampleDemand([], motion: deviceMotion.rate)
    demand[.acceleration] = accelerometer.rate
    demand[.rotationRate] = gyro.rate
    demand[.magneticField] = magnetometer.rate
    return demand
  }

  /// The time until which no stream needs an item.
  var due: Timestamp {
    Timestamp(
      seconds: min(accelerometer.due, gyro.due, magnetometer.due, deviceMotion.due))
  }

  /// The number of samples measured so far; `motionsPublished` is the number of motions.
  var samplesPublished: UInt64 { hub.source?.pipeline.samplesMeasured ?? 0 }
  var motionsPublished: UInt64 { hub.source?.pipeline.motionsMeasured ?? 0 }

  func receive(_ sourced: SourcedSample, number: UInt64) {
    let sample = sourced.sample
    let time = sample.timestamp.seconds
    if sample.channels.contains(.acceleration), accelerometer.wants(at: time, number: number) {
      accelerometer.offer(CMAccelerometerData(sample.acceleration, timestamp: time))
    }
    if sample.channels.contains(.rotationRate), gyro.wants(at: time, number: number) {
      gyro.offer(CMGyroData(sample.rotationRate, timestamp: time))
    }
    if sample.channels.contains(.magneticField), magnetometer.wants(at: time, number: number) {
      magnetometer.offer(CMMagnetometerData(sample.magneticField, timestamp: time))
    }
  }

  func receive(_ motion: MotionSample, number: UInt64) {
    let time = motion.timestamp.seconds
    // Skip motions without an attitude, so that they do not use up the interval. The first motion
    // that the handler receives is the first one with an attitude, and has yaw zero.
    guard motion.contents.contains(.attitude), deviceMotion.wants(at: time, number: number)
    else { return }
    let (view, isNew) = view.withLock { view in (view, view.finds(motion, at: time)) }
    if isNew {
      deviceMotion.offer(
        nil,
        motionError(
          CMErrorDeviceRequiresMovement,
          "the compass is not calibrated: turn the device about all its axes"))
    }
    if let item = CMDeviceMotion(motion, frame: view.frame, declination: view.declination) {
      deviceMotion.offer(item)
    }
  }

  func missed(_ count: UInt64) {}

  func chipsChanged(_ chips: [ChipState]) {
    guard let source = hub.source else { return }
    let silence = source.silence(of: chips)
    let (silent, complaint) = (silence?.channels ?? [], silence?.description ?? "")
    state.withLock { ($0.silent, $0.complaint) = (silent, complaint) }
    // When a sensor stops responding, report one error to each stream that uses it; data continue
    // when it responds again.
    let error = motionError(CMErrorNotAvailable, complaint)
    report(accelerometer, of: .acceleration)
    report(gyro, of: .rotationRate)
    report(magnetometer, of: .magneticField)
    report(deviceMotion, of: motionChannels)
    func report<Item>(_ stream: UpdateStream<Item>, of channels: ChannelSet) {
      if silent.isDisjoint(with: channels) {
        stream.markResponding()
      } else {
        stream.markSilent(error)
      }
    }
  }

  /// The channels that device motion needs in the current frame.
  var motionChannels: ChannelSet { Self.channels(of: frame) }

  private static func channels(of frame: ReferenceFrame) -> ChannelSet {
    frame == .xArbitraryZVertical
      ? [.acceleration, .rotationRate] : [.acceleration, .rotationRate, .magneticField]
  }

  /// Returns the error for a stream of these channels if one of their chips does not respond.
  func silence(of channels: ChannelSet) -> NSError? {
    state.withLock { state in
      state.listening == nil || state.silent.isDisjoint(with: channels)
        ? nil : motionError(CMErrorNotAvailable, state.complaint)
    }
  }
}

extension SessionError {
  /// The error in the form that Core Motion handlers receive.
  var motionError: NSError {
    CoreMotion.motionError(
      isDenied || isTaken ? CMErrorNotAuthorized : CMErrorNotAvailable, description)
  }
}
