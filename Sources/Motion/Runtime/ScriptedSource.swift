// SPDX-License-Identifier: Apache-2.0
public import Fusion
public import Quantities
public import Recognition
public import Registers
public import Sensors
internal import Logging
internal import Synchronization

/// Sensors that a test controls. Managers and streams receive the samples that the test sends, on
/// the clock of their time stamps. Samples that are sent while the source is not running are lost,
/// as with sleeping sensors. Samples are delivered on the hub's thread, so a test must wait with
/// `MotionHub.flush` before it checks results.
public final class ScriptedSource: MotionSource {
  public let name: String
  public let channels: ChannelSet
  public let location: Location?
  public let trueNorth: TrueNorth?
  public let pipeline: MotionPipeline
  public let pedometer: PedometerSettings
  public let stepCounter: Int?
  private let nominalRate: Double
  /// The names of the chips.
  private let chips: [String]

  private struct State: Sendable {
    var isRunning = false
    var refusal: SessionError?
    var complaint = ""
    /// The number of times that the source was started.
    var starts = 0
    var leftOut: ChannelSet = []
  }
  private let state = Mutex(State())

  /// Creates sensors for `channels` with the nominal rate `rate`, and with a step counter if
  /// `countsSteps` is true. If `chips` is given, each chip of these names samples all channels.
  /// Motion uses the first chip; `MotionHub.attitudes(of:)` returns the motion of each chip.
  public init(
    _ channels: ChannelSet = [
      .acceleration, .rotationRate, .magneticField, .pressure, .temperature,
    ], rate: Double = 100, name: String = "script", location: Location? = nil,
    date: CivilDate = .today, params: FusionEngine.Params = FusionEngine.Params(),
    pedometer: PedometerSettings = PedometerSettings(), countsSteps: Bool = false,
    chips: [String] = []
  ) {
    self.name = name
    self.pedometer = pedometer
    stepCounter = countsSteps ? 0 : nil
    self.channels = channels
    self.location = location
    nominalRate = rate
    trueNorth = TrueNorth(at: location, on: date)
    self.chips = chips.isEmpty ? [name] : chips
    pipeline = MotionPipeline(
      of: self.chips.indices.map { PipelineChip(channels, uses: $0 == 0 ? .all : []) },
      params: params, expectedField: trueNorth?.expectedField)
  }

  /// Publishes a sample, from which fusion computes motion. A channel is published if both the
  /// sample and the source have it; other values are recorded in `leftOut`. At most 4096 samples
  /// are buffered for a listener that does not run, so a longer script must let time pass in
  /// between.
  public func send(_ sample: Sample) { send(sample, from: chips[0]) }

  /// Publishes a sample of one of the source's `chips`. A sample of any other chip is ignored.
  public func send(_ sample: Sample, from chip: String) {
    guard isRunning, let index = chips.firstIndex(of: chip) else { return }
    note(sample)
    pipeline.receive(sample, from: index)
  }

  /// The channels of values that were sent but not published, because the sample's `channels` or
  /// the source lack them. Each channel is logged once. A value of 0 is assumed to be unset, and is
  /// not included.
  public var leftOut: ChannelSet { state.withLock { $0.leftOut } }

  private func note(_ sample: Sample) {
    let set = sample.channels.union(sample.nonzeroChannels)
    let left = set.subtracting(sample.channels.intersection(channels))
    guard !left.isEmpty else { return }
    let new = state.withLock { state in
      defer { state.leftOut.formUnion(left) }
      return left.subtracting(state.leftOut)
    }
    for channel in Channel.allCases where new.contains(channel) {
      let place = sample.channels.contains(channel) ? "'\(name)' has not" : "its 'channels' lack"
      logger.warning(
        "a sample that was sent has a value of \(channel) that is not used: \(place) that channel"
      )
    }
  }

  /// Publishes a motion unchanged; fusion does not run.
  public func send(_ motion: MotionSample) {
    guard isRunning else { return }
    pipeline.receive(motion)
  }

  /// Publishes a detection of a chip.
  public func send(_ detection: Detection) {
    guard isRunning else { return }
    pipeline.receive(detection, from: 0)
  }

  /// Simulates sensors that fail, as if the board had been unplugged. Handlers receive the message
  /// `complaint`. `recover` ends the failure.
  public func fail(_ complaint: String = "the script has unplugged the sensors") {
    state.withLock { $0.complaint = complaint }
    pipeline.chip(0, failed: .bus(.noAcknowledge, register: 0))
  }

  public func recover() { pipeline.chipRecovered(0) }

  /// Makes every later start fail with `error`, such as `.denied()`. With `nil`, starts succeed
  /// again.
  public func refuse(_ error: SessionError?) { state.withLock { $0.refusal = error } }

  public func tryOpening() throws(SessionError) {
    let refusal = state.withLock { $0.isRunning ? nil : $0.refusal }
    if let refusal { throw refusal }
  }

  /// True while the source is running.
  public var isRunning: Bool { state.withLock { $0.isRunning } }

  /// The number of times that the sensors have been started.
  public var starts: Int { state.withLock { $0.starts } }

  public func rate(of channel: Channel) -> Double? {
    channels.contains(channel) ? nominalRate : nil
  }

  public var report: [ChipReport] { [] }

  public func name(ofChip index: Int) -> String {
    chips.indices.contains(index) ? chips[index] : name
  }

  public func channels(ofChip index: Int) -> ChannelSet {
    chips.indices.contains(index) ? channels : []
  }

  public func sentence(for error: ChipError, ofChip index: Int) -> String {
    state.withLock { $0.complaint }
  }

  public func start() throws(SessionError) {
    let (refusal, begins) = state.withLock { state -> (SessionError?, Bool) in
      guard !state.isRunning else { return (nil, false) }
      guard state.refusal == nil else { return (state.refusal, false) }
      state.starts += 1
      state.isRunning = true
      return (nil, true)
    }
    if let refusal { throw refusal }
    if begins { pipeline.begin() }
  }

  public func stop() { state.withLock { $0.isRunning = false } }
}

extension Sample {
  /// The channels whose value is not 0.
  fileprivate var nonzeroChannels: ChannelSet {
    ChannelSet(Channel.allCases.filter { self[$0] != .zero })
  }
}

private let logger = Logger(label: "otolith.script")
