// SPDX-License-Identifier: Apache-2.0
import Quantities
import Testing

/// The table of channels.
@Suite struct ChannelRowTests {
  @Test func `no two rows have a name, a key or words in common`() {
    let rows = Channel.allCases.map(\.row)
    for texts in [rows.map { "\($0.name)" }, rows.map { "\($0.key)" }, rows.map { "\($0.words)" }] {
      #expect(Set(texts).count == Channel.allCases.count)
    }
    for row in rows {
      let texts = [row.name, row.key, row.words, row.sensor, row.unit, row.unitWords].map {
        "\($0)"
      }
      #expect(texts.allSatisfy { !$0.isEmpty })
      #expect("\(row.key)".wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil)
      #expect("\(row.name)".wholeMatch(of: /[a-z]+([A-Z][a-z]+)*/) != nil)
      #expect(row.noise.factor > 0 && row.limits.lowerBound < row.limits.upperBound)
    }
  }

  /// Every number of the table is typed again, because they are used in messages and files.
  @Test func `numbers, names and widths stay what they are`() {
    let rows = Channel.allCases.map { "\($0.rawValue) \($0.row.name) \($0.width) \($0.unit)" }
    #expect(
      rows == [
        "0 acceleration 3 g", "1 rotationRate 3 rad/s", "2 magneticField 3 uT", "3 pressure 1 kPa",
        "4 temperature 1 degC", "5 humidity 1 %", "6 illuminance 1 lx", "7 proximity 1 of 1",
      ])
  }

  @Test func `each channel has a separate place in a sample`() {
    var sample = Sample(timestamp: .zero)
    for channel in Channel.allCases {
      let number = Double(channel.rawValue) + 1
      sample[channel] =
        channel.isVector ? Vector3(number, -number, 0.5) : Vector3(number, 0, 0)
    }
    for channel in Channel.allCases {
      let number = Double(channel.rawValue) + 1
      #expect(
        sample[channel]
          == (channel.isVector ? Vector3(number, -number, 0.5) : Vector3(number, 0, 0)))
    }
    #expect(sample.pressure == 4 && sample.temperature == 5 && sample.humidity == 6)
    #expect(sample.scalars[.illuminance] == 7 && sample.scalars[.proximity] == 8)
    var other = sample
    other.scalars[.proximity] = 0
    #expect(other != sample)
  }
}
