// SPDX-License-Identifier: Apache-2.0
import Otolith
import ServedSources
import Testing

/// Value samples in batches.
@Suite(.serialized, .timeLimit(.minutes(1))) struct BatchesTests {
  /// 20 ms at 1 kHz are twenty samples, and every sample is in one batch.
  @Test func `batches of 20 ms at 1 kHz have twenty samples each`() async throws {
    let hub = try MotionsTests.hub(rate: 1000)
    var batches: [SampleBatch<Sample>] = []
    for try await batch in hub.batches(of: .samples(of: .rotationRate)) {
      batches.append(batch)
      if batches.count == 100 { break }
    }
    // If the machine is too busy, the simulated chip's FIFO overflows, which makes a batch shorter,
    // never longer.
    #expect(batches.allSatisfy { $0.elements.count <= 21 })
    #expect(batches.count { (19...21).contains($0.elements.count) } > 50)
    let samples = batches.flatMap(\.elements)
    for (a, b) in zip(samples, samples.dropFirst()) {
      #expect((b.timestamp - a.timestamp).nanoseconds > 800_000)
    }
    // From the first to the last, each millisecond has its sample or is counted.
    let elapsed = (try #require(samples.last).timestamp - (try #require(samples.first)).timestamp)
      .seconds
    let counted = Double(
      samples.count - 1 + batches.dropFirst().reduce(0) { $0 + Int($1.missing) })
    #expect(abs(elapsed * 1000 - counted) < 3 + 0.01 * counted, "\(elapsed) s, \(counted)")
    let first = try #require(batches.first?.elements.first)
    #expect(first.channels.contains([.acceleration, .rotationRate]))
    #expect(try await MotionsTests.eventually { hub.reset() })
  }

  @Test func `batches of motions come as often as asked`() async throws {
    let hub = try MotionsTests.hub(rate: 200)
    var count = 0
    for try await batch in hub.batches(of: .motion, every: .milliseconds(100)) {
      #expect(batch.elements.allSatisfy { abs($0.gravity.z + 1) < 0.001 })
      count += batch.elements.count
      if count > 150 { break }
    }
    #expect(try await MotionsTests.eventually { hub.reset() })
  }

  /// Samples that a slow loop misses are counted: elements and missed ones together are all
  /// samples, including those that the chip lost.
  @Test func `a slow loop learns what it missed`() async throws {
    let source = ScriptedSource()
    let hub = MotionHub()
    try hub.use(served(source))
    var iterator = hub.batches(
      of: .acceleration, every: .milliseconds(10), buffering: .newest(3)
    ).makeAsyncIterator()
    for index in 1...1000 {
      var sample = Sample(
        timestamp: Timestamp(nanoseconds: Int64(index) * 1_000_000), channels: .acceleration)
      if index == 500 { sample.missing = 7 }
      source.send(sample)
    }
    #expect(await hub.flush(within: .seconds(30)))
    // Of a hundred batches the last is not complete yet, and three of the others were kept.
    var got: [SampleBatch<VectorSample>] = []
    for _ in 0..<3 { got.append(try #require(try await iterator.next())) }
    source.send(Sample(timestamp: Timestamp(nanoseconds: 1_001_000_000), channels: .acceleration))
    got.append(try #require(try await iterator.next()))
    let times = got.flatMap(\.elements).map(\.timestamp.nanoseconds)
    #expect(times == (961...1000).map { $0 * 1_000_000 })
    #expect(got.reduce(0) { $0 + $1.missing } == 960 + 7)
    // The loop's statistics agree, and count samples; the last is not in a batch yet.
    let statistics = iterator.statistics
    #expect(statistics.delivered == 1000 && statistics.dropped == 960 && statistics.lost == 7)
  }

  @Test func `a missing bus ends batches with an error`() async throws {
    let hub = try MotionsTests.hub("i2c: /dev/i2c-97")
    _ = try await #require(throws: SessionError.self) {
      for try await _ in hub.batches(of: .acceleration) {}
    }
    #expect(hub.reset())
  }

  /// The samples of a second chip are each 5 ms older than the previous ones: 0.1 s contains
  /// twenty.
  @Test func `samples of several chips share a batch`() async throws {
    let source = ScriptedSource()
    let hub = MotionHub()
    try hub.use(served(source))
    var iterator = hub.batches(
      of: .samples(of: [.acceleration, .magneticField]), every: .milliseconds(100)
    ).makeAsyncIterator()
    for index in 1...101 {
      let time = Timestamp(nanoseconds: Int64(index) * 10_000_000)
      source.send(Sample(timestamp: time, channels: .acceleration))
      source.send(Sample(timestamp: time - .milliseconds(5), channels: .magneticField))
    }
    for index in 0..<9 {
      let count = try #require(try await iterator.next()).elements.count
      #expect((19...21).contains(count), "batch \(index): \(count)")
    }
  }

  /// Creating a stream of batches starts no chip before a loop begins.
  @Test func `batches start the chips with the loop, not before`() async throws {
    let source = ScriptedSource()
    let hub = MotionHub()
    try hub.use(source)
    let stream = hub.batches(of: .acceleration)
    #expect(!source.isRunning && source.starts == 0)
    var first: SensorStream<SampleBatch<VectorSample>>.Iterator? = stream.makeAsyncIterator()
    #expect(source.isRunning)
    for index: Int64 in 0...20 {
      var sample = Sample(
        timestamp: Timestamp(nanoseconds: index * 1_000_000), channels: .acceleration)
      sample.acceleration = Vector3(Double(index), 0, 0)
      source.send(sample)
    }
    #expect(try await first?.next()?.elements.map(\.vector.x) == (0..<20).map(Double.init))
    first = nil
    #expect(try await MotionsTests.eventually { !source.isRunning })
  }

  @Test func `batches of a frame's motion have its attitude`() async throws {
    let source = ScriptedSource()
    let hub = MotionHub()
    try hub.use(source)
    var iterator = hub.batches(
      of: .deviceMotion(in: .xMagneticNorthZVertical), every: .milliseconds(30)
    ).makeAsyncIterator()
    for index: Int64 in 1...4 {
      var motion = MotionSample(timestamp: Timestamp(nanoseconds: index * 10_000_000))
      motion.contents = [.attitude, .heading]
      motion.attitude9 = Quaternion(angle: Double(index) / 10, axis: Vector3(0, 0, 1))
      source.send(motion)
    }
    let yaws = try #require(try await iterator.next()).elements.map(\.attitude.yaw)
    #expect(yaws.count == 3 && zip(yaws, [0.1, 0.2, 0.3]).allSatisfy { abs($0 - $1) < 1e-12 })
  }
}
