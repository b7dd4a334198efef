// SPDX-License-Identifier: Apache-2.0
import SourceReading
import MotionRecorder
import CommandOutput
import ArgumentParser
import Otolith
import Recordings

/// The frame identifiers in ROS 2 messages, for every command that writes MCAP files.
struct MessageOptions: ParsableArguments {
  @Option(
    name: .customLong("frame-id"),
    help: ArgumentHelp("The board's frame. (default: imu_link)", valueName: "frame"))
  var frameID: String?

  @Option(
    name: .customLong("tf-parent"),
    help: ArgumentHelp(
      "The parent frame of the board's transform in /tf. (default: map)", valueName: "frame"))
  var parent: String?

  @Flag(
    name: .customLong("no-tf"),
    help: "Omit /tf, for systems where another node publishes the transform.")
  var isWithoutTransform = false

  func validate() throws {
    for (option, frame) in [("--frame-id", frameID), ("--tf-parent", parent)] {
      guard let frame else { continue }
      guard !frame.isEmpty, frame.first != "/", frame.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
      else {
        throw ValidationError(
          "\(option) needs a tf2 frame name, without spaces or a leading '/', such as imu_link")
      }
    }
    if isWithoutTransform, parent != nil {
      throw ValidationError("--tf-parent has no effect with --no-tf; give only one of them")
    }
    if !isWithoutTransform, encoder.frame == encoder.world {
      throw ValidationError(
        "'\(encoder.frame)' cannot be its own parent: --frame-id and --tf-parent are two frames")
    }
  }

  /// Throws if an option is given but no MCAP file is written.
  func check(isUsed: Bool) throws(Failure) {
    let said =
      frameID != nil
      ? "--frame-id" : parent != nil ? "--tf-parent" : isWithoutTransform ? "--no-tf" : nil
    guard !isUsed, let said else { return }
    throw Failure(
      "\(said) applies to ROS 2 messages only: add --output FILE.mcap", Failure.usage)
  }

  var encoder: ROSEncoder {
    ROSEncoder(frame: frameID ?? "imu_link", world: parent ?? "map")
  }
  /// Returns the maker of messages for `channels` and for the additional chips.
  func maker(
    of channels: ChannelSet, _ chips: ChipColumns = ChipColumns(), frame: FrameOption
  ) -> MessageMaker {
    MessageMaker(
      of: channels, chips, frame: frame, encoder: encoder, isWithoutTransform: isWithoutTransform)
  }
}
