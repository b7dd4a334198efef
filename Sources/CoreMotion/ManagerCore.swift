// SPDX-License-Identifier: Apache-2.0
internal import Otolith
internal import Synchronization

/// The base of a manager: its four streams, and its place at the hub.
final class ManagerCore: CountingReceiver, Sendable {
  let accelerometer = UpdateStream<CMAccelerometerData>()
  let gyro = UpdateStream<CMGyroData>()
  let magnetometer = UpdateStream<CMMagnetometerData>()
  let deviceMotion = UpdateStream<CMDeviceMotion>()
  private let hub: MotionHub

  /// The frame that the handler of device motion is shown, and what it has been told.
  private struct View: Sendable {
    var frame = ReferenceFrame.xArbitraryZVertical
    /// From true to magnetic north, radians.
    var declination = 0.0
    /// The time since when north has been asked for in vain, seconds; `nil` where nothing is to be
    /// reported any more.
    var inDoubtSince: Double? = .infinity

    /// Looks at a motion whose north is wanted. Returns true once, when north has not been known
    /// for a second: a calibration kept from an earlier run, or a first turn of the hand, may
    /// settle it before.
    mutating func finds(_ motion: MotionSample, at time: Double) -> Bool {
      guard frame == .xMagneticNorthZVertical || frame == .xTrueNorthZVertical,
        motion.contents.contains(.heading), let since = inDoubtSince
      else { return false }
      guard motion.magneticAccuracy <= .low else {
        inDoubtSince = nil
        return false
      }
      inDoubtSince = min(since, time)
      guard time - min(since, time) >= 1 else { return false }
      inDoubtSince = nil
      return true
    }
  }
  private struct State: Sendable {
    var listening: Listening?
    /// The channels of the chips that do not answer.
    var silent: ChannelSet = []
    /// The reason, for people.
    var complaint = ""
  }
  private let state = Mutex(State())
  private let view = Mutex(View())

  init(_ hub: MotionHub) { self.hub = hub }

  var channels: ChannelSet { hub.source?.channels ?? [] }

  /// True where there is no board at all: its file is wrong, or its service does not serve this
  /// program. Then an attempt to open it says why.
  var lacksSource: Bool { hub.source == nil }

  var hasTrueNorth: Bool { hub.source?.declination != nil }

  var frame: ReferenceFrame { view.withLock { $0.frame } }

  /// The frames that the board can give.
  var frames: [ReferenceFrame] {
    let channels = channels
    guard channels.isSuperset(of: [.acceleration, .rotationRate]) else { return [] }
    guard channels.contains(.magneticField) else { return [.xArbitraryZVertical] }
    return ReferenceFrame.allCases.filter { $0 != .xTrueNorthZVertical || hasTrueNorth }
  }

  /// Shows device motion in `frame` from now on.
  func show(in frame: ReferenceFrame) {
    let declination = hub.source?.declination ?? 0
    view.withLock { $0 = View(frame: frame, declination: declination) }
  }

  private var wantsItems: Bool {
    accelerometer.wantsItems || gyro.wantsItems || magnetometer.wantsItems
      || deviceMotion.wantsItems
  }

  /// Makes samples come while a stream is active, and lets the chips sleep when none is. Returns
  /// the error that keeps them from coming.
  func follow() -> NSError? {
    // What stops is stopped outside the lock: it waits for the receiver, which may be in here.
    var going: Listening?
    let (stopped, error) = state.withLock { state -> (Listening?, NSError?) in
      if wantsItems {
        going = state.listening
        guard going == nil else { return (nil, nil) }
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
    going?.demandChanged()
    return error
  }

  /// Notes that the interval of a stream is another.
  func intervalChanged() { state.withLock { $0.listening }?.demandChanged() }

  var demand: SampleDemand {
    var demand = SampleDemand([], motion: deviceMotion.rate)
    demand[.acceleration] = accelerometer.rate
    demand[.rotationRate] = gyro.rate
    demand[.magneticField] = magnetometer.rate
    return demand
  }

  /// The time before which no stream waits for anything.
  var due: Timestamp {
    Timestamp(
      seconds: min(accelerometer.due, gyro.due, magnetometer.due, deviceMotion.due))
  }

  /// The count of samples until now; `motionsPublished` is that of motions.
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
    guard deviceMotion.wants(at: time, number: number) else { return }
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
    var silent: ChannelSet = []
    var complaints: [String] = []
    for (index, chip) in chips.enumerated() {
      guard case .failed(let error) = chip else { continue }
      silent.formUnion(source.channels(ofChip: index))
      complaints.append(source.sentence(for: error, ofChip: index))
    }
    let complaint = complaints.joined(separator: "; ")
    state.withLock { ($0.silent, $0.complaint) = (silent, complaint) }
    // One error when a sensor falls silent, to those who wait for it; data again when it is back.
    let error = motionError(CMErrorNotAvailable, complaint)
    tell(accelerometer, of: .acceleration)
    tell(gyro, of: .rotationRate)
    tell(magnetometer, of: .magneticField)
    tell(deviceMotion, of: motionChannels)
    func tell<Item>(_ stream: UpdateStream<Item>, of channels: ChannelSet) {
      if silent.isDisjoint(with: channels) { stream.isHeard() } else { stream.isSilent(error) }
    }
  }

  /// The channels that device motion is made of.
  var motionChannels: ChannelSet {
    frame == .xArbitraryZVertical
      ? [.acceleration, .rotationRate] : [.acceleration, .rotationRate, .magneticField]
  }

  /// Returns the error that a stream of these channels begins with while their chip is silent.
  func silence(of channels: ChannelSet) -> NSError? {
    state.withLock { state in
      state.listening == nil || state.silent.isDisjoint(with: channels)
        ? nil : motionError(CMErrorNotAvailable, state.complaint)
    }
  }
}

extension SessionError {
  /// The error that a Core Motion handler is given.
  var motionError: NSError {
    CoreMotion.motionError(
      isDenied || isTaken ? CMErrorNotAuthorized : CMErrorNotAvailable, description)
  }
}
