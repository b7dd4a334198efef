// SPDX-License-Identifier: Apache-2.0
internal import ChipCatalog
public import Quantities
public import Registers
public import Sensors

/// A driver that records each call of its functions. The driver's port records the transfers with
/// the same recorder. Calls and transfers are all input of the driver, so playback repeats the
/// driver's behaviour.
public final class RecordingDriver: ChipDriver {
  private let base: any ChipDriver
  private let port: RecordingPort

  /// Creates a driver that records the calls of `base`, whose port is `port`.
  public init(_ base: any ChipDriver, over port: RecordingPort) {
    self.base = base
    self.port = port
  }

  public var channels: ChannelSet { base.channels }
  public var health: Health { base.health }
  public var now: Timestamp { base.now }
  public var identity: UInt8? { base.identity }
  public var detections: DetectionSet { base.detections }
  public var selfTest: SelfTestReport? { base.selfTest }

  public func range(of channel: Channel, at index: Int) -> Scalar? {
    base.range(of: channel, at: index)
  }

  public func rate(at index: Int) -> Scalar? { base.rate(at: index) }

  public func configure(_ settings: SensorSettings) throws(ChipError) -> SensorSettings {
    try base.configure(settings)
  }

  public func start() {
    port.recorder.addStart(port.chip, at: port.unrecordedNow)
    base.start()
  }

  public func startSelfTest() throws(ChipError) {
    port.recorder.addStart(port.chip, at: port.unrecordedNow, isSelfTest: true)
    try base.startSelfTest()
  }

  public func stop() throws(ChipError) {
    port.recorder.addStop(port.chip, at: port.unrecordedNow)
    defer { port.recorder.addHealth(port.chip, base.health, at: port.unrecordedNow) }
    try base.stop()
  }

  public func step(_ event: Event, into batch: inout RawBatch) throws(ChipError) -> NextStep {
    port.recorder.addStep(port.chip, at: port.unrecordedNow, isEdge: event.edges > 0)
    return try base.step(event, into: &batch)
  }

  public func decode(_ batch: borrowing RawBatch, frame: Int) -> ChipReading {
    base.decode(batch, frame: frame)
  }

  public func decode(_ batch: borrowing RawBatch, _ body: (ChipReading) -> Void) {
    base.decode(batch, body)
  }
}
