// SPDX-License-Identifier: Apache-2.0
import Boards
import Fusion
import ChipCatalog
import Foundation
import Otolith
import Registers
import Runtime
import ServedSources
import Testing

/// Streams of sensors that the test scripts, so that results are known exactly.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ScriptTests {
  static func sample(_ milliseconds: Int64, _ g: Double = -1, missing: UInt32 = 0) -> Sample {
    var sample = Sample(
      timestamp: Timestamp(nanoseconds: milliseconds * 1_000_000),
      channels: [.acceleration, .rotationRate])
    sample.acceleration = Vector3(0, 0, g)
    sample.rotationRate = Vector3(0.25, 0, 0)
    sample.missing = missing
    return sample
  }

  private func rig(_ channels: ChannelSet = [.acceleration, .rotationRate]) throws -> (
    MotionHub, ScriptedSource
  ) {
    let source = ScriptedSource(channels)
    let hub = MotionHub()
    try hub.use(served(source))
    return (hub, source)
  }

  @Test func `values come with both clocks`() async throws {
    let (hub, source) = try rig()
    var iterator = hub.accelerations().makeAsyncIterator()
    #expect(source.isRunning && hub.access == .granted)
    let earliest = Date()
    let now = Timestamp.now
    let latest = Date()
    var sample = Self.sample(0, -0.5, missing: 3)
    sample.timestamp = now
    source.send(sample)
    let got = try #require(try await iterator.next())
    #expect(got.vector == Vector3(0, 0, -0.5) && got.timestamp == now && got.missing == 3)
    // However late the thread runs, and however long it was interrupted between reading the two
    // clocks.
    let dates = earliest.addingTimeInterval(-0.1)...latest.addingTimeInterval(0.1)
    #expect(dates.contains(got.date) && dates.contains(got.timestamp.date))
    #expect(abs((Timestamp(got.date) - now).seconds) < 0.1)
  }

  /// Values that a script sets without their channel, or for a channel that the source lacks, are
  /// reported.
  @Test func `a value that is never used is named`() throws {
    let (hub, source) = try rig([.acceleration, .rotationRate])
    let listening = hub.accelerations().makeAsyncIterator()
    #expect(source.isRunning)
    source.send(Self.sample(10))
    #expect(source.leftOut.isEmpty)
    var sample = Sample(timestamp: Timestamp(nanoseconds: 20_000_000), channels: .acceleration)
    sample.acceleration = Vector3(0, 0, -1)
    sample.rotationRate = Vector3(0, 0.5, 0)
    source.send(sample)
    #expect(source.leftOut == .rotationRate)
    sample.channels = [.acceleration, .rotationRate, .pressure]
    sample.pressure = 100
    source.send(sample)
    #expect(source.leftOut == [.rotationRate, .pressure])
    withExtendedLifetime(listening) {}
  }

  /// A room whose lamp is lit: 3200 counts of 0.1 lx, ten times per second.
  @Test func `light comes from its chip`() async throws {
    let text = """
      otolith-board: 1
      name: Lamp
      buses: { bus: { simulated: i2c } }
      chips: { light: { chip: "vishay,vcnl4040", on: bus, address: 0x60, rate-hz: 10 } }
      simulation: { motion: still, noise: false }

      """
    let board = try BoardFile.parse(text, file: "lamp.yaml", catalogue: ChipCatalog.descriptions)
    let hub = MotionHub()
    try hub.use(served(board))
    var iterator = hub.samples(of: .illuminance, buffering: .unbounded).makeAsyncIterator()
    var last: Timestamp?
    for _ in 0..<4 {
      let sample = try #require(try await iterator.next())
      #expect(sample.channels == [.illuminance, .proximity])
      #expect(abs(sample.scalars[.illuminance] - 320) < 1e-6)
      if let last { #expect(abs((sample.timestamp - last).seconds - 0.1) < 0.05) }
      last = sample.timestamp
    }
  }

  /// Two chips are read one after the other, so a sample of the second may be as old as one of the
  /// first, or older.
  @Test func `samples of several chips all come, older ones too`() async throws {
    let (hub, source) = try rig([.acceleration, .magneticField])
    var iterator = hub.samples(of: [.acceleration, .magneticField], buffering: .unbounded)
      .makeAsyncIterator()
    var batches = hub.batches(
      of: .samples(of: [.acceleration, .magneticField]), every: .milliseconds(5),
      buffering: .newest(64)
    ).makeAsyncIterator()
    let sent: [(Int64, ChannelSet)] = [
      (10, .acceleration), (20, .acceleration), (20, .magneticField), (15, .magneticField),
      (30, .acceleration), (25, .magneticField), (40, .acceleration),
    ]
    for (time, channels) in sent {
      source.send(
        Sample(timestamp: Timestamp(nanoseconds: time * 1_000_000), channels: channels))
    }
    for (time, channels) in sent {
      let got = try #require(try await iterator.next())
      #expect(got.timestamp.nanoseconds == time * 1_000_000 && got.channels == channels)
    }
    var count = 0
    while count < sent.count - 1 { count += try #require(try await batches.next()).elements.count }
    #expect(count == sent.count - 1, "the last waits for the next")
  }

  /// A source with two chips on two buses.
  private final class TwoChips: MotionSource {
    let name = "two chips"
    let channels: ChannelSet = [.acceleration, .magneticField]
    let location: Location? = nil
    let trueNorth: TrueNorth? = nil
    let pipeline = MotionPipeline(chips: [.acceleration, .magneticField])
    var report: [ChipReport] { [] }
    func rate(of channel: Channel) -> Double? { nil }
    func start() throws(SessionError) {}
    func stop() {}
    func channels(ofChip index: Int) -> ChannelSet { channels }
    func sentence(for error: ChipError, ofChip index: Int) -> String { "" }
  }

  /// Each chip's samples are decimated separately: one per 0.1 s of either, although the second
  /// chip's are older.
  @Test func `thinned chips each keep their own pace`() async throws {
    let source = TwoChips()
    let hub = MotionHub()
    try hub.use(served(source))
    var iterator = hub.samples(
      of: source.channels, every: .milliseconds(100), buffering: .unbounded
    ).makeAsyncIterator()
    for index in 1...101 {
      let time = Timestamp(nanoseconds: Int64(index) * 10_000_000)
      source.pipeline.receive(Sample(timestamp: time, channels: .acceleration), from: 0)
      source.pipeline.receive(
        Sample(timestamp: time - .milliseconds(5), channels: .magneticField), from: 1)
    }
    for index in 0...10 {
      let time = Int64(10 + 100 * index) * 1_000_000
      #expect(try await iterator.next()?.timestamp.nanoseconds == time)
      #expect(try await iterator.next()?.timestamp.nanoseconds == time - 5_000_000)
    }
  }

  /// A source of two hubs runs from the first listener of either to the last of both.
  @Test func `a source of two hubs runs from the first listener to the last`() async throws {
    let (hub, source) = try rig()
    let other = MotionHub()
    try other.use(served(source))
    var iterator = other.accelerations().makeAsyncIterator()
    do {
      var first = hub.accelerations().makeAsyncIterator()
      source.send(Self.sample(10))
      #expect(try await first.next()?.timestamp.nanoseconds == 10_000_000)
    }
    #expect(try await MotionsTests.eventually { hub.reset() })
    try hub.use(served(source))
    #expect(source.isRunning && source.starts == 1)
    source.send(Self.sample(20))
    #expect(try await iterator.next()?.timestamp.nanoseconds == 10_000_000)
    #expect(try await iterator.next()?.timestamp.nanoseconds == 20_000_000)
    iterator = hub.accelerations().makeAsyncIterator()
    #expect(try await MotionsTests.eventually { other.reset() })
    withExtendedLifetime(iterator) { #expect(source.isRunning) }
  }

  /// 100 Hz reduced to 20 Hz: every fifth sample.
  @Test func `an interval of 50 ms takes each fifth of 100 Hz`() async throws {
    let (hub, source) = try rig()
    var iterator = hub.rotationRates(every: .milliseconds(50), buffering: .unbounded)
      .makeAsyncIterator()
    for index in 1...101 { source.send(Self.sample(Int64(index) * 10)) }
    for index in 0...20 {
      let got = try #require(try await iterator.next())
      #expect(got.timestamp.nanoseconds == Int64(10 + index * 50) * 1_000_000)
    }
  }

  @Test func `a loss before an item that thinning omits is reported with the next`() async throws {
    let (hub, source) = try rig()
    var iterator = hub.accelerations(every: .milliseconds(50)).makeAsyncIterator()
    var lost: UInt32 = 0
    for index: Int64 in 1...101 {
      // Losses between two selected items, and with a selected item.
      let missing: UInt32 = index == 33 ? 2 : index == 61 ? 3 : 0
      source.send(Self.sample(index * 10, missing: missing))
    }
    for _ in 0...20 { lost += try #require(try await iterator.next()).missing }
    #expect(lost == 5)
    #expect(iterator.statistics.lost == 5)
  }

  @Test func `statistics tell rate, jitter and loss, and the newest are kept`() async throws {
    let (hub, source) = try rig()
    var iterator = hub.accelerations(buffering: .newest(4)).makeAsyncIterator()
    #expect(iterator.statistics == StreamStatistics())
    // 9 and 11 ms alternately: 100 Hz with a jitter of one millisecond; two samples are lost before
    // the last.
    var time: Int64 = 1000
    for index in 0..<100 {
      time += index % 2 == 0 ? 9 : 11
      source.send(Self.sample(time))
    }
    source.send(Self.sample(time + 30, missing: 2))
    while iterator.statistics.delivered < 101 { try await Task.sleep(for: .milliseconds(5)) }
    let statistics = iterator.statistics
    #expect(abs(try #require(statistics.rate) - 100) < 0.2)
    #expect(abs(statistics.jitter / .milliseconds(1) - 1) < 0.01)
    #expect(statistics.longestGap == .milliseconds(30))
    #expect(statistics.lost == 2 && statistics.dropped == 97 && statistics.late == 0)
    // The four newest items are in the buffer.
    let first = try #require(try await iterator.next())
    #expect(first.timestamp.nanoseconds == (time - 20) * 1_000_000)
  }

  @Test func `the oldest samples are kept`() async throws {
    let (hub, source) = try rig()
    var iterator = hub.accelerations(buffering: .oldest(3)).makeAsyncIterator()
    for index in 1...10 { source.send(Self.sample(Int64(index))) }
    while iterator.statistics.delivered < 10 { try await Task.sleep(for: .milliseconds(5)) }
    for index in 1...3 {
      #expect(try await iterator.next()?.timestamp.nanoseconds == Int64(index) * 1_000_000)
    }
    #expect(iterator.statistics.dropped == 7)
  }

  /// The second loop begins after the first has had two items.
  @Test func `two loops over one stream have statistics of their own`() async throws {
    let (hub, source) = try rig()
    let stream = hub.accelerations()
    var first = stream.makeAsyncIterator()
    for index: Int64 in 1...2 { source.send(Self.sample(index * 10)) }
    for _ in 1...2 { #expect(try await first.next() != nil) }
    var second = stream.makeAsyncIterator()
    source.send(Self.sample(30, missing: 4))
    #expect(try await first.next() != nil)
    #expect(try await second.next() != nil)
    #expect(first.statistics.delivered == 3 && second.statistics.delivered == 1)
    #expect(first.statistics.rate == 100 && second.statistics.rate == nil)
  }

  /// A task that waits for a hub frees its thread, and a cancelled one stops waiting.
  @Test func `a flush ends with its task`() async throws {
    /// A source that never finishes a flush.
    final class Endless: MotionSource {
      let name = "endless"
      let channels: ChannelSet = .acceleration
      let location: Location? = nil
      let trueNorth: TrueNorth? = nil
      let pipeline = MotionPipeline(chips: [.acceleration])
      var report: [ChipReport] { [] }
      func rate(of channel: Channel) -> Double? { nil }
      func start() throws(SessionError) {}
      func stop() {}
      func channels(ofChip index: Int) -> ChannelSet { channels }
      func sentence(for error: ChipError, ofChip index: Int) -> String { "" }
      func flush(until deadline: Timestamp) async -> Bool {
        do { try await Task.sleep(for: .seconds(3600)) } catch { return false }
        return true
      }
    }
    let hub = MotionHub()
    try hub.use(Endless())
    let iterator = hub.accelerations().makeAsyncIterator()
    // More tasks than there are threads for tasks.
    let flushes = (0..<100).map { _ in Task { await hub.flush(within: .seconds(3600)) } }
    #expect(await Task.detached { true }.value)
    for task in flushes { task.cancel() }
    for task in flushes { #expect(await task.value == false) }
    withExtendedLifetime(iterator) {}
  }

  /// Fusion runs on scripted samples; a scripted motion is delivered unchanged, except for the
  /// origin of yaw.
  @Test func `fusion runs on sent samples, and a sent motion is handed on`() async throws {
    let (hub, source) = try rig()
    var iterator = hub.deviceMotions().makeAsyncIterator()
    for index in 1...50 {
      var still = Self.sample(Int64(index) * 10)
      still.rotationRate = .zero
      source.send(still)
    }
    let first = try #require(try await iterator.next())
    #expect(first.frame == .xArbitraryZVertical && first.heading == nil)
    #expect(abs(first.gravity.z + 1) < 1e-9 && first.userAcceleration.norm < 1e-9)

    var motion = MotionSample(timestamp: Timestamp(nanoseconds: 2_000_000_000))
    motion.contents = .attitude
    motion.attitude6 = Quaternion(angle: 1, axis: Vector3(0, 0, 1))
    motion.userAcceleration = Vector3(0.1, 0.2, 0.3)
    while try await iterator.next()?.timestamp.nanoseconds != 500_000_000 {}
    hub.resetYaw()
    source.send(motion)
    let scripted = try #require(try await iterator.next())
    #expect(scripted.userAcceleration == Vector3(0.1, 0.2, 0.3))
    #expect(abs(scripted.attitude.yaw) < 1e-12)
  }

  /// External measurements are accepted once there is an attitude, and refused before and with a
  /// service.
  @Test func `aiding is taken once there is an attitude`() async throws {
    let (hub, source) = try rig()
    #expect(!hub.aid(velocity: .zero, in: .device, sigma: 0.1, at: Timestamp(seconds: 0.2)))
    var iterator = hub.deviceMotions(buffering: .unbounded).makeAsyncIterator()
    for index in 1...20 { source.send(Self.sample(Int64(index) * 10)) }
    while try await iterator.next()?.timestamp.nanoseconds != 200_000_000 {}
    let isFused = !isServiceMode
    #expect(
      hub.aid(velocity: .zero, in: .device, sigma: 0.1, at: Timestamp(seconds: 0.2)) == isFused)
    #expect(hub.aid(altitude: 3, sigma: 0.1, at: Timestamp(seconds: 0.2)) == isFused)
    #expect(!hub.aid(yaw: .nan, sigma: 0.1, at: Timestamp(seconds: 0.2)))
    #expect(!hub.aid(yaw: 1, sigma: 0.1, at: Timestamp(seconds: 60)))
  }

  /// Each motion comes when the lag has passed, in order, with its covariance.
  @Test func `smoothed motions come when the lag has passed, with covariance`() async throws {
    let (hub, source) = try rig()
    var iterator = hub.smoothedMotions(lag: .milliseconds(300)).makeAsyncIterator()
    for index in 1...100 {
      var still = Self.sample(Int64(index) * 10)
      still.rotationRate = .zero
      source.send(still)
    }
    for index in 1...60 {
      let smoothed = try #require(try await iterator.next())
      #expect(smoothed.motion.timestamp.nanoseconds == Int64(index) * 10_000_000)
      #expect(abs(smoothed.motion.gravity.z + 1) < 1e-9)
      let sigma = smoothed.motion.inclinationSigma
      let covariance = smoothed.attitudeCovariance
      #expect(sigma > 0 && sigma < 0.1)
      #expect(max(covariance.m11, covariance.m22) <= sigma * sigma * (1 + 1e-9))
    }
    #expect(source.isRunning)
  }

  /// A device at rest that is turned: yaw begins at zero, follows the rotation, and begins again.
  @Test func `yaw begins at zero, and begins again when it is reset`() async throws {
    let (hub, source) = try rig()
    var iterator = hub.deviceMotions(buffering: .unbounded).makeAsyncIterator()
    func send(_ yaw: Double, _ milliseconds: Int64, corrected: Double? = nil) {
      var motion = MotionSample(timestamp: Timestamp(nanoseconds: milliseconds * 1_000_000))
      motion.contents = .attitude
      motion.attitude6 =
        Quaternion(angle: yaw, axis: Vector3(0, 0, 1))
        * Quaternion(angle: 0.7, axis: Vector3(1, 0, 0))
      source.send(motion)
    }
    for (index, yaw) in [1.0, 1.2, 1.5].enumerated() { send(yaw, Int64(index + 1) * 10) }
    for expected in [0, 0.2, 0.5] {
      let attitude = try #require(try await iterator.next()).attitude
      #expect(abs(attitude.yaw - expected) < 1e-12 && abs(attitude.pitch - 0.7) < 1e-12)
    }
    hub.resetYaw()
    for (index, yaw) in [1.6, 1.5].enumerated() { send(yaw, Int64(index + 5) * 10) }
    for expected in [0, -0.1] {
      let attitude = try #require(try await iterator.next()).attitude
      #expect(abs(attitude.yaw - expected) < 1e-12)
    }
  }

  /// Each loop has its own frame, until a reset gives all the same.
  @Test func `each loop begins with yaw zero, and a reset lines all up`() async throws {
    let (hub, source) = try rig()
    func send(_ yaw: Double, _ milliseconds: Int64) {
      var motion = MotionSample(timestamp: Timestamp(nanoseconds: milliseconds * 1_000_000))
      motion.contents = .attitude
      motion.attitude6 = Quaternion(angle: yaw, axis: Vector3(0, 0, 1))
      source.send(motion)
    }
    var first = hub.deviceMotions(buffering: .unbounded).makeAsyncIterator()
    send(0.7, 10)
    #expect(try abs(#require(await first.next()).attitude.yaw) < 1e-12)
    var second = hub.deviceMotions(buffering: .unbounded).makeAsyncIterator()
    for (index, yaw) in [1.0, 1.2].enumerated() { send(yaw, Int64(index + 2) * 10) }
    for (ofFirst, ofSecond) in [(0.3, 0.0), (0.5, 0.2)] {
      #expect(try abs(#require(await first.next()).attitude.yaw - ofFirst) < 1e-12)
      #expect(try abs(#require(await second.next()).attitude.yaw - ofSecond) < 1e-12)
    }
    hub.resetYaw()
    for (index, yaw) in [2.0, 2.5].enumerated() { send(yaw, Int64(index + 4) * 10) }
    for expected in [0, 0.5] {
      #expect(try abs(#require(await first.next()).attitude.yaw - expected) < 1e-12)
      #expect(try abs(#require(await second.next()).attitude.yaw - expected) < 1e-12)
    }
  }

  @Test func `without a magnetometer fields and motions end with an error`() async throws {
    let (hub, source) = try rig([.acceleration])
    var fields = hub.magneticFields().makeAsyncIterator()
    let error = await #expect(throws: SessionError.self) { _ = try await fields.next() }
    #expect(
      error?.description
        == "script has no magnetometer: add one to the board file, or choose another board")
    var motions = hub.deviceMotions().makeAsyncIterator()
    await #expect(throws: SessionError.self) { _ = try await motions.next() }
    #expect(!source.isRunning)
  }

  @Test func `true north without a place is refused`() async throws {
    let (hub, _) = try rig([.acceleration, .rotationRate, .magneticField])
    var motions = hub.deviceMotions(in: .xTrueNorthZVertical).makeAsyncIterator()
    let error = await #expect(throws: SessionError.self) { _ = try await motions.next() }
    #expect(error?.description.contains("has no location") == true)
  }

  @Test func `what was refused may start later`() async throws {
    let (hub, source) = try rig()
    source.refuse(.missing(.acceleration, source: "test"))
    var first = hub.accelerations().makeAsyncIterator()
    await #expect(throws: SessionError.self) { _ = try await first.next() }
    #expect(hub.access == .unknown && source.starts == 0)
    source.refuse(nil)
    var second = hub.accelerations().makeAsyncIterator()
    source.send(Self.sample(10))
    #expect(try await second.next() != nil)
    #expect(source.starts == 1)
  }

  /// Two loops on one source, which stops with the second.
  @Test func `the end of the last loop stops the sensors`() async throws {
    let (hub, source) = try rig()
    var first: SensorStream<VectorSample>.Iterator? = hub.accelerations().makeAsyncIterator()
    var second: SensorStream<VectorSample>.Iterator? = hub.rotationRates().makeAsyncIterator()
    source.send(Self.sample(10))
    #expect(try await first?.next() != nil)
    #expect(try await second?.next()?.vector == Vector3(0.25, 0, 0))
    first = nil
    #expect(source.isRunning && source.starts == 1)
    second = nil
    #expect(!source.isRunning)
    #expect(hub.reset())
  }
}
