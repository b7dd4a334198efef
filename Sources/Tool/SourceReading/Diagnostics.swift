// SPDX-License-Identifier: Apache-2.0
import Otolith
package import Recordings
package import Runtime
import Sensors

extension MotionSource {
  /// Returns the chips' reports as ROS 2 diagnostics messages.
  package func diagnostics(_ report: [ChipReport]) -> [ROSEncoder.Status] {
    report.enumerated().map { index, chip in
      var (level, message) = (ROSEncoder.Status.Level.ok, "gives samples")
      switch chip.state {
      case .starting: (level, message) = (.stale, "starting")
      case .delivering:
        // Remarks of a driver or of fusion concern the samples, not the chip's role in the board.
        let remarks = remarks(ofChip: index)
        if !remarks.isEmpty { (level, message) = (.warning, remarks.joined(separator: "; ")) }
      case .failed(let error):
        (level, message) = (.error, failure(error, ofChip: index, pipeline.chips))
      }
      let health = chip.health
      let faults = SensorFaultRow.rows(of: pipeline.faults.noted)
        .filter { pipeline.channelsUsed(ofChip: index).contains($0.channel) }
      return ROSEncoder.Status(
        level: level, name: "otolith: \(chip.name)", message: message, hardware: chip.chip,
        values: [
          ("rate Hz", "\(chip.rate)"), ("received", "\(health.received)"),
          ("lost", "\(health.missing)"), ("late", "\(chip.late)"),
          ("bus errors", "\(health.busErrors)"), ("restarts", "\(health.restarts)"),
          ("invalid", "\(health.invalid)"),
          (
            "at range end",
            chip.losses.clipped.map { "\($0.axis) \($0.end.count)" }.joined(separator: " ")
          ),
          ("conditions", chip.conditions.map(\.text).joined(separator: "; ")),
          (
            "causes",
            chip.conditions.flatMap(\.causes).map(\.rawValue).joined(separator: " ")
          ),
          ("faults", faults.map(\.name).joined(separator: " ")),
        ])
    }
  }
}
