// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BringUp
import Foundation
import Otolith

package struct QueueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fifo",
    abstract: "Read chips through their FIFO, and check for lost or shifted samples.",
    discussion: """
      Runs each chip with its FIFO, whatever the board file configures, and shows the frames per \
      burst compared with 'batch-interval-ms', overruns, missing samples, the measured rate, and \
      whether the values are plausible for a board at rest: a lost byte shifts all bytes after it. \
      The board must lie still. Chips without a FIFO are listed as such.

      Exit status: 0 if all FIFOs are good, 65 if not, 69 if a chip does not answer or nothing \
      could be checked.
      """)

  @OptionGroup var options: CheckOptions

  @Option(
    name: .shortAndLong, parsing: .unconditional,
    help: ArgumentHelp("Seconds per FIFO. (default: 5.0)", valueName: "seconds"),
    transform: NumberForm.seconds())
  var duration = 5.0

  func run() throws {
    try options.check {
      QueueCheck.run($0, for: TimeSpan(seconds: duration))
    } lines: { result in
      func text(_ value: Double, _ digits: Int = 1) -> String {
        String(format: "%.\(digits)f", value)
      }
      return [
        "\(result.chip): \(result.frames) frames in \(result.bursts) bursts in "
          + "\(text(result.seconds)) s",
        "  frames a burst: \(text(result.framesABurst)), at most \(result.largestBurst); "
          + "configured: \(text(result.expectedFramesABurst))",
        "  rate \(result.measuredHz.map { text($0, 2) } ?? "-") Hz, configured "
          + "\(result.configuredHz.map { text($0, 2) } ?? "-") Hz",
        "  overflows \(result.overflows), missing \(result.missing), misaligned \(result.misaligned), "
          + "implausible \(result.implausible)",
      ]
    }
  }
}
