// SPDX-License-Identifier: Apache-2.0
import Quantities
import Sensors
import Testing

/// Tests of readings of chips, channel by channel.
@Suite struct ChannelReadingTests {
  /// Each channel has its own place in a reading, which is as wide as the channel's row says. A
  /// mounting without a turn keeps the values, except for acceleration, whose sign is that of Core
  /// Motion.
  @Test(arguments: Channel.allCases) func `a reading has room for it`(_ channel: Channel) {
    let value = Vector3(1, 2, 3)
    let held = channel.width == 3 ? value : Vector3(1, 0, 0)
    var reading = ChipReading(channels: ChannelSet(channel))
    reading[channel] = value
    for other in Channel.allCases {
      #expect(reading[other] == (other == channel ? held : .zero))
    }
    let mounted = Mounting().sample(reading, at: .zero)
    #expect(mounted.channels == ChannelSet(channel))
    #expect(mounted[channel] == (channel == .acceleration ? -held : held))
    #expect(Mounting().reading(mounted) == reading)
  }

  @Test func `single numbers are stored without gaps`() {
    let count = Channel.allCases.count { !$0.isVector }
    #expect(MemoryLayout<ScalarValues>.size == count * MemoryLayout<Scalar>.size)
  }
}
