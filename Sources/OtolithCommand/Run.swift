// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Dispatch
import Foundation
import Otolith
import Recordings

struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show a board's live motion.",
    discussion: """
      The board comes from --board, else $OTOLITH_BOARD, else /etc/otolith/board.yaml, else what is \
      detected, else the simulated board; the first line says which and why. Ctrl-C ends it, with \
      the chips asleep.
      """)

  @Option(help: "The board file.")
  var board: String?

  @Option(help: "table (a view that stays in place), csv, or jsonl: one JSON object a line.")
  var format = LiveFormat.table

  @Option(help: "End after so many seconds of data.")
  var duration: Double?

  @Option(help: "The frame that attitude is given in.")
  var referenceFrame = FrameOption.xArbitraryZVertical

  @OptionGroup(title: "Of a simulated board") var simulation: SimulationOptions

  func validate() throws {
    if let duration, !(duration > 0 && duration.isFinite) {
      throw ValidationError("--duration is a number of seconds above 0")
    }
  }

  func run() throws {
    var selection: BoardSelection
    do throws(BoardErrors) { selection = try BoardSelection.choose(path: board) } catch {
      throw Failure(error)
    }
    Terminal.complain("board: \(selection.sentence)")
    for remark in selection.remarks { Terminal.complain(remark) }
    try simulation.apply(to: &selection.board)
    let session = BoardSession(selection.board)
    if referenceFrame != .xArbitraryZVertical, !session.channels.contains(.magneticField) {
      throw Failure(
        "--reference-frame \(referenceFrame.rawValue) needs a magnetometer, and \(selection.board.file) has none",
        Failure.usage)
    }
    if referenceFrame == .xTrueNorthZVertical {
      guard let trueNorth = session.trueNorth else {
        throw Failure(
          "true north needs a location in \(selection.board.file): "
            + "'location: { latitude-deg: ..., longitude-deg: ... }', or 'declination-deg' in it",
          Failure.configuration)
      }
      Terminal.complain("true north: \(trueNorth.sentence)")
    }
    let view = LiveView(
      session, format, referenceFrame, declination: session.declination ?? 0)
    // From here on Ctrl-C and a service manager's stop end the loop, and the chips go to sleep.
    let signals = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { view.stop() }
      source.resume()
      return source
    }
    // A reader that goes away (`| head`) is an end like any other.
    signal(SIGPIPE, SIG_IGN)
    defer { for source in signals { source.cancel() } }
    do throws(SessionError) { try session.start() } catch { throw Failure(error) }
    let outcome = view.follow(for: duration)
    session.stop()
    Terminal.complain(
      Terminal.startOfLine + LiveView.summary(session, overwritten: view.overwritten))
    if let outcome { throw outcome }
  }
}

/// How live motion is shown.
enum LiveFormat: String, CaseIterable, ExpressibleByArgument {
  case table
  case csv
  case jsonl
}
