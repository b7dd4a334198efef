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
}
