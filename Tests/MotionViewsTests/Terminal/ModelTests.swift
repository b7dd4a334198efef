// SPDX-License-Identifier: Apache-2.0
import Fusion
import Quantities
import MotionViews
import Testing

/// The values that are known at a time, and the effects of keys.
@Suite struct ModelTests {
  private func model() -> MonitorModel {
    var chip = MonitorScene.Chip(name: "imu", kind: "k", configuredRate: 100)
    chip.state = .delivering
    return MonitorModel(
      MonitorScene(
        board: "b", reason: "r", channels: [.acceleration], frame: "f", isNorth: false,
        chips: [chip]))
  }

  private func motion(_ seconds: Double, _ x: Double) -> MotionSample {
    var motion = MotionSample(timestamp: Timestamp(seconds: seconds))
    motion.userAcceleration = Vector3(x, 0, 0)
    return motion
  }

  @Test func `what is frozen stays until it is live again`() {
    var model = model()
    model.add(motion(1, 0.25))
    model.press(.freeze)
    model.add(motion(2, 0.5))
    let held = model.scene(at: Timestamp(seconds: 2))
    #expect(held.isFrozen && held.motion?.userAcceleration.x == 0.25)
    // The range of the bars changes even while the display is frozen.
    model.press(.widen)
    #expect(model.scene(at: Timestamp(seconds: 2)).range.acceleration == 2)
    model.press(.freeze)
    let live = model.scene(at: Timestamp(seconds: 2))
    #expect(!live.isFrozen && live.motion?.userAcceleration.x == 0.5)
    #expect(live.range.acceleration == 2)
  }

  @Test func `the key that closes the help does nothing else`() {
    var model = model()
    model.press(.help)
    #expect(model.scene(at: .zero).showsHelp)
    model.press(.freeze)
    #expect(!model.scene(at: .zero).showsHelp && !model.isFrozen)
    model.press(.help)
    model.press(.other)
    #expect(!model.scene(at: .zero).showsHelp)
  }

  @Test func `each key has its meaning, all others none`() {
    #expect(MonitorKey(UInt8(ascii: "q")) == .quit && MonitorKey(0x03) == .quit)
    #expect(MonitorKey(UInt8(ascii: "?")) == .help && MonitorKey(UInt8(ascii: "z")) == .other)
  }

  /// 4 ms between samples are 250 Hz.
  @Test func `a rate follows from the samples' times, whatever the frames`() {
    var meter = RateMeter()
    for index in 0...250 { meter.add(Timestamp(nanoseconds: Int64(index) * 4_000_000)) }
    #expect(meter.rate(at: Timestamp(seconds: 1)) == 250)
    #expect(meter.rate(at: Timestamp(seconds: 3.9)) == 250)
    #expect(meter.rate(at: Timestamp(seconds: 4)) == nil, "three seconds of nothing")
  }

  /// A chip that stops delivering is named, and so is its return.
  @Test func `a chip that says nothing is silent, and comes back`() {
    var model = model()
    model.addSample(ofChip: 0, at: Timestamp(seconds: 1))
    #expect(model.scene(at: Timestamp(seconds: 2)).chips[0].state == .delivering)
    let state = model.scene(at: Timestamp(seconds: 4)).chips[0].state
    #expect(state == .silent(seconds: 3))
    // The source's state is read again for each frame.
    model.scene.chips[0].state = .delivering
    model.addSample(ofChip: 0, at: Timestamp(seconds: 4.5))
    #expect(model.scene(at: Timestamp(seconds: 4.6)).chips[0].state == .delivering)
  }

  @Test func `the age of a motion spans the frame`() {
    var model = model()
    model.add(motion(1, 0))
    _ = model.scene(at: Timestamp(seconds: 1.25))
    let scene = model.scene(at: Timestamp(seconds: 1.5))
    #expect(scene.age == 0.25...0.5 && scene.silence == nil)
    #expect(model.scene(at: Timestamp(seconds: 4)).silence == 3)
  }

  /// A slice covers 0.1 s.
  @Test func `a slice of history has its newest vector and its greatest length`() {
    var history = MotionHistory()
    for (time, x) in [(0.01, 0.3), (0.05, -2), (0.09, 0.1), (0.11, 0.2)] {
      history.add(motion(time, x))
    }
    #expect(history.slices.map(\.greatestAcceleration) == [2, 0.2])
    #expect(history.slices.map(\.acceleration.x) == [0.1, 0.2])
  }
}
