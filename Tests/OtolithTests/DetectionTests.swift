// SPDX-License-Identifier: Apache-2.0
import Otolith
import Sensors
import ServedSources
import Synchronization
import Testing

/// The chips' own detections are delivered to receivers.
@Suite(.timeLimit(.minutes(1))) struct DetectionTests {
  private final class Receiver: MotionReceiver {
    let taken = Mutex<[SourcedDetection]>([])

    func receive(_ sample: SourcedSample) {}
    func receive(_ motion: MotionSample) {}
    func receive(_ detection: SourcedDetection) { taken.withLock { $0.append(detection) } }
    func missed(_ count: UInt64) {}
    func chipsChanged(_ chips: [ChipState]) {}
    /// The demand is small but not empty, because otherwise the chips may sleep.
    var demand: SampleDemand { SampleDemand(.acceleration, at: 1) }
  }

  @Test func `detections are handed on in order, none from before`() async throws {
    let source = ScriptedSource()
    let hub = MotionHub()
    try hub.use(served(source))
    let early = Receiver()
    let listening = try hub.listen(early)
    source.send(Detection(.step, at: Timestamp(seconds: 1), detail: 1))
    #expect(await hub.flush())
    let late = Receiver()
    let second = try hub.listen(late)
    source.send(Detection(.step, at: Timestamp(seconds: 2), detail: 2))
    source.send(Detection(.singleTap, at: Timestamp(seconds: 3), detail: -3))
    #expect(await hub.flush())
    #expect(early.taken.withLock { $0 }.map(\.detection.detail) == [1, 2, -3])
    #expect(
      late.taken.withLock { $0 }
        == [
          SourcedDetection(
            Detection(.step, at: Timestamp(seconds: 2), detail: 2), source: 0),
          SourcedDetection(
            Detection(.singleTap, at: Timestamp(seconds: 3), detail: -3), source: 0),
        ])
    second.stop()
    listening.stop()
  }
}
