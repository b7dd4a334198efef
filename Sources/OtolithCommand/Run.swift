// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Boards
import Foundation
import Otolith
import Recordings
import Runtime

struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show a board's live motion.",
    discussion: """
      The board comes from --board, else of the otolith service where one runs, else \
      $OTOLITH_BOARD, else /etc/otolith/board.yaml, else what is detected, else the simulated \
      board; the first line says which and why. With $OTOLITH_SOCKET set to nothing no service is \
      asked. Ctrl-C ends it, with the chips asleep.
      """)

  @OptionGroup var place: SourceOptions

  @Option(help: "table (a view that stays in place), csv, or jsonl: one JSON object a line.")
  var format = LiveFormat.table

  @Option(help: "End after so many seconds of data.")
  var duration: Double?

  @Option(help: "The frame that attitude is given in.")
  var referenceFrame = FrameOption.xArbitraryZVertical

  func validate() throws {
    if let duration, !(duration > 0 && duration.isFinite) {
      throw ValidationError("--duration is a number of seconds above 0")
    }
  }

  func run() throws {
    let source = try place.choose()
    if let refusal = source.refusal(of: referenceFrame) { throw refusal }
    if referenceFrame == .xTrueNorthZVertical, let trueNorth = source.trueNorth {
      Terminal.complain("true north: \(trueNorth.sentence)")
    }
    let view = LiveView(
      source, format, referenceFrame, declination: source.declination ?? 0)
    // From here on Ctrl-C and a service manager's stop end the loop, and the chips go to sleep.
    let signals = EndSignals { view.stop() }
    // A reader that goes away (`| head`) is an end like any other.
    signal(SIGPIPE, SIG_IGN)
    defer { signals.cancel() }
    do throws(SessionError) { try source.start() } catch { throw Failure(error) }
    let outcome = view.follow(for: duration)
    source.stop()
    Terminal.complain(
      Terminal.startOfLine + view.summary)
    if let outcome { throw outcome }
  }
}

extension MotionSource {
  /// The name of the source in a line about it: the file where it is a board of this process.
  var place: String { (self as? BoardSession)?.board.file ?? name }
}

/// The format in which live motion is shown.
enum LiveFormat: String, CaseIterable, ExpressibleByArgument {
  case table
  case csv
  case jsonl
}
