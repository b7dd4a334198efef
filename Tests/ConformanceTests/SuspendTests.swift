// SPDX-License-Identifier: Apache-2.0
import Simulation
import ChipCatalog
import Foundation
import Quantities
import Sensors
import Boards
import Testing

/// A chip whose host is suspended at times: its time continues while CLOCK_MONOTONIC stops
/// (clock_gettime(2)), and edges of its pin are lost meanwhile.
private final class AwakeModel: ChipModel {
  private let base: any ChipModel
  /// The total time for which the host was suspended.
  private var slept = TimeSpan.zero
  private var now = Timestamp.zero

  init(_ base: any ChipModel) { self.base = base }

  /// Suspends the host for `span`.
  func suspend(for span: TimeSpan) {
    slept = slept + span
    base.advance(to: now + slept)
    _ = base.takeEdges(of: 1)
    _ = base.takeEdges(of: 2)
  }

  func advance(to time: Timestamp) {
    now = time
    base.advance(to: time + slept)
  }

  func takeEdges(of pin: UInt8) -> EdgeQueue {
    let came = base.takeEdges(of: pin)
    var edges = EdgeQueue()
    for _ in 0..<came.count { edges.append(came.newest - slept) }
    return edges
  }

  func nextEdge(of pin: UInt8) -> Timestamp? { base.nextEdge(of: pin).map { $0 - slept } }

  func read(_ register: UInt8) -> UInt8 { base.read(register) }
  func write(_ value: UInt8, to register: UInt8) { base.write(value, to: register) }
  func readWord(_ register: UInt8) -> UInt16 { base.readWord(register) }
  func writeWord(_ word: UInt16, to register: UInt8) { base.writeWord(word, to: register) }
  func successor(of register: UInt8) -> UInt8 { base.successor(of: register) }
  var isActiveLow: Bool { base.isActiveLow }
  var listensToSPI: Bool { base.listensToSPI }
  func deselect() { base.deselect() }
  func powerCycle() { base.powerCycle() }
  func overrunQueue() { base.overrunQueue() }
  var samplesTaken: UInt64 { base.samplesTaken }
  var passesThrough: Bool { base.passesThrough }
  var bank: UInt8 { base.bank }
}

/// A suspended machine: the clock of time stamps stops, the chip's clock does not.
@Suite struct SuspendTests {
  @Test(arguments: Way.distinct.filter { $0.power == .normal }, [700.0])
  func `after the machine has slept samples go on, with the times at which they were taken`(
    _ way: Way, _ seconds: Double
  ) throws {
    var chip: AwakeModel?
    let rig = Rig(
      way.row, clockError: 0.01,
      wrap: {
        let model = AwakeModel($0)
        chip = model
        return model
      })
    _ = try rig.start(way.settings(), tellsTime: true)
    let ramp = try #require(rig.input.ramp)
    rig.run(for: .seconds(5))
    // Suspend for whole periods of the sawtooth, so that it still shows the time.
    let tooth = 64 * ramp.period
    let asleep = rig.clock.now
    chip?.suspend(for: TimeSpan(seconds: (seconds / tooth).rounded() * tooth))
    rig.run(for: .seconds(8))
    let samples = rig.collector.samples
    #expect(rig.collector.isMonotonic)
    #expect(samples.last.map { $0.timestamp <= rig.clock.now } == true)
    // The next sample is late at most by the FIFO's contents, or by a restart of the chip.
    let again = try #require(
      samples.first { $0.timestamp > asleep + .milliseconds(200) }?.timestamp)
    #expect(again < asleep + .milliseconds(1500))
    let settled = samples.filter { $0.timestamp > asleep + .seconds(4) }
    #expect(Double(settled.count) > 3 / ramp.period, "\(settled.count)")
    let before = samples.filter {
      $0.timestamp > asleep - .seconds(2) && $0.timestamp < asleep - .milliseconds(100)
    }
    func worst(_ samples: [Sample]) -> Double {
      samples.reduce(0) { worst, sample in
        max(worst, abs(sample.timestamp.secondsSinceEpoch / ramp.period - ramp.truth(sample)))
      }
    }
    #expect(worst(settled) < max(0.1, 2 * worst(before)), "\(worst(before)), \(worst(settled))")
  }
}
