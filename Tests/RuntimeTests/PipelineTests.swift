// SPDX-License-Identifier: Apache-2.0
import Runtime
import Foundation
import Fusion
import Quantities
import Sensors
import Testing

@Suite struct PipelineTests {
  private func sample(_ ms: Int64, _ channels: ChannelSet, _ value: Double) -> Sample {
    var sample = Sample(timestamp: Timestamp(nanoseconds: ms * 1_000_000), channels: channels)
    sample.acceleration = Vector3(0, 0, -1)
    sample.rotationRate = Vector3(value, 0, 0)
    sample.temperature = value
    sample.pressure = 100
    return sample
  }

  @Test func `a detection passes through once, with its source`() {
    let pipeline = MotionPipeline(chips: [[.acceleration], []])
    var reader = pipeline.detections.reader()
    let step = Detection(.step, at: Timestamp(nanoseconds: 5), detail: 12)
    pipeline.receive(step, from: 1)
    #expect(reader.read() == SourcedDetection(step, source: 1))
    #expect(reader.read() == nil)
  }

  @Test func `two chips that sample the same give one stream of samples and motions`() {
    let pipeline = MotionPipeline(chips: [
      [.acceleration, .rotationRate, .temperature], [.acceleration, .rotationRate],
    ])
    var motions = pipeline.motions.reader()
    var samples = pipeline.samples.reader()
    for ms in Int64(1)...10 {
      pipeline.receive(sample(ms * 10, [.acceleration, .rotationRate, .temperature], 0.5), from: 0)
      pipeline.receive(sample(ms * 10 + 5, [.acceleration, .rotationRate], 0.5), from: 1)
    }
    var rates: [Double] = []
    while let motion = motions.read() { rates.append(motion.rotationRate.x) }
    #expect(rates.count == 10 && rates.allSatisfy { abs($0 - 0.5) < 1e-9 })
    var times: [Int64] = []
    while let sample = samples.read() { times.append(sample.sample.timestamp.nanoseconds) }
    #expect(times == (1...10).map { $0 * 10_000_000 })
  }

  @Test func `temperature is the barometer's where there is one`() {
    let pipeline = MotionPipeline(chips: [
      [.acceleration, .rotationRate, .temperature], [.pressure, .temperature],
    ])
    pipeline.receive(sample(5, [.pressure, .temperature], 21), from: 1)
    pipeline.receive(sample(10, [.acceleration, .rotationRate, .temperature], 40), from: 0)
    #expect(pipeline.motions.newest?.temperature == 21)
    #expect(pipeline.motions.newest?.pressure == 100)
  }

  @Test func `a field newer than the newest rotation waits for the next`() {
    let pipeline = MotionPipeline(chips: [[.acceleration, .rotationRate], .magneticField])
    pipeline.receive(sample(10, [.acceleration, .rotationRate], 0), from: 0)
    var field = sample(15, .magneticField, 0)
    field.magneticField = Vector3(20, 0, -45)
    pipeline.receive(field, from: 1)
    pipeline.receive(sample(12, [.acceleration, .rotationRate], 0), from: 0)
    #expect(pipeline.motions.newest?.contents.contains(.magneticField) == false)
    pipeline.receive(sample(20, [.acceleration, .rotationRate], 0), from: 0)
    #expect(pipeline.motions.newest?.contents.contains(.magneticField) == true)
  }

  @Test func `fields wait for the queue that brings the rotations of their time`() {
    let inOrder = MotionPipeline(chips: [[.acceleration, .rotationRate], .magneticField])
    let inBatches = MotionPipeline(chips: [[.acceleration, .rotationRate], .magneticField])
    // The device turns at 200 degrees/s about the vertical; rotations come every 10 ms, fields
    // every 12 ms and 5 ms after them.
    let rate = 200 * Double.pi / 180
    var all: [(sample: Sample, source: Int)] = []
    for k in Int64(1)...320 {
      var turn = sample(k * 10, [.acceleration, .rotationRate], 0)
      turn.rotationRate = Vector3(0, 0, rate)
      all.append((turn, 0))
    }
    for k in Int64(0)..<260 {
      var field = sample(k * 12 + 5, .magneticField, 0)
      let angle = -rate * field.timestamp.seconds
      field.magneticField = Vector3(20 * cos(angle), 20 * sin(angle), -45)
      all.append((field, 1))
    }
    all.sort { $0.sample.timestamp < $1.sample.timestamp }
    for (sample, source) in all { inOrder.receive(sample, from: source) }
    // The chip's queue is read when it holds 32 samples.
    var queue: [Sample] = []
    for (sample, source) in all {
      guard source == 0 else {
        inBatches.receive(sample, from: 1)
        continue
      }
      queue.append(sample)
      guard queue.count == 32 else { continue }
      for rotation in queue { inBatches.receive(rotation, from: 0) }
      queue = []
    }
    #expect(inOrder.motions.newest != nil)
    #expect(inOrder.motions.newest == inBatches.motions.newest)
  }

  /// The samples' field: 49.24 microtesla with a dip of 66.0 degrees.
  static let field = GeomagneticField(north: 20, east: 0, down: 45)

  /// Returns how far the heading is trusted of a device that has lain still for five seconds and
  /// knows its own magnetism.
  private func accuracy(
    expected: GeomagneticField?, remembered: GeomagneticField?
  ) throws -> MagneticAccuracy {
    let pipeline = MotionPipeline(
      chips: [[.acceleration, .rotationRate, .magneticField]], expectedField: expected)
    pipeline.assume(
      FusionMemory(
        magnetometer: FusionMemory.Magnetometer(
          hardIron: .zero, sigma: 0.1, fieldNorm: remembered?.total ?? 0,
          fieldDip: remembered?.dip ?? 0)))
    for ms in Int64(1)...500 {
      var all = sample(ms * 10, [.acceleration, .rotationRate, .magneticField], 0)
      all.magneticField = Vector3(20, 0, -45)
      pipeline.receive(all, from: 0)
    }
    return try #require(pipeline.motions.newest).magneticAccuracy
  }

  @Test func `the field of the place is known from its position`() throws {
    // While the device is at rest, its field alone cannot be distinguished from that of a magnet.
    #expect(try accuracy(expected: nil, remembered: nil) == .low)
    #expect(try accuracy(expected: Self.field, remembered: nil) == .medium)
    #expect(try accuracy(expected: nil, remembered: Self.field) == .medium)
    // This is the field on the equator at 120 E, from NOAA's test values of WMM2025.
    let equator = GeomagneticField(north: 39.6778, east: -0.1091, down: -10.5802)
    #expect(try accuracy(expected: equator, remembered: nil) == .low)
    #expect(try accuracy(expected: Self.field, remembered: equator) == .medium)
    #expect(try accuracy(expected: equator, remembered: Self.field) == .low)
  }
}
