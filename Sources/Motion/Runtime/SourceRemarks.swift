// SPDX-License-Identifier: Apache-2.0
internal import Fusion
internal import Quantities

extension MotionSource {
  /// Returns the remarks about this chip that apply while it delivers samples: the remark of its
  /// reader, the results of the comparison with other chips, and the faults that fusion detects. A
  /// service sends all of them as one remark.
  package func remarks(ofChip index: Int) -> [String] {
    let remarks = pipeline.remarks
    guard remarks.indices.contains(index) else { return [] }
    let used = pipeline.channelsUsed(ofChip: index)
    // The chip's reader already reports readings at the end of the range.
    let faults = SensorFaultRow.rows(of: pipeline.notedFaults)
      .filter { row in
        used.contains(row.channel)
          // Fusion receives the samples of one virtual IMU; the comparison shows which of its chips
          // is faulty.
          && !pipeline.combinedChannels(ofChip: index).contains(row.channel)
          && !(row.isAtRangeEnd && remarks[index].contains("\(row.channel.row.name)."))
      }.map { "\(name(ofChip: index)): \($0.sentence)" }
    return (remarks[index].isEmpty ? [] : [remarks[index]])
      + (pipeline.hasServedConditions ? [] : conditionRemarks(ofChip: index)) + faults
  }
}
