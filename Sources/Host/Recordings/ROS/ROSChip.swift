// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// A chip that has its own topics, because another chip of the board has the same quantities:
/// `/imu_b/imu/data_raw`.
package struct ROSChip: Sendable {
  /// The index of the chip in the board.
  package let source: Int
  /// The channels of the chip's topics.
  package let channels: [MCAPChannel]
  private let number: Int

  /// Returns the chips of `columns`, with ROS 2 namespaces that are valid and unique.
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

  /// Returns the number of the channel for the chip's messages on `topic`.
  package func channel(_ topic: ROSTopic) -> UInt16 { Self.id(topic, number) }

  /// Returns a channel number after the numbers of the topics that belong to no chip.
  private static func id(_ topic: ROSTopic, _ number: Int) -> UInt16 {
    UInt16(clamping: 100 * number + Int(topic.rawValue))
  }

  /// Returns the name as a token of a topic: letters, digits and '_', without a digit at the start
  /// (design.ros2.org, Topic and Service name mapping to DDS).
  static func name(_ chip: String) -> String {
    let plain = chip.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
    let isPlain = plain.first?.isLetter ?? false
    return (isPlain ? "" : "chip_") + String(plain)
  }
}
