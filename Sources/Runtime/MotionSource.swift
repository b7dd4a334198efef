// SPDX-License-Identifier: Apache-2.0
public import Fusion
public import Quantities
public import Recognition
public import Registers

/// A source of samples, as everything above sees it: a board of this process, a recording, a
/// script.
///
/// A source feeds a pipeline between `start` and `stop`. Its channels, its rates and its place are
/// known before it starts.
public protocol MotionSource: AnyObject, Sendable {
  /// For people: the board's name, or the recording's file.
  var name: String { get }
  /// The channels that it samples.
  var channels: ChannelSet { get }
  /// The samples per second of `channel`; `nil` where it has none, or the rate is not known.
  func rate(of channel: Channel) -> Double?
  /// The place of the source, as far as motion depends on it.
  var location: Location? { get }
  /// The direction of north at that place; `nil` where the place is not known.
  var trueNorth: TrueNorth? { get }
  /// The pipeline in which its samples meet and become motion.
  var pipeline: MotionPipeline { get }
  /// True where samples come from elsewhere than a board's chips: a simulation, a recording, a
  /// script.
  var isMadeUp: Bool { get }
  /// The person who carries it, and how their steps are counted and kept.
  var pedometer: PedometerSettings { get }
  /// The place in the pipeline of the chip that counts steps by itself; `nil`: they are found in
  /// the samples.
  var stepCounter: Int? { get }
  /// The state of knowledge of the sensors' errors at this moment.
  var calibration: CalibrationState { get }
  /// Reports of every chip until now; none where there are no chips.
  var report: [ChipReport] { get }

  /// True where the devices that it reads are there at this moment.
  var isPresent: Bool { get }
  /// Opens what `start` opens, and closes it again, so that its permissions are known before it
  /// starts. Throws what would keep it from starting now; does nothing in a source that runs.
  func tryOpening() throws(SessionError)
  /// Begins to feed the pipeline. Does nothing in a source that runs.
  func start() throws(SessionError)
  /// Returns when everything that was measured before this call is in the pipeline; false where it
  /// is not by `deadline`.
  func settle(until deadline: Timestamp) async -> Bool
  /// Feeds it nothing more. Returns when that is so. Not to be called from a consumer's `receive`.
  func stop()
  /// Takes the demand of all users together, from now on: before it starts, and whenever that
  /// changes. A source that can do with less work then may do less, but gives at least so much, as
  /// far as it has it; by itself it gives all it has. Returns at once.
  func want(_ demand: SampleDemand)

  /// The name of the chip at this place of the pipeline, for people.
  func name(ofChip index: Int) -> String
  /// Returns the channels that the chip at this place of the pipeline is used for.
  func channels(ofChip index: Int) -> ChannelSet
  /// Returns what keeps that chip silent, and what to look at first: one sentence for people.
  func sentence(for error: ChipError, ofChip index: Int) -> String
}

extension MotionSource {
  /// From true to magnetic north in radians, east positive; `nil` where the place is not known.
  public var declination: Double? { trueNorth?.declination }

  public var isMadeUp: Bool { true }

  public var isPresent: Bool { true }

  public func tryOpening() throws(SessionError) {}

  public var pedometer: PedometerSettings { PedometerSettings() }

  public var stepCounter: Int? { nil }

  public var calibration: CalibrationState { pipeline.calibration }

  public func want(_ demand: SampleDemand) {}

  public func settle(until deadline: Timestamp) async -> Bool { true }

  public func name(ofChip index: Int) -> String { name }

  /// True where it has the means to count steps: a chip that does it, or samples of acceleration.
  public var countsSteps: Bool { stepCounter != nil || has(.acceleration) }

  /// Returns true where it samples all of `channels`.
  public func has(_ channels: ChannelSet) -> Bool { self.channels.isSuperset(of: channels) }
}
