// SPDX-License-Identifier: Apache-2.0
import Quantities
import Recognition
import Testing

struct WalkingMeterTests {
  private func step(_ seconds: Double, swing: Double = 0.65) -> Step {
    Step(timestamp: Timestamp(seconds: seconds), confidence: 1, swing: swing)
  }

  private func events(_ meter: inout WalkingMeter) -> [WalkingEvent] {
    var events: [WalkingEvent] = []
    while let event = meter.nextEvent() { events.append(event) }
    return events
  }

  /// 1.75 steps per second of 0.65 g have a length of 0.3 heights: 0.51 m of 1.7 m.
  @Test func `an even walk goes as far as the model says`() {
    var meter = WalkingMeter()
    for index in 0..<700 { meter.add(step(100 + Double(index) / 1.75)) }
    #expect(meter.steps == 700)
    #expect(abs(meter.distance - 700 * 0.51) < 0.6)
    // The first step is counted as 0.57 s, because its beginning is unknown.
    #expect(abs(meter.activeTime - (699 / 1.75 + 0.57)) < 1e-6)
    #expect(abs((meter.cadence ?? 0) - 1.75) < 1e-6)
    // 1.75 * 0.51 = 0.8925 m/s.
    #expect(abs((meter.pace ?? 0) - 1 / 0.8925) < 1e-6)
  }

  /// Sekiya's walk ratio: length over cadence is the same at every speed.
  @Test(arguments: [1.0, 1.4, 2.0, 2.6])
  func `length goes with cadence and with height`(cadence: Double) {
    let length = StepLengthModel().length(interval: 1 / cadence, swing: 0.65)
    #expect(abs(length / cadence - 0.51 / 1.75) < 1e-9)
    let tall = StepLengthModel(height: 2.04).length(interval: 1 / cadence, swing: 0.65)
    #expect(abs(tall / length - 1.2) < 1e-9)
    let calibrated = StepLengthModel(scale: 1.1).length(interval: 1 / cadence, swing: 0.65)
    #expect(abs(calibrated / length - 1.1) < 1e-9)
  }

  /// 32 times the swing would double the length (32 to the power 0.2), but steps are limited to 8
  /// times, a factor of 1.516.
  @Test func `strong steps are longer, within what steps can be`() {
    let model = StepLengthModel()
    let plain = model.length(interval: 0.5, swing: 0.65)
    #expect(abs(model.length(interval: 0.5, swing: 1.3) / plain - 1.1487) < 1e-4)
    #expect(abs(model.length(interval: 0.5, swing: 65) / plain - 1.5157) < 1e-4)
    #expect(model.length(interval: 0.5, swing: 0) == plain)
    for odd in [-1, 0, Double.nan, .infinity] {
      #expect(model.length(interval: odd, swing: 0.65) == 0)
      #expect(model.length(interval: 0.5, swing: odd).isFinite)
    }
  }

  @Test func `a pause is the last step, a resumption the first`() {
    var meter = WalkingMeter()
    for index in 0..<10 { meter.add(step(Double(index) * 0.5)) }
    #expect(events(&meter) == [WalkingEvent(.resume, timestamp: .zero)])
    // Steps are reported late: 4.9 s after the last there may be more.
    meter.advance(to: Timestamp(seconds: 4.5 + 4.9))
    #expect(meter.isWalking && events(&meter).isEmpty)
    meter.advance(to: Timestamp(seconds: 4.5 + 5.1))
    #expect(!meter.isWalking && meter.cadence == nil && meter.pace == nil)
    #expect(events(&meter) == [WalkingEvent(.pause, timestamp: Timestamp(seconds: 4.5))])
    let before = meter.distance
    meter.add(step(60))
    #expect(events(&meter) == [WalkingEvent(.resume, timestamp: Timestamp(seconds: 60))])
    // One step gives no cadence, and the pause of fifty seconds does not belong to it.
    #expect(meter.cadence == nil && meter.distance - before < 0.6)
    #expect(abs(meter.activeTime - (4.5 + 2 * 0.57)) < 1e-9)
  }

  @Test func `two walks reported at once have a pause between them`() {
    var meter = WalkingMeter()
    for time in [0, 0.5, 1, 1.5, 10, 10.5, 11] { meter.add(step(time)) }
    #expect(
      events(&meter).map { "\($0.kind) \($0.timestamp.seconds)" }
        == ["resume 0.0", "pause 1.5", "resume 10.0"])
  }

  @Test func `a clock that starts again begins another walk, and a repeated step takes no time`() {
    var meter = WalkingMeter()
    for time in [100, 100.5, 100.5, 101, 3, 3.5, 4] { meter.add(step(time)) }
    #expect(meter.steps == 7)
    #expect(abs(meter.activeTime - (1 + 1 + 2 * 0.57)) < 1e-9)
    #expect(events(&meter).map(\.kind) == [.resume, .pause, .resume])
    #expect(meter.distance.isFinite && meter.distance < 7 * 0.6)
  }

  @Test func `of events that are not taken the newest eight are kept`() {
    var meter = WalkingMeter()
    for index in 0..<10 { meter.add(step(Double(index) * 10)) }
    let left = events(&meter)
    #expect(
      left.count == 8 && left.last == WalkingEvent(.resume, timestamp: Timestamp(seconds: 90)))
  }
}
