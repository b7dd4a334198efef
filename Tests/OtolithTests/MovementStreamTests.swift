// SPDX-License-Identifier: Apache-2.0
import Foundation
import Otolith
import Recognition
import Sensors
import ServedSources
import Synchronization
import Testing

/// Steps, pauses and activities as streams, from a scripted recogniser.
@Suite(.serialized, .timeLimit(.minutes(1))) struct MovementStreamTests {
  /// A recogniser for scripts: x is the number of steps of a sample, and y the activity if it is
  /// above 0.
  struct ScriptedRecognition: MovementRecognition {
    private(set) var movement = Movement()
    private var steps: [Step] = []
    private var activities: [ActivityEstimate] = []
    private var events: [WalkingEvent] = []

    mutating func update(_ sample: Sample) {
      movement.timestamp = sample.timestamp
      guard sample.channels.contains(.acceleration) else { return }
      for index in 0..<Int(sample.acceleration.x) {
        steps.append(
          Step(timestamp: sample.timestamp, confidence: Double(index) / 10, swing: 0.5))
      }
      if sample.acceleration.x > 0 {
        events.append(WalkingEvent(.resume, timestamp: sample.timestamp))
      }
      guard sample.acceleration.y > 0 else { return }
      movement.activity = ActivityEstimate(
        timestamp: sample.timestamp,
        activities: ActivitySet(rawValue: UInt8(sample.acceleration.y)), confidence: .medium)
      activities.append(movement.activity)
    }

    mutating func nextStep() -> Step? { steps.isEmpty ? nil : steps.removeFirst() }
    mutating func nextEvent() -> WalkingEvent? { events.isEmpty ? nil : events.removeFirst() }
    mutating func nextActivity() -> ActivityEstimate? {
      activities.isEmpty ? nil : activities.removeFirst()
    }
  }

  static func rig() throws -> (MotionHub, ScriptedSource) {
    let (hub, source) = try RecognitionStreamTests.rig()
    var setting = MovementConfiguration()
    setting.recognition = { _ in ScriptedRecognition() }
    hub.movement.setting = setting
    return (hub, source)
  }

  /// Several steps that become known at once are all delivered in order; the stream requests no
  /// more than it needs.
  @Test func `steps that become known at once all come, in order`() async throws {
    let (hub, source) = try Self.rig()
    var iterator = hub.steps().makeAsyncIterator()
    var demand = SampleDemand(.acceleration, at: 50)
    demand[.pressure] = 10
    if !isServiceMode { #expect(source.pipeline.demand == demand) }
    source.send(RecognitionStreamTests.sample(1, Vector3(0, 0, -1)))
    source.send(RecognitionStreamTests.sample(2, Vector3(3, 0, -1)))
    source.send(RecognitionStreamTests.sample(3, pressure: 100))
    source.send(RecognitionStreamTests.sample(4, Vector3(1, 0, -1)))
    var got: [Step] = []
    for _ in 0..<4 { got.append(try #require(try await iterator.next())) }
    #expect(got.map(\.timestamp.seconds) == [2, 2, 2, 4])
    #expect(got.map(\.confidence) == [0, 0.1, 0.2, 0] && got.allSatisfy { $0.swing == 0.5 })
  }

  @Test func `a walking event comes with its time`() async throws {
    let (hub, source) = try Self.rig()
    var iterator = hub.walkingEvents().makeAsyncIterator()
    source.send(RecognitionStreamTests.sample(5, Vector3(1, 0, 0)))
    #expect(
      try await iterator.next() == WalkingEvent(.resume, timestamp: Timestamp(seconds: 5)))
  }

  /// The first activity comes with the first sample, then each change.
  @Test func `activities come at the first sample, then with each change`() async throws {
    let (hub, source) = try Self.rig()
    var iterator = hub.activities().makeAsyncIterator()
    source.send(RecognitionStreamTests.sample(1, Vector3(0, 0, -1)))
    #expect(try await iterator.next()?.activities == .unknown)
    source.send(RecognitionStreamTests.sample(2, Vector3(0, 2, -1)))
    source.send(RecognitionStreamTests.sample(3, Vector3(0, 17, -1)))
    let walking = try #require(try await iterator.next())
    #expect(walking.activities == .walking && walking.timestamp == Timestamp(seconds: 2))
    #expect(try await iterator.next()?.activities == [.automotive, .stationary])
  }

  /// A chip that only counts steps delivers no samples, also through a service.
  @Test func `steps come from a chip that counts and samples nothing`() async throws {
    let source = ScriptedSource([], countsSteps: true)
    let hub = MotionHub()
    try hub.use(served(source))
    #expect(hub.source?.countsSteps ?? false)
    var iterator = hub.steps().makeAsyncIterator()
    for step in 1...3 as ClosedRange<Int32> {
      source.send(
        Detection(.step, at: Timestamp(seconds: 10 + Double(step) / 2), detail: step))
      // This detection is not a step.
      source.send(Detection(.tilt, at: Timestamp(seconds: 10 + Double(step) / 2)))
    }
    for time in [10.5, 11, 11.5] {
      #expect(try await iterator.next()?.timestamp == Timestamp(seconds: time))
    }
  }

  @Test func `without an accelerometer steps end with an error`() async throws {
    let (hub, source) = try RecognitionStreamTests.rig(.pressure)
    let error = try await #require(throws: SessionError.self) {
      for try await _ in hub.steps() {}
    }
    #expect(error.description.hasPrefix("script has no accelerometer"))
    #expect(source.starts == 0)
  }

  /// A script with its own clock, and a chip that counts steps: the counts are from the chip, with
  /// current times.
  @Test func `steps that a chip counts are totalled`() async throws {
    let source = ScriptedSource(.acceleration, countsSteps: true)
    let hub = MotionHub()
    try hub.use(source)
    let folder = FileManager.default.temporaryDirectory.path + "/otolith-chip-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var setting = MovementConfiguration()
    setting.folder = folder
    hub.movement.setting = setting
    let feed = PedometerStore(hub)
    let start = feed.now
    let stop = try feed.count()
    #expect(try await MotionsTests.eventually { source.isRunning })
    source.send(RecognitionStreamTests.sample(1, Vector3(0, 0, -1)))
    for step in 1...12 as ClosedRange<Int32> {
      source.send(
        Detection(.step, at: Timestamp(seconds: 2 + Double(step) / 2), detail: step))
    }
    source.send(RecognitionStreamTests.sample(9, Vector3(0, 0, -1)))
    #expect(await hub.flush())
    let total = try feed.total(from: start - 1, to: .distantFuture)
    #expect(total.total.counts.steps == 12 && total.total.counts.distance > 5)
    #expect(abs(feed.clocks.now().boot.seconds + 8 - total.movement.timestamp.seconds) < 5)
    stop()
    feed.finish()
    #expect(try feed.total(from: start - 1, to: .distantFuture).total.counts.steps == 12)
  }
}
