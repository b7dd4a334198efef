// SPDX-License-Identifier: Apache-2.0
package import SourceReading
package import Otolith
package import Recordings
package import Runtime

/// A converter from samples and motion to the ROS 2 messages in an MCAP file.
package struct MessageMaker {
  package let channels: [MCAPChannel]
  private let topics: Set<ROSTopic>
  private let isNorth: Bool
  private let encoder: ROSEncoder
  /// The chips that have channels which fusion takes from another chip, by their indices in the
  /// board.
  private let chips: [Int: ROSChip]

  /// Creates a converter for the channels in `channels` and for the chips in `chips`. Attitudes are
  /// in `frame`.
  package init(
    of channels: ChannelSet, _ chips: ChipColumns = ChipColumns(), frame: FrameOption,
    encoder: ROSEncoder, isWithoutTransform: Bool
  ) {
    let chips = ROSChip.all(of: chips)
    self.chips = Dictionary(uniqueKeysWithValues: chips.map { ($0.source, $0) })
    let topics = ROSTopic.all(of: channels).filter {
      $0 != .transform || !isWithoutTransform
    }
    self.channels = topics.map { MCAPChannel($0) } + chips.flatMap(\.channels)
    self.topics = Set(topics)
    isNorth = frame.isNorth
    self.encoder = encoder
  }

  package func messages(_ sample: Sample, stamp: Int64) -> [MCAPMessage] {
    made(encoder.messages(sample, stamp: stamp), stamp)
  }

  /// Returns the messages for a sample that fusion does not use, from the chip with index `source`.
  package func messages(_ sample: Sample, of source: Int, stamp: Int64) -> [MCAPMessage] {
    guard let chip = chips[source] else { return [] }
    return encoder.messages(sample, stamp: stamp).map {
      MCAPMessage(channel: chip.channel($0.topic), time: stamp, data: $0.bytes)
    }
  }

  package func messages(
    _ row: MotionRow, of motion: MotionSample, biasSigma: Double, stamp: Int64
  ) -> [MCAPMessage] {
    let sigmas = (
      tilt: Optional(motion.inclinationSigma),
      // In frames without north the heading is undefined, so its standard deviation is pi.
      heading: Optional(isNorth ? motion.headingSigma : .pi), bias: Optional(biasSigma)
    )
    return made(encoder.messages(row, sigmas: sigmas, isNorth: isNorth, stamp: stamp), stamp)
  }

  package func message(_ parts: [ROSEncoder.Status], stamp: Int64) -> [MCAPMessage] {
    made([encoder.message(parts, stamp: stamp)], stamp)
  }

  private func made(_ messages: [ROSEncoder.Message], _ stamp: Int64) -> [MCAPMessage] {
    messages.filter { topics.contains($0.topic) }.map {
      MCAPMessage(channel: $0.topic.rawValue, time: stamp, data: $0.bytes)
    }
  }

  /// Returns an error message if `time` does not fit into a ROS 2 timestamp; otherwise `nil`.
  package static func refusal(of time: UTCTime) -> String? {
    guard !ROSEncoder.stamps.contains(time.nanosecondsSince1970) else { return nil }
    return "a time is \(time.text), but ROS 2 stamps range from 1970 to 2038-01-19T03:14:07Z; "
      + "write a CSV file"
  }

  /// Returns an error message if the time of `message` does not fit into a ROS 2 timestamp;
  /// otherwise `nil`.
  package static func refusal(of message: MCAPMessage) -> String? {
    refusal(of: UTCTime(seconds: 0, nanoseconds: message.time))
  }
}
