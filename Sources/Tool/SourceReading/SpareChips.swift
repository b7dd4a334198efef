// SPDX-License-Identifier: Apache-2.0
import Otolith
package import Recordings
import Runtime

extension MotionSource {
  /// The extra columns for channels that several chips of the board measure.
  package var chipColumns: ChipColumns {
    ChipColumns(
      pipeline.roles.enumerated().map {
        ChipColumns.Chip(
          source: $0.offset, name: name(ofChip: $0.offset), channels: $0.element.separate)
      })
  }
}
