// SPDX-License-Identifier: Apache-2.0
public import Fusion
public import Quantities
public import Recognition
public import Registers

/// A source of samples: a board in this process, a service, a recording, a script.
///
/// A source feeds a pipeline between `start` and `stop`. Its channels, rates and location are known
/// before it starts.
public protocol MotionSource: AnyObject, Sendable {
  /// The name for people: that of the board, or the file of the recording.
  var name: String { get }
  /// The kind of source; `other` by default.
  var kind: MotionSourceKind { get }
  /// The sampled channels.
  var channels: ChannelSet { get }
  /// Returns the sample rate of `channel` in Hz; `nil` if the channel is not sampled or the rate is
  /// unknown.
  func rate(of channel: Channel) -> Double?
  /// The location of the source, on which motion depends; `nil` if unknown.
  var location: Location? { get }
  /// The direction of north at that location; `nil` if the location is unknown.
  var trueNorth: TrueNorth? { get }
  /// The pipeline that computes motion from the source's samples.
  var pipeline: MotionPipeline { get }
  /// True if samples do not come from a board's chips: a simulation, a recording, a script.
  var isMadeUp: Bool { get }
  /// The settings for the person who carries the device, and for counting and storing steps.
  var pedometer: PedometerSettings { get }
  /// The index in the pipeline of the chip with a step counter; `nil` if steps are recognised in
  /// the samples.
  var stepCounter: Int? { get }
  /// Fusion's current estimates of the sensors' errors.
  var calibration: CalibrationState { get }
  /// The current reports of all chips; empty if there are no chips.
  var report: [ChipReport] { get }

  /// True if the source's devices are present now.
  var isPresent: Bool { get }
  /// Opens the devices that `start` opens, and closes them again, to test permissions. Throws the
  /// error that `start` would throw now; has no effect while the source runs.
  func tryOpening() throws(SessionError)
  /// Starts to feed the pipeline; has no effect while the source runs.
  func start() throws(SessionError)
  /// Returns true once all samples measured before this call are in the pipeline; false if
  /// `deadline` passes before.
  func flush(until deadline: Timestamp) async -> Bool
  /// Stops feeding the pipeline, and returns when it has stopped. Do not call it from a consumer's
  /// `receive`.
  func stop()
  /// Sets the combined demand of all users, before the start and at each change. The source may do
  /// less work but still delivers at least the demand, as far as possible; by default it delivers
  /// everything. Must return immediately.
  func want(_ demand: SampleDemand)

  /// Returns the name of the chip with this index in the pipeline, for people.
  func name(ofChip index: Int) -> String
  /// Returns the channels for which the chip with this index in the pipeline is used.
  func channels(ofChip index: Int) -> ChannelSet
  /// Returns one sentence for people: the reason why that chip does not respond, and the first
  /// thing to check.
  func sentence(for error: ChipError, ofChip index: Int) -> String
}

extension MotionSource {
  /// The angle from true to magnetic north in radians, east positive; `nil` if the location is
  /// unknown.
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

  /// True if the source can count steps, with a chip's step counter or from acceleration samples.
  public var countsSteps: Bool { stepCounter != nil || has(.acceleration) }

  /// Returns true if the source samples all of `channels`.
  public func has(_ channels: ChannelSet) -> Bool { self.channels.isSuperset(of: channels) }
}
