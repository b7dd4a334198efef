// SPDX-License-Identifier: Apache-2.0
internal import Fusion
internal import Quantities

extension MotionSource {
  /// Returns the remarks about this chip that apply while it delivers samples: that of its reader,
  /// and the faults that fusion detects. A service sends them as one remark.
  package func remarks(ofChip index: Int) -> [String] {
    let remarks = pipeline.remarks
    guard remarks.indices.contains(index) else { return [] }
    let used = pipeline.channelsUsed(ofChip: index)
    // The chip's reader already reports readings at the end of the range.
    let faults = SensorFaultRow.rows(of: pipeline.notedFaults)
      .filter { row in
        used.contains(row.channel)
          && !(row.isAtRangeEnd && remarks[index].contains("\(row.channel.row.name)."))
      }.map { "\(name(ofChip: index)): \($0.sentence)" }
    return (remarks[index].isEmpty ? [] : [remarks[index]]) + faults
  }
}
