// SPDX-License-Identifier: Apache-2.0
import Quantities
import Redundancy
import Runtime
import Testing

/// Tests of what is said about a channel whose values differ from those of other chips.
@Suite struct ChannelConditionTests {
  /// The causes are those of docs/bring-up.md, which another test compares with the catalogue.
  @Test(arguments: [
    (SensorCondition.State.silent, "no-samples"), (.frozen, "stuck-readings"),
    (.biased, "disagreement"), (.noisy, "noisy-supply"), (.clipping, "out-of-range"),
    (.slow, "late-samples"), (.glitching, "unreliable-bus"), (.implausible, "invalid-readings"),
    (.disagreeing, "disagreement"),
  ])
  func `each state of an axis has its cause`(_ state: SensorCondition.State, _ cause: String) {
    #expect(state.cause?.rawValue == cause)
    var condition = SensorCondition()
    condition.z = state
    let channel = ChannelCondition(.acceleration, condition)
    #expect(channel.causes.map(\.rawValue) == [cause])
    #expect(channel.faults.map(\.axis) == ["z"] && channel.faults.map(\.state) == ["\(state)"])
    #expect(channel.faults.map(\.cause.rawValue) == [cause])
  }

  @Test func `a good channel has no cause`() {
    #expect(ChannelCondition(.pressure, SensorCondition()).causes.isEmpty)
    #expect(ChannelCondition(.pressure, SensorCondition()).fault == nil)
  }

  @Test func `a fault is reported with its cause and the next step`() {
    var frozen = SensorCondition()
    frozen.y = .frozen
    #expect(
      ChannelCondition(.rotationRate, frozen).fault
        == "its rotation rate on y is frozen (stuck-readings): the value repeats to the last bit for "
        + "longer than the part's noise allows: the sensor has stopped; switch its supply off and on"
    )
    var slow = SensorCondition()
    slow.x = .slow
    #expect(
      ChannelCondition(.pressure, slow).fault
        == "its pressure is slow (late-samples): its samples come more rarely or later than they "
        + "should: edges of its interrupt are missed, or the bus or this machine is too busy; look "
        + "for the edges of its interrupt: otolith interrupt --chip NAME")
    var disagreeing = SensorCondition()
    (disagreeing.x, disagreeing.y, disagreeing.z) = (.disagreeing, .disagreeing, .disagreeing)
    #expect(
      ChannelCondition(.acceleration, disagreeing).fault
        == "its acceleration is disagreeing (disagreement): its values differ from those of other "
        + "chips by more than the errors of the parts explain; nothing shows which is right, so all "
        + "are used; check that it is fastened, and how it is mounted: otolith calibrate alignment")
    // The chip's reader counts readings at the end of the range, and has a sentence for them.
    var clipping = SensorCondition()
    clipping.x = .clipping
    #expect(ChannelCondition(.acceleration, clipping).fault == nil)
  }
}
