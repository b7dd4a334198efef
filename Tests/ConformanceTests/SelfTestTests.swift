// SPDX-License-Identifier: Apache-2.0
import Simulation
import ChipCatalog
import Quantities
import Registers
import Sensors
import Boards
import Testing

/// The self-tests that the manufacturers built in.
@Suite struct SelfTestTests {
  static let able = Row.all.filter(\.description.hasSelfTest)

  /// Runs the self-test as a reader would, and returns its duration.
  static func run(_ rig: Rig) throws(ChipError) -> TimeSpan {
    let begin = rig.clock.now
    var batch = RawBatch()
    try rig.driver.startSelfTest()
    var loop = DriverLoop()
    for _ in 0..<20_000 {
      batch.removeAll()
      loop.take(try rig.driver.step(.due, into: &batch), at: rig.clock.now)
      if loop.isOver { return rig.clock.now - begin }
      rig.clock.advance(to: loop.due)
    }
    return .seconds(1000)
  }

  @Test(arguments: able)
  func `a self-test passes, and streaming goes on as before`(_ row: Row) throws {
    let rig = Rig(row)
    // The chip must be at rest for the self-test.
    rig.input.held.rotationRate = .zero
    rig.input.held.specificForce = Vector3(0, 0, 1)
    #expect(rig.driver.selfTest == nil)
    let time = try Self.run(rig)
    #expect(time < .seconds(5))
    let report = try #require(rig.driver.selfTest)
    #expect(report.isPassed)
    #expect(report.count >= 3)
    for index in 0..<report.count {
      let item = report.items[index]
      #expect(item.lowest <= item.highest && item.isPassed)
    }
    // The stimulus is off again, so that later samples are correct.
    let way = try #require(Way.normal.first { $0.row.testDescription == row.testDescription })
    let chosen = try rig.start(way.settings())
    rig.run(for: .seconds(3), until: { rig.collector.count >= 20 })
    let sample = try #require(rig.collector.samples.last)
    ValueTests.expect(sample, rig.input.held, chosen, way)
  }

  /// A chip that stops responding fails its self-test with an error, at whichever transaction that
  /// is.
  @Test(arguments: Row.distinct.filter(\.description.hasSelfTest))
  func `a chip that is lost meanwhile fails its self-test by an error`(_ row: Row) throws {
    let whole = Rig(row)
    _ = try Self.run(whole)
    for index in stride(from: 0, to: whole.port.count, by: max(1, whole.port.count / 40)) {
      let rig = Rig(row)
      rig.port.failing = index..<Int.max
      let place: Comment = "transaction \(index)"
      #expect(throws: ChipError.self, place) { _ = try Self.run(rig) }
      #expect(rig.driver.selfTest?.isPassed != true, place)
    }
  }

  @Test(arguments: Row.all.filter { !$0.description.hasSelfTest })
  func `a chip without a self-test refuses to start one`(_ row: Row) {
    let rig = Rig(row)
    #expect(throws: ChipError.unsupportedSetting) { try rig.driver.startSelfTest() }
  }
}
