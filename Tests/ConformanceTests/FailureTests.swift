// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Quantities
import Registers
import Sensors
import Simulation
import Boards
import Testing

/// The behaviour of every driver in the catalogue if its chip or bus fails.
@Suite struct FailureTests {
  /// No supported part has the identity 0x55.
  static let stranger: UInt8 = 0x55

  @Test(arguments: Row.all)
  func `a chip of another identity gives no samples and is asked again`(_ row: Row) throws {
    let rig = Rig(row, faults: [Fault(.wrongChip, .always, identity: Self.stranger)])
    let way = try #require(
      Way.normal.first { $0.row.entry.description.name == row.description.name })
    _ = try rig.start(way.settings())
    rig.run(for: .seconds(2))
    #expect(rig.collector.count == 0)
    #expect(
      rig.collector.errors.allSatisfy {
        $0 == .identity(found: Self.stranger, register: row.description.identity.register)
      })
    #expect(rig.collector.errors.count > 2, "it is asked again")
    #expect(rig.driver.identity == Self.stranger)
  }

  /// With `treat-as` the driver accepts an unknown identity, and still reports the identity that it
  /// read.
  @Test(arguments: Row.all)
  func `the driver accepts an unknown part that it is set to treat as a known one`(_ row: Row)
    throws
  {
    let rig = Rig(row, faults: [Fault(.wrongChip, .always, identity: Self.stranger)])
    let way = try #require(Way.normal.first { $0.row.testDescription == row.testDescription })
    var settings = way.settings()
    settings.assumedIdentity = row.description.identity.supported.first
    _ = try rig.start(settings)
    rig.run(for: .seconds(2))
    #expect(rig.collector.count > 10)
    #expect(rig.collector.errors.isEmpty)
    #expect(rig.driver.identity == Self.stranger)
  }

  @Test(arguments: Row.all)
  func `an absent chip is an error at most once a second`(_ row: Row) throws {
    let rig = Rig(row, isAttached: row.wire == .spi)
    if row.wire == .spi { rig.port.failing = 0..<Int.max }
    let way = try #require(Way.normal.first { $0.row.testDescription == row.testDescription })
    _ = try rig.start(way.settings())
    rig.run(for: .seconds(10))
    #expect(rig.collector.count == 0)
    #expect(rig.collector.errors.count >= 10)
    #expect(rig.collector.errors.allSatisfy { $0.busError == .noAcknowledge })
    // The driver waits up to a second between two attempts, and never loops without waiting.
    #expect(rig.port.count < 200)
  }

  /// A chip whose time stops at the first write, so that its reset never ends.
  final class Stopped: ChipModel {
    private let base: any ChipModel
    private var isStopped = false

    init(_ base: any ChipModel) { self.base = base }

    func advance(to time: Timestamp) { if !isStopped { base.advance(to: time) } }
    func read(_ register: UInt8) -> UInt8 { base.read(register) }
    func write(_ value: UInt8, to register: UInt8) {
      base.write(value, to: register)
      // A write that unlocks a register page comes before the reset.
      if value != 0 { isStopped = true }
    }
    func successor(of register: UInt8) -> UInt8 { base.successor(of: register) }
    func takeEdges(of pin: UInt8) -> EdgeQueue { base.takeEdges(of: pin) }
    func nextEdge(of pin: UInt8) -> Timestamp? { nil }
    var listensToSPI: Bool { base.listensToSPI }
    func deselect() { base.deselect() }
    func powerCycle() { base.powerCycle() }
    var samplesTaken: UInt64 { base.samplesTaken }
  }

  /// The chips that can be reset, according to their register maps.
  static let resettable = Row.all.filter { row in
    row.entry.registers().contains { register in
      let names = [register.name] + register.fields.flatMap { [$0.name] + $0.codes.values }
      return names.contains { $0.lowercased().contains("reset") }
    }
  }

  @Test(arguments: resettable) func `a reset that never ends is given up`(_ row: Row) throws {
    let rig = Rig(row, wrap: { Stopped($0) })
    let way = try #require(Way.normal.first { $0.row.testDescription == row.testDescription })
    _ = try rig.start(way.settings())
    rig.run(for: .seconds(5), until: { !rig.collector.errors.isEmpty })
    #expect(rig.collector.count == 0)
    let error = try #require(rig.collector.errors.first)
    #expect(error == .resetTimedOut)
    // The number of transactions is limited: polling at every turn of the thread would need
    // thousands.
    #expect(rig.port.count < 400)
  }

  /// Each transaction from the first until well after the first samples fails once, with every bus
  /// error. Of the hundreds that load firmware the first two and the last two stand for all.
  @Test(arguments: Way.distinct.filter { $0.power == .normal })
  func `an error at each transaction is got over`(_ way: Way) throws {
    let (indices, period) = try Self.transactions(way)
    for error in [BusError.noAcknowledge, .timeout] {
      for index in indices {
        let rig = Rig(way.row)
        rig.collector.keeps = false
        rig.port.failing = index..<(index + 1)
        rig.port.error = error
        _ = try rig.start(way.settings(), tellsTime: true)
        rig.run(for: .seconds(1) + period * 40, until: { rig.collector.count >= 30 })
        let place: Comment = "transaction \(index), \(error)"
        #expect(rig.collector.count >= 30, place)
        #expect(rig.collector.isMonotonic, place)
        // A chip may not respond just after its reset, which is not an error.
        #expect(rig.driver.health.busErrors <= 1, place)
        // With polling the age of the newest sample is unknown until the clock is learned, so one
        // sample may be taken for its neighbour.
        let said = Double(rig.collector.count + rig.collector.missing)
        #expect(abs(rig.taken.rounded() - said) <= (way.acquisition == .polling ? 1 : 0), place)
      }
    }
  }

  static let queues = Way.distinct.filter {
    $0.power == .normal && ($0.acquisition == .fifo || $0.keepsLateSamples)
  }

  /// Each transaction around the detection of a FIFO overflow fails once. A FIFO that was stopped
  /// for it and not restarted would deliver nothing.
  @Test(arguments: queues) func `a queue whose emptying fails is emptied again`(_ way: Way) throws {
    func run(failing: Range<Int>, until isOver: (Rig) -> Bool) throws -> Rig {
      let rig = Rig(way.row, faults: [Fault(.fifoOverflow, .at(.seconds(1)))])
      rig.port.failing = failing
      rig.port.error = .noAcknowledge
      _ = try rig.start(way.settings())
      rig.run(for: .seconds(3), until: { isOver(rig) })
      return rig
    }
    let found = try run(failing: 0..<0) { $0.driver.health.overflows > 0 }.port.count
    for index in (found - 6)..<(found + 8) {
      let rig = try run(failing: index..<(index + 1)) { _ in false }
      #expect(rig.driver.health.overflows > 0)
      #expect(rig.driver.health.restarts == 0)
      #expect(rig.collector.longestGap <= .milliseconds(200), "transaction \(index - found)")
    }
  }

  /// Returns the indices of the transactions up to the twelfth sample, without those amid the loading
  /// of firmware, and the period of samples.
  private static func transactions(_ way: Way) throws -> ([Int], TimeSpan) {
    let rig = Rig(way.row)
    let chosen = try rig.start(way.settings())
    rig.run(for: .seconds(5), until: { rig.collector.count >= 12 })
    #expect(rig.collector.count >= 12)
    let loads = rig.port.loads
    let indices = (0..<rig.port.count).filter {
      !loads.contains($0 - 2) || !loads.contains($0) || !loads.contains($0 + 2)
    }
    return (indices, TimeSpan(seconds: 1 / chosen.rate))
  }
}
