// SPDX-License-Identifier: Apache-2.0
import Foundation
import Otolith
import Quantities
import Runtime
import Testing

/// The motion of single chips, as asynchronous sequences.
@Suite(.timeLimit(.minutes(1))) struct ChipAttitudesTests {
  /// Returns what a chip measures that is pitched about y by `angle` and turns at `rate`.
  private static func sample(_ step: Int, angle: Double, rate: Double) -> Sample {
    var sample = Sample(
      timestamp: Timestamp(seconds: 1 + Double(step) / 100),
      channels: [.acceleration, .rotationRate])
    sample.acceleration = Vector3(sin(angle), 0, -cos(angle))
    sample.rotationRate = Vector3(0, rate, 0)
    return sample
  }

  /// The angle of the knee in rad, t seconds after the first sample, and its rate in rad/s.
  private static func knee(_ t: Double) -> Double { 30 * degree * (1 - cos(.pi * t)) }
  private static func bending(_ t: Double) -> Double { 30 * degree * .pi * sin(.pi * t) }

  /// Collects the first `count` motions of a chip.
  private func collect(_ chip: String, of hub: MotionHub, _ count: Int) -> Task<
    [MotionSample], any Error
  > {
    Task {
      var motions: [MotionSample] = []
      for try await motion in hub.attitudes(of: chip) where motion.contents.contains(.attitude) {
        motions.append(motion)
        if motions.count == count { break }
      }
      return motions
    }
  }

  /// The thigh stays at 10 degrees while the shank bends by up to 60 degrees, so that the angle
  /// between both is that of the knee.
  @Test func `two chips of one board have separate attitudes`() async throws {
    let source = ScriptedSource([.acceleration, .rotationRate], chips: ["thigh", "shank"])
    let hub = MotionHub()
    try hub.use(source)
    let thigh = collect("thigh", of: hub, 400)
    let shank = collect("shank", of: hub, 400)
    // Both loops listen once the demand is for all samples of both; sample until both have enough.
    #expect(try await MotionsTests.eventually { source.isRunning })
    let player = Task {
      var step = 0
      while !Task.isCancelled {
        let t = Double(step) / 100
        source.send(Self.sample(step, angle: 10 * degree, rate: 0), from: "thigh")
        source.send(
          Self.sample(step, angle: 10 * degree + Self.knee(t), rate: Self.bending(t)),
          from: "shank")
        step += 1
        if step % 50 == 0 { try await Task.sleep(for: .milliseconds(1)) }
      }
    }
    let (upper, lower) = (try await thigh.value, try await shank.value)
    player.cancel()
    var compared = 0
    for motion in lower {
      guard let other = upper.first(where: { $0.timestamp == motion.timestamp }) else { continue }
      let bend = other.attitude6.conjugate * motion.attitude6
      let angle = 2 * atan2(bend.y, bend.w)
      let expected = Self.knee(motion.timestamp.seconds - 1)
      #expect(abs(angle - expected) < 1.5 * degree)
      compared += 1
    }
    #expect(compared > 100)
    // The board's motion is that of the first chip.
    let board = try #require(source.pipeline.motions.newest)
    #expect(abs(board.gravity.x - sin(10 * degree)) < 0.01)
  }

  @Test func `a chip that the board has not is refused`() async throws {
    let hub = MotionHub()
    try hub.use(ScriptedSource([.acceleration, .rotationRate], name: "leg", chips: ["thigh"]))
    let error = await #expect(throws: SessionError.self) {
      for try await _ in hub.attitudes(of: "foot") {}
    }
    #expect(
      error?.description
        == "leg has no chip called 'foot': use the name of a chip in its board file")
  }

  @Test func `of a chip that is alone the samples of motion are used`() async throws {
    let hub = try MotionsTests.hub()
    var count = 0
    for try await motion in hub.attitudes(of: "imu") {
      if motion.contents.contains(.attitude) { #expect(abs(motion.gravity.z + 1) < 0.01) }
      count += 1
      if count == 20 { break }
    }
    #expect(count == 20)
  }
}

/// One degree in radians.
private let degree = Double.pi / 180
