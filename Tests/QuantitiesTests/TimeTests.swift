// SPDX-License-Identifier: Apache-2.0
import Quantities
import Testing

@Suite struct TimeTests {
  @Test func `seconds are rounded to nanoseconds`() {
    #expect(TimeSpan(seconds: 0.0035).nanoseconds == 3_500_000)
    #expect(TimeSpan(seconds: 1e-9).nanoseconds == 1)
    #expect(TimeSpan(seconds: 1.5e-9).nanoseconds == 2)
    #expect(TimeSpan(seconds: 0.4e-9).nanoseconds == 0)
    #expect(TimeSpan(seconds: -1.25).nanoseconds == -1_250_000_000)
    #expect(Timestamp(seconds: 86_400.000000001).nanoseconds == 86_400_000_000_001)
  }

  @Test func `seconds out of range are held at the ends`() {
    #expect(TimeSpan(seconds: .nan).nanoseconds == 0)
    #expect(TimeSpan(seconds: .infinity).nanoseconds == Int64.max)
    #expect(TimeSpan(seconds: -.infinity).nanoseconds == Int64.min)
    #expect(TimeSpan(seconds: 1e300).nanoseconds == Int64.max)
    #expect(TimeSpan(seconds: -1e300).nanoseconds == Int64.min)
    #expect(TimeSpan(seconds: .greatestFiniteMagnitude).nanoseconds == Int64.max)
    #expect(Timestamp(seconds: 9.3e9).nanoseconds == Int64.max)
    #expect(Timestamp(seconds: -9.3e9).nanoseconds == Int64.min)
    #expect(Timestamp(seconds: 9.19e9).nanoseconds == 9_190_000_000_000_000_000)
    #expect(Timestamp(seconds: .nan) == .zero)
  }

  @Test func `whole units are as many nanoseconds`() {
    #expect(TimeSpan.seconds(3).nanoseconds == 3_000_000_000)
    #expect(TimeSpan.milliseconds(-4).nanoseconds == -4_000_000)
    #expect(TimeSpan.microseconds(5).nanoseconds == 5_000)
    #expect(TimeSpan.zero.nanoseconds == 0)
    #expect(TimeSpan.milliseconds(2500).seconds == 2.5)
  }

  @Test func `spans and moments add, scale and compare`() {
    let span = TimeSpan(nanoseconds: 7)
    #expect((span + TimeSpan(nanoseconds: -9)).nanoseconds == -2)
    #expect((span * 3).nanoseconds == 21)
    #expect((span / 2).nanoseconds == 3)
    #expect((TimeSpan(nanoseconds: -7) / 2).nanoseconds == -3)
    #expect((span / 0).nanoseconds == 0)
    #expect(TimeSpan(nanoseconds: -1) < .zero)
    let moment = Timestamp(nanoseconds: 1_000)
    #expect((moment + span).nanoseconds == 1_007)
    #expect((moment - span).nanoseconds == 993)
    #expect((moment - Timestamp(nanoseconds: 1_500)).nanoseconds == -500)
    #expect(moment < .distantFuture)
  }

  /// The longest span divided by -1 is one nanosecond too long for its type; this must not trap.
  @Test func `the longest spans divided by -1 do not trap`() {
    #expect((TimeSpan(nanoseconds: .min) / -1).nanoseconds == Int64.max)
    #expect((TimeSpan(nanoseconds: .max) / -1).nanoseconds == -Int64.max)
  }

  @Test func `times are clamped at the ends of their range`() {
    let end = Timestamp.distantFuture
    let start = Timestamp(nanoseconds: .min)
    #expect(end + TimeSpan(nanoseconds: 1) == end)
    #expect(end + TimeSpan(nanoseconds: .max) == end)
    #expect(start + TimeSpan(nanoseconds: -1) == start)
    #expect(start - TimeSpan(nanoseconds: 1) == start)
    #expect(start - TimeSpan(nanoseconds: .max) == start)
    #expect(end - TimeSpan(nanoseconds: -1) == end)
    #expect(Timestamp.zero - TimeSpan(nanoseconds: .min) == end)
    #expect((end + TimeSpan(nanoseconds: .min)).nanoseconds == -1)
  }

  /// The order of two times and the sign of their difference agree, even at the ends of the clock.
  @Test func `durations are clamped at the ends of their range`() {
    let moments = [Int64.min, -1, 0, 1, Int64.max].map { Timestamp(nanoseconds: $0) }
    for a in moments {
      for b in moments {
        #expect((a < b) == ((a - b) < .zero))
        #expect((a == b) == ((a - b) == .zero))
      }
    }
    #expect((Timestamp.distantFuture - Timestamp(nanoseconds: -1)).nanoseconds == Int64.max)
  }

  @Test func `each channel is a separate bit`() {
    let set: ChannelSet = [.acceleration, .pressure]
    #expect(set.contains(.acceleration) && set.contains(.pressure))
    #expect(!set.contains(Channel.rotationRate))
    #expect(
      Channel.allCases.prefix(8).map { ChannelSet($0).rawValue } == [1, 2, 4, 8, 16, 32, 64, 128])
    #expect(ChannelSet(Channel.allCases) == .all && Channel.allCases.count <= UInt16.bitWidth)
    #expect(Sample(timestamp: .zero).channels == [])
  }
}
