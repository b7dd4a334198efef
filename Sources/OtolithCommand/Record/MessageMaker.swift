// SPDX-License-Identifier: Apache-2.0
import BoardCommands
import Otolith
import Recordings
import Runtime

/// Makes of samples and motion the messages of ROS 2 that an MCAP file has.
struct MessageMaker {
  let channels: [MCAPChannel]
  private let topics: Set<ROSTopic>
  private let isNorth: Bool
  private let encoder: ROSEncoder
  /// The chips that measure what another gives, by their places in the board.
  private let chips: [Int: ROSChip]

  /// Messages of what samples `channels`, and of the chips beside it, with attitude given in
  /// `frame`.
  init(
    of channels: ChannelSet, _ chips: ChipColumns = ChipColumns(), frame: FrameOption,
    _ options: MessageOptions
  ) {
    let chips = ROSChip.all(of: chips)
    self.chips = Dictionary(uniqueKeysWithValues: chips.map { ($0.source, $0) })
    let topics = ROSTopic.all(of: channels).filter {
      $0 != .transform || !options.isWithoutTransform
    }
    self.channels = topics.map { MCAPChannel($0) } + chips.flatMap(\.channels)
    self.topics = Set(topics)
    isNorth = frame.isNorth
    encoder = options.encoder
  }

  func messages(_ sample: Sample, stamp: Int64) -> [MCAPMessage] {
    made(encoder.messages(sample, stamp: stamp), stamp)
  }

  /// Returns the messages of what fusion does not use, of the chip at the place `source`.
  func messages(_ sample: Sample, of source: Int, stamp: Int64) -> [MCAPMessage] {
    guard let chip = chips[source] else { return [] }
    return encoder.messages(sample, stamp: stamp).map {
      MCAPMessage(channel: chip.channel($0.topic), time: stamp, data: $0.bytes)
    }
  }

  func messages(
    _ row: MotionRow, of motion: MotionSample, biasSigma: Double, stamp: Int64
  ) -> [MCAPMessage] {
    let sigmas = (
      tilt: Optional(motion.inclinationSigma),
      // Elsewhere it is a heading from anywhere.
      heading: Optional(isNorth ? motion.headingSigma : .pi), bias: Optional(biasSigma)
    )
    return made(encoder.messages(row, sigmas: sigmas, isNorth: isNorth, stamp: stamp), stamp)
  }

  func message(_ parts: [ROSEncoder.Status], stamp: Int64) -> [MCAPMessage] {
    made([encoder.message(parts, stamp: stamp)], stamp)
  }

  private func made(_ messages: [ROSEncoder.Message], _ stamp: Int64) -> [MCAPMessage] {
    messages.filter { topics.contains($0.topic) }.map {
      MCAPMessage(channel: $0.topic.rawValue, time: stamp, data: $0.bytes)
    }
  }

  /// Returns the reason why no message can be stamped with `time`; `nil` where one can.
  static func refusal(of time: UTCTime) -> String? {
    guard !ROSEncoder.stamps.contains(time.nanosecondsSince1970) else { return nil }
    return "a time is \(time.text), and ROS 2 has stamps from 1970 to 2038-01-19T03:14:07Z; write "
      + "a CSV file, which has all times"
  }

  /// The same of a message's stamp.
  static func refusal(of message: MCAPMessage) -> String? {
    refusal(of: UTCTime(seconds: 0, nanoseconds: message.time))
  }
}
