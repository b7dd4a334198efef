// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// A chip with separate topics, because another chip of the board has the same quantities:
/// `/imu_b/imu/data_raw`.
package struct ROSChip: Sendable {
  /// The chip's place in the board.
  package let source: Int
  /// The channels of its topics.
  package let channels: [MCAPChannel]
  private let number: Int

  /// The chips of `columns`, with valid and unique ROS 2 namespaces.
  package static func all(of columns: ChipColumns) -> [ROSChip] {
    var taken: Set<String> = []
    return columns.chips.enumerated().map { index, chip in
      let plain = name(chip.name)
      var name = plain
      var number = 1
      while !taken.insert(name).inserted {
        number += 1
        name = "\(plain)_\(number)"
      }
      return ROSChip(chip, number: index + 1, namespace: "/" + name)
    }
  }

  private init(_ chip: ChipColumns.Chip, number: Int, namespace: String) {
    source = chip.source
    self.number = number
    channels = ROSTopic.measured(of: chip.channels).map { topic in
      var channel = MCAPChannel(topic)
      channel.id = Self.id(topic, number)
      channel.topic = namespace + topic.name
      return channel
    }
  }

  /// Returns the channel of the chip's messages on `topic`.
  package func channel(_ topic: ROSTopic) -> UInt16 { Self.id(topic, number) }

  /// The first number after those of the topics without a chip.
  private static func id(_ topic: ROSTopic, _ number: Int) -> UInt16 {
    UInt16(clamping: 100 * number + Int(topic.rawValue))
  }

  /// The name as a token of a topic: letters, digits and '_', not a digit first
  /// (design.ros2.org, Topic and Service name mapping to DDS).
  private static func name(_ chip: String) -> String {
    let plain = chip.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
    let isPlain = plain.first?.isLetter ?? false
    return (isPlain ? "" : "chip_") + String(plain)
  }
}
