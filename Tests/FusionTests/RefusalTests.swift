// SPDX-License-Identifier: Apache-2.0
import Fusion
import Quantities
import SeededRandom
import Testing

/// The three streams, for tests of each.
enum Stream: CaseIterable {
  case rotationRate, acceleration, magneticField
}

extension FusionEngine {
  @discardableResult
  mutating func update(_ stream: Stream, _ sample: Vector3, at time: Timestamp) -> Bool {
    switch stream {
    case .rotationRate: update(rotationRate: sample, at: time)
    case .acceleration: update(acceleration: sample, at: time)
    case .magneticField: update(magneticField: sample, at: time)
    }
  }

  /// The state to the last bit as text: unlike `==`, a description distinguishes -0 from 0 and
  /// treats NaN as equal to NaN.
  var bits: String { String(reflecting: state) }
}

@Suite("Refusal")
struct RefusalTests {
  /// Engines before any sample, after the first, in motion, at rest, and with a silent gyroscope;
  /// and a time that all their streams accept.
  static let engines: [(name: String, engine: FusionEngine)] = {
    let motion = SimulatedMotion(shaking: 0.1, bias: Vector3(0.01, 0.02, -0.03))
    var first = FusionEngine()
    motion.feed(.acceleration, at: 0, into: &first)
    var moving = FusionEngine()
    var resting = FusionEngine()
    var silent = FusionEngine()
    for k in 0..<1000 {
      let t = Double(k) / 100
      for stream in Stream.allCases {
        motion.feed(stream, at: t, into: &moving)
        SimulatedMotion(turning: 0).feed(stream, at: t, into: &resting)
        if stream != .rotationRate || t < 5 { motion.feed(stream, at: t, into: &silent) }
      }
    }
    return [
      ("new", FusionEngine()), ("first", first), ("moving", moving), ("resting", resting),
      ("silent", silent),
    ]
  }()

  static let later = Timestamp(seconds: 10)

  @Test func `not-a-number is refused in any component and changes nothing`() {
    // Values above 1000 rad/s, 10 000 g and 1e6 microtesla are rejected too, as documented.
    let bad = [
      Double.nan, -.nan, .signalingNaN, .infinity, -.infinity, .greatestFiniteMagnitude, 1.001e6,
      -1.001e6,
    ]
    for (name, engine) in Self.engines {
      let before = engine.bits
      for stream in Stream.allCases {
        for value in bad {
          for sample in [
            Vector3(value, 0.1, -0.9), Vector3(0.1, value, -0.9), Vector3(0.1, -0.9, value),
            Vector3(value, value, value),
          ] {
            var tried = engine
            let taken = tried.update(stream, sample, at: Self.later)
            #expect(!taken, "\(name) \(stream) \(sample)")
            #expect(tried.bits == before, "\(name) \(stream) \(sample)")
          }
        }
      }
    }
  }

  @Test func `the largest samples are taken, the next number is not`() {
    for (name, engine) in Self.engines {
      for (stream, limit) in [
        (Stream.rotationRate, 1e3), (.acceleration, 1e4), (.magneticField, 1e6),
      ] {
        for sign in [1.0, -1] {
          var tried = engine
          let taken = tried.update(stream, Vector3(0, sign * limit, 0), at: Self.later)
          #expect(taken && Outputs(tried).isSound, "\(name) \(stream)")
          let beyond = Vector3(0, sign * limit.nextUp, 0)
          let takenBeyond = tried.update(stream, beyond, at: Self.later)
          #expect(!takenBeyond, "\(name) \(stream)")
          let share = 0.6 * sign * limit
          let takenAskew = tried.update(stream, Vector3(share, share, -share), at: Self.later)
          #expect(!takenAskew, "\(name) \(stream)")
        }
      }
    }
  }

  @Test func `time that goes back is refused, in each stream by its own last sample`() {
    let sample = Vector3(0.1, 0.2, -0.9)
    for (name, engine) in Self.engines {
      for stream in Stream.allCases {
        var engine = engine
        let taken = engine.update(stream, sample, at: Self.later)
        #expect(taken, "\(name) \(stream)")
        let before = engine.bits
        for back in [1, 1_000, 10_000_000, 3_600_000_000_000, Int64.max] as [Int64] {
          let time = Self.later - TimeSpan(nanoseconds: back)
          let late = engine.update(stream, sample, at: time)
          #expect(!late && engine.bits == before, "\(name) \(stream) \(back)")
        }
        // Each stream has its own times: 5 ms before this stream's last sample is not a step back
        // for another.
        for other in Stream.allCases where other != stream {
          var engine = engine
          let taken = engine.update(other, sample, at: Self.later - TimeSpan.milliseconds(5))
          #expect(taken, "\(name) \(stream) \(other)")
        }
      }
    }
  }

  @Test func `an equal time is taken, turns nothing, and takes nothing from what follows`() {
    let motion = SimulatedMotion()
    for (name, engine) in Self.engines where name == "moving" || name == "resting" {
      for stream in Stream.allCases {
        var engine = engine
        let sample = motion.sample(stream, at: 10)
        engine.update(stream, sample, at: Self.later)
        let before = engine
        for _ in 0..<100 {
          let taken = engine.update(stream, sample, at: Self.later)
          #expect(taken, "\(name) \(stream)")
        }
        // A repeated acceleration may be weighted again only at the very start, not by a filter
        // that knows how little time has passed.
        #expect(angle(engine.attitude6, before.attitude6) < 1e-9, "\(name) \(stream)")
        #expect(engine.gyroBias == before.gyroBias, "\(name) \(stream)")
        #expect(engine.isAtRest == before.isAtRest)
      }
    }
  }

  @Test func `what was refused leaves no trace, to the bit`() {
    var noise = SplitMix(state: 404)
    let motion = SimulatedMotion(shaking: 0.1)
    var clean = FusionEngine()
    var faulty = FusionEngine()
    for k in 0..<3000 {
      let t = Double(k) / 100
      for stream in Stream.allCases {
        motion.feed(stream, at: t, into: &clean)
        motion.feed(stream, at: t, into: &faulty)
        let time = Timestamp(seconds: t + noise.number(0...0.02))
        switch noise.next() % 4 {
        case 0: faulty.update(stream, Vector3(.nan, 0, 0), at: time)
        case 1: faulty.update(stream, Vector3(0, .infinity, 1), at: time)
        case 2: faulty.update(stream, Vector3(0, 0, -1e9), at: time)
        default: faulty.update(stream, Vector3(0, 0, -1), at: Timestamp(seconds: t - 0.001))
        }
      }
    }
    #expect(clean.bits == faulty.bits)
    #expect(clean.hasAttitude)
  }
}
