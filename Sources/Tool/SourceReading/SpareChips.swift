// SPDX-License-Identifier: Apache-2.0
import Otolith
package import Recordings
import Runtime

extension MotionSource {
  /// The extra columns for channels that several chips of the board measure; empty if the source
  /// does not provide these samples.
  package var chipColumns: ChipColumns {
    guard !kind.isService else { return ChipColumns() }
    return ChipColumns(
      pipeline.spare.enumerated().map {
        ChipColumns.Chip(source: $0.offset, name: name(ofChip: $0.offset), channels: $0.element)
      })
  }
}
