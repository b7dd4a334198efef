// SPDX-License-Identifier: Apache-2.0
import Fusion
import Quantities
import SeededRandom
import Testing

/// The state is complete: an engine that gets another's state continues with the same results to
/// the last bit.
@Suite("State")
struct StateTests {
  struct Step {
    var stream: Stream
    var sample: Vector3
    var time: Timestamp
  }

  /// Returns a recording with thinned streams and shifted times, with occasional faults and a gap.
  static func steps() throws -> [Step] {
    var random = SplitMix(state: 99)
    var steps: [Step] = []
    for row in try RecordingTests.rows() {
      if (12.0..<14).contains(row.time) { continue }
      let time = Timestamp(seconds: row.time)
      steps.append(Step(stream: .rotationRate, sample: row.rotationRate, time: time))
      if random.next() % 3 != 0 {
        steps.append(
          Step(
            stream: .acceleration, sample: row.acceleration,
            time: time - TimeSpan(nanoseconds: Int64(random.next() % 3_000_000))))
      }
      if random.next() % 4 == 0 {
        steps.append(Step(stream: .magneticField, sample: row.magneticField, time: time))
      }
      if random.next() % 50 == 0 {
        steps.append(Step(stream: .acceleration, sample: Vector3(.nan, 0, 0), time: time))
      }
    }
    return steps
  }

  @Test func `a state that is given to another engine continues bit by bit`() throws {
    let steps = try Self.steps()
    var params = FusionEngine.Params()
    params.headingTime = 4
    params.velocitySigma = 2
    var random = SplitMix(state: 5)
    // The first twenty samples one by one, then random places.
    let points =
      Array(0..<20) + (0..<20).map { _ in Int(random.next() % UInt64(steps.count)) }
    for point in points {
      var engine = FusionEngine(params)
      for step in steps[..<point] { engine.update(step.stream, step.sample, at: step.time) }
      var other = FusionEngine(params)
      // A different past, which the state must replace completely.
      for k in 0..<point % 7 {
        other.update(.acceleration, random.vector(2), at: Timestamp(seconds: Double(k)))
        other.update(.rotationRate, random.vector(2), at: Timestamp(seconds: Double(k) * 2))
        other.update(.magneticField, random.vector(50), at: Timestamp(seconds: Double(k)))
      }
      other.state = engine.state
      #expect(Outputs(other) == Outputs(engine))
      for step in steps[point...].prefix(800) {
        let taken = engine.update(step.stream, step.sample, at: step.time)
        let takenToo = other.update(step.stream, step.sample, at: step.time)
        #expect(taken == takenToo)
        #expect(Outputs(engine) == Outputs(other), "from \(point), at \(step.time)")
      }
      #expect(engine.bits == other.bits, "from \(point)")
    }
  }

  @Test func `an engine that is reset is as new, whatever comes then`() throws {
    let steps = try Self.steps()
    let new = FusionEngine()
    for point in [1, 2, 3, 10, 500, steps.count] {
      var engine = FusionEngine()
      for step in steps[..<point] { engine.update(step.stream, step.sample, at: step.time) }
      #expect(engine.bits != new.bits)
      engine.reset()
      #expect(engine.bits == new.bits)
      var fresh = new
      for step in steps.prefix(500) {
        engine.update(step.stream, step.sample, at: step.time)
        fresh.update(step.stream, step.sample, at: step.time)
      }
      #expect(engine.bits == fresh.bits)
      #expect(Outputs(engine) == Outputs(fresh))
    }
  }

  /// Engines are values: updates of a copy do not affect the original.
  @Test func `a copy goes its own way`() throws {
    let steps = try Self.steps()
    var engine = FusionEngine()
    for step in steps[..<200] { engine.update(step.stream, step.sample, at: step.time) }
    let before = engine.bits
    var copy = engine
    for step in steps[200..<400] { copy.update(step.stream, step.sample, at: step.time) }
    #expect(engine.bits == before)
    #expect(copy.bits != before)
  }
}
