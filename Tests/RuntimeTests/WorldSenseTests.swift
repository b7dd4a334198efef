// SPDX-License-Identifier: Apache-2.0
import Runtime
import Simulation
import Boards
import ChipCatalog
import Quantities
import Registers
import MotionSources
import Sampling
import Sensors
import Testing

/// Tests of the quantities that a simulated board measures without a chip.
@Suite(.serialized, .timeLimit(.minutes(1))) struct WorldSenseTests {
  private final class Kept: SampleConsumer {
    var samples: [Sample] = []
    var sources: Set<Int> = []
    func receive(_ sample: Sample, from source: Int) {
      samples.append(sample)
      sources.insert(source)
    }
    func chip(_ source: Int, failed error: ChipError) {}
    func chipRecovered(_ source: Int) {}
  }

  private func sense(_ rates: [Channel: Double], noise: SimulatedNoise = .off) -> WorldSense {
    WorldSense(
      rates,
      in: ChipInput(
        MovingWorld(.still, origin: .zero), mounting: Mounting(), noise: noise, of: nil, seed: 7),
      source: 3, from: .zero)
  }

  /// The room is that of docs/simulation.md: 320 lx for ten seconds and 20 lx for ten; a hand that
  /// is nearest after 5 s and gone after 10 s.
  @Test func `the room's light and the hand change as described`() {
    let kept = Kept()
    let sense = sense([.illuminance: 2, .proximity: 2])
    #expect(sense.turn(at: .zero + .seconds(25), to: kept) == .zero + .milliseconds(25_500))
    #expect(kept.sources == [3])
    // The first call is at 25 s. Samples that were due more than a second before are counted as
    // missing; there is one sample, of the moment of the call.
    let samples = kept.samples
    #expect(samples.map(\.channels).allSatisfy { $0 == [.illuminance, .proximity] })
    #expect(samples.map(\.timestamp) == [Timestamp.zero + .seconds(25)])
    #expect(samples[0].missing == 50)
    let again = Kept()
    let other = self.sense([.illuminance: 2, .proximity: 2])
    for second in 0...25 { _ = other.turn(at: .zero + .seconds(Int64(second)), to: again) }
    #expect(again.samples.count == 51 && again.samples.allSatisfy { $0.missing == 0 })
    func at(_ seconds: Double) -> Sample { again.samples[Int(2 * seconds)] }
    #expect(
      [0, 9.5, 10, 19.5, 20].map { at($0).scalars[.illuminance] } == [320, 320, 20, 20, 320])
    for (time, near) in [(0.0, 0.0), (5, 1), (10, 0), (15, 1), (2.5, 0.5)] {
      #expect(abs(at(time).scalars[.proximity] - near) < 1e-9)
    }
    #expect(at(3).acceleration == .zero || !at(3).channels.contains(.acceleration))
  }

  @Test func `each channel has its own rate`() {
    let kept = Kept()
    let sense = sense([.illuminance: 10, .proximity: 20, .pressure: 10])
    #expect(sense.turn(at: .zero + .seconds(1), to: kept) == .zero + .milliseconds(1050))
    func count(_ channels: ChannelSet) -> Int { kept.samples.count { $0.channels == channels } }
    #expect(count([.illuminance, .pressure]) == 11 && count(.proximity) == 21)
    #expect(kept.samples.count == 32)
  }

  /// Noise near zero makes no negative value.
  @Test func `known noise is added, within what is possible`() {
    var noise = KnownNoise([:])
    noise.processes[.proximity] = KnownNoise.Process(density: 0.5)
    let kept = Kept()
    let sense = sense([.proximity: 100], noise: .known(noise))
    for step in 0...100 { _ = sense.turn(at: .zero + .milliseconds(10 * Int64(step)), to: kept) }
    let values = kept.samples.map { $0.scalars[.proximity] }
    #expect(values.allSatisfy { (0...1).contains($0) })
    #expect(values.contains(0) && values.contains { $0 > 0.2 })
  }

  @Test func `a session gives them in addition to its chips`() throws {
    let session = BoardSession(
      try Fixtures.board(
        """
        otolith-board: 1
        name: Room
        buses: { bus: { simulated: i2c } }
        chips:
          imu: { chip: "invensense,mpu6050", on: bus, address: 0x68, interrupt: simulated, rate-hz: 100 }
        simulation: { motion: still, noise: false, senses: { illuminance-hz: 50, proximity-hz: 50 } }

        """))
    #expect(session.channels.isSuperset(of: [.acceleration, .illuminance, .proximity]))
    #expect(session.rate(of: .illuminance) == 50 && session.rate(of: .acceleration) == 100)
    #expect(session.rate(of: .pressure) == nil)
    #expect(session.name(ofChip: 1) == "senses" && session.name(ofChip: 2) == "Room")
    #expect(session.channels(ofChip: 1) == [.illuminance, .proximity])
    #expect(session.report.map(\.name) == ["imu"])
    for _ in 0..<2 {
      var reader = session.pipeline.samples.reader()
      try session.start()
      #expect(Fixtures.eventually { session.pipeline.chips == [.delivering, .delivering] })
      #expect(Fixtures.eventually { session.pipeline.motions.count > 10 })
      session.stop()
      var sensed: [Sample] = []
      while let read = reader.read() {
        if read.source == 1 { sensed.append(read.sample) }
      }
      #expect(sensed.allSatisfy { $0.channels == [.illuminance, .proximity] })
      // The simulated room begins with its lamp on.
      #expect(sensed.first?.scalars[.illuminance] == 320)
      for (one, next) in zip(sensed, sensed.dropFirst()) {
        #expect((next.timestamp - one.timestamp) == .milliseconds(20) * Int64(1 + next.missing))
      }
    }
  }

  @Test func `a board file without them senses nothing`() throws {
    let session = BoardSession(try Fixtures.still())
    #expect(session.channels.isDisjoint(with: [.illuminance, .proximity]))
    #expect(session.pipeline.chips.count == 2)
  }
}
