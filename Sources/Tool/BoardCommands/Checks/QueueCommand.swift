// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BringUp
import Foundation
import Otolith

package struct QueueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fifo",
    abstract: "Read chips by their queues of samples (FIFO): is anything lost or shifted.",
    discussion: """
      Runs each chip by its FIFO queue, whatever the board file says of reading, and shows how many \
      frames a burst had beside what 'batch-interval-ms' asks for, whether the queue ran over, what \
      is missing, the rate that was measured, and whether the frames hold what a board at rest can \
      feel: bytes that were lost shift all that follow. Let the board lie still. A chip without a \
      queue says so.

      Ends with 0 where the queue is good, 65 where it is not, 69 where a chip does not answer, \
      or nothing could be checked.
      """)

  @OptionGroup var options: CheckOptions

  @Option(
    name: .shortAndLong, parsing: .unconditional,
    help: ArgumentHelp("How long to read each queue. (default: 5.0)", valueName: "seconds"),
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
          + "asked for \(text(result.expectedFramesABurst))",
        "  rate \(result.measuredHz.map { text($0, 2) } ?? "-") Hz, configured "
          + "\(result.configuredHz.map { text($0, 2) } ?? "-") Hz",
        "  overflows \(result.overflows), missing \(result.missing), misaligned \(result.misaligned), "
          + "implausible \(result.implausible)",
      ]
    }
  }
}
