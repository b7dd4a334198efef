// SPDX-License-Identifier: Apache-2.0
import MotionViews
import Otolith
import Runtime

extension Metrics {
  /// Adds the counts of samples without a value and of samples at the end of the measurement
  /// range, and the conditions of the chips' channels.
  mutating func addReadings(of report: [ChipReport]) {
    typealias Row = (labels: [Metrics.Label], value: Double)
    var (empty, invalid, clipped): ([Row], [Row], [Row]) = ([], [], [])
    for chip in report {
      let labels: [Metrics.Label] = [("chip", chip.name), ("kind", chip.chip)]
      if chip.losses.empty > 0 { empty.append((labels, Double(chip.losses.empty))) }
      if chip.losses.invalid > 0 { invalid.append((labels, Double(chip.losses.invalid))) }
      for axis in chip.losses.clipped {
        clipped.append((labels + [("axis", axis.axis)], Double(axis.end.count)))
      }
    }
    addConditions(of: report)
    add(
      "otolith_chip_empty_samples_total", .counter,
      "Samples without a value: beyond the chip's range.", empty)
    add(
      "otolith_chip_invalid_samples_total", .counter,
      "Samples with codes that are no measurement.", invalid)
    add(
      "otolith_chip_clipped_samples_total", .counter, "Samples at the end of the chip's range.",
      clipped)
  }

  /// Adds the conditions of channels that are combined with other chips' channels.
  private mutating func addConditions(of report: [ChipReport]) {
    typealias Row = (labels: [Metrics.Label], value: Double)
    var (states, used, counts): ([Row], [Row], [Row]) = ([], [], [])
    for chip in report {
      for channel in chip.conditions {
        let labels: [Metrics.Label] = [
          ("chip", chip.name), ("kind", chip.chip), ("channel", "\(channel.channel.row.name)"),
        ]
        used.append((labels, channel.isUsed ? 1 : 0))
        counts.append((labels, Double(channel.faultCount)))
        for fault in channel.faults {
          let more = [
            ("axis", fault.axis), ("state", fault.state), ("cause", fault.cause.rawValue),
          ]
          states.append((labels + more, 1))
        }
      }
    }
    add(
      "otolith_chip_channel_used", .gauge,
      "1 while motion combines the channel of this chip with those of others.", used)
    add(
      "otolith_chip_channel_faults_total", .counter,
      "Times that an axis of the channel began to differ from those of other chips.", counts)
    add(
      "otolith_chip_axis_fault", .gauge,
      "1 for an axis that is not good, with its state and the likely cause.", states)
  }
}
