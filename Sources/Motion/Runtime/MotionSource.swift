// SPDX-License-Identifier: Apache-2.0
public import Fusion
public import Quantities
public import Recognition
public import Registers

/// A source of samples: a board in this process, a service, a recording or a script.
///
/// A source feeds a pipeline between `start` and `stop`. Its channels, rates and location are known
/// before it starts.
public protocol MotionSource: AnyObject, Sendable {
  /// The name shown to users: the name of the board, or the file of the recording.
  var name: String { get }
  /// The kind of source; `other` by default.
  var kind: MotionSourceKind { get }
  /// The channels that the source samples.
  var channels: ChannelSet { get }
  /// Returns the sample rate of `channel` in Hz; `nil` if the channel is not sampled or the rate is
  /// unknown.
  func rate(of channel: Channel) -> Double?
  /// The location of the source, which affects motion; `nil` if unknown.
  var location: Location? { get }
  /// The direction of north at that location; `nil` if the location is unknown.
  var trueNorth: TrueNorth? { get }
  /// The pipeline that computes motion from the source's samples.
  var pipeline: MotionPipeline { get }
  /// True if the samples do not come from the chips of a board, but from a simulation, a recording
  /// or a script.
  var isMadeUp: Bool { get }
  /// The settings for the person who carries the device, and for counting and storing steps.
  var pedometer: PedometerSettings { get }
  /// The index in the pipeline of the chip that counts steps; `nil` if steps are recognised in the
  /// samples.
  var stepCounter: Int? { get }
  /// The current estimates of the sensors' errors.
  var calibration: CalibrationState { get }
  /// The current reports of all chips; empty if there are no chips.
  var report: [ChipReport] { get }

  /// True if the devices of the source are present now.
  var isPresent: Bool { get }
  /// Opens the devices that `start` opens, and closes them again, to test permissions. Throws the
  /// error that `start` would throw now. Has no effect while the source is running.
  func tryOpening() throws(SessionError)
  /// Starts to feed the pipeline. Has no effect while the source is running.
  func start() throws(SessionError)
  /// Returns true once all samples measured before this call are in the pipeline. Returns false if
  /// `deadline` passes first.
  func flush(until deadline: Timestamp) async -> Bool
  /// Stops feeding the pipeline, and returns when it has stopped. Do not call this function from a
  /// consumer's `receive`.
  func stop()
  /// Sets the combined demand of all users. Called before the start and at each change. The source
  /// may then do less work, but must still deliver at least the demand, as far as possible. By
  /// default it delivers everything. This function must return immediately.
  func want(_ demand: SampleDemand)

  /// Returns the name shown to users of the chip with this index in the pipeline.
  func name(ofChip index: Int) -> String
  /// Returns the channels for which the chip with this index in the pipeline is used.
  func channels(ofChip index: Int) -> ChannelSet
  /// Returns a one-sentence message for users with the reason why that chip does not respond, and
  /// the first thing to check.
  func sentence(for error: ChipError, ofChip index: Int) -> String
}

extension MotionSource {
  /// The angle from true to magnetic north in radians, positive to the east; `nil` if the location
  /// is unknown.
  public var declination: Double? { trueNorth?.declination }

  public var kind: MotionSourceKind { .other }

  public var isMadeUp: Bool { true }

  public var isPresent: Bool { true }

  public func tryOpening() throws(SessionError) {}

  public var pedometer: PedometerSettings { PedometerSettings() }

  public var stepCounter: Int? { nil }

  public var calibration: CalibrationState { pipeline.calibration }

  public func want(_ demand: SampleDemand) {}

  public func flush(until deadline: Timestamp) async -> Bool { true }

  public func name(ofChip index: Int) -> String { name }

  /// True if the source can count steps, either with a chip's step counter or from acceleration
  /// samples.
  public var countsSteps: Bool { stepCounter != nil || has(.acceleration) }

  /// Returns true if the source samples all of `channels`.
  public func has(_ channels: ChannelSet) -> Bool { self.channels.isSuperset(of: channels) }
}
