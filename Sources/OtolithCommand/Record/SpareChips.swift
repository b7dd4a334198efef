// SPDX-License-Identifier: Apache-2.0
import Otolith
import Recordings
import Runtime

extension MotionSource {
  /// The columns for what several of its chips measure, where the source gives that.
  var chipColumns: ChipColumns {
    guard !(self is ServiceSource) else { return ChipColumns() }
    return ChipColumns(
      pipeline.spare.enumerated().map {
        ChipColumns.Chip(source: $0.offset, name: name(ofChip: $0.offset), channels: $0.element)
      })
  }

  /// Names the chips whose samples an MCAP file does not have; `nil` where it has all.
  var leftOutOfMessages: String? {
    let names = pipeline.spare.enumerated().filter { !$0.element.isEmpty }
      .map { name(ofChip: $0.offset) }
    guard !names.isEmpty, !(self is ServiceSource) else { return nil }
    return "not in the MCAP file, which has one topic a quantity: what fusion does not use of "
      + "\(names.joined(separator: " and ")); -o FILE.csv has it"
  }
}
