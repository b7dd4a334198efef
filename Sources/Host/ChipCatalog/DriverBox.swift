// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Registers
internal import Sensors

/// An object that holds one driver. It is used instead of `any SensorDriver & ~Copyable`, because
/// Swift 6.3 would treat a call that borrows the batch as a call that consumes the driver.
final class DriverBox<Driver: SensorDriver & ~Copyable>: ChipDriver {
  // Exclusivity checks are off because accesses cannot overlap: only one thread uses the box, and a
  // driver calls nothing that refers to its box. A check at each call would cost as much as the
  // call.
  @safe @exclusivity(unchecked) private var driver: Driver

  // The functions that are called for each sample are closures over the concrete driver, so that
  // the compiler specialises them. Methods of a generic class would be compiled once for all types.
  private let stepping: (DriverBox, Event, inout RawBatch) throws(ChipError) -> NextStep
  private let decoding: (DriverBox, borrowing RawBatch, (ChipReading) -> Void) -> Void

  @inline(__always)
  init(_ driver: consuming Driver) {
    self.driver = driver
    stepping = { box, event, batch throws(ChipError) in
      try box.driver.step(event, into: &batch)
    }
    decoding = { box, batch, body in box.driver.decode(batch, body) }
  }

  var channels: ChannelSet { driver.channels }

  var health: Health { driver.health }

  var now: Timestamp { driver.now }

  var identity: UInt8? { driver.identity }

  var detections: DetectionSet { driver.detections }

  var selfTest: SelfTestReport? { driver.selfTest }

  func range(of channel: Channel, at index: Int) -> Scalar? { driver.range(of: channel, at: index) }

  func rate(at index: Int) -> Scalar? { driver.rate(at: index) }

  func configure(_ settings: SensorSettings) throws(ChipError) -> SensorSettings {
    try driver.configure(settings)
  }

  func start() { driver.start() }

  func startSelfTest() throws(ChipError) { try driver.startSelfTest() }

  func stop() throws(ChipError) { try driver.stop() }

  func step(_ event: Event, into batch: inout RawBatch) throws(ChipError) -> NextStep {
    try stepping(self, event, &batch)
  }

  func decode(_ batch: borrowing RawBatch, frame: Int) -> ChipReading {
    driver.decode(batch, frame: frame)
  }

  func decode(_ batch: borrowing RawBatch, _ body: (ChipReading) -> Void) {
    decoding(self, batch, body)
  }
}
