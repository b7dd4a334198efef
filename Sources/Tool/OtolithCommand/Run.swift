// SPDX-License-Identifier: Apache-2.0
import SourceReading
import CommandOutput
import BoardCommands
import ArgumentParser
import Boards
import Foundation
import Otolith
import Recordings
import MotionSources
import Runtime

struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Show a board's live motion.",
    discussion: """
      The board is the one named in the arguments, else that of a running otolith service, else \
      $OTOLITH_BOARD, else /etc/otolith/board.yaml, else the detected chips, else (with --format \
      table only) the simulated board; the first line says which one and why. An empty \
      $OTOLITH_SOCKET disables the service. Ctrl-C stops the board and puts its chips to sleep.
      """)

  @OptionGroup var place: BoardOptions

  @OptionGroup var only: OnlyOption

  @OptionGroup var form: FormatOptions<LiveFormat>

  @OptionGroup var end: DurationOption

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Motions shown per second; the others are skipped, not averaged. (default: all; 10 in the "
        + "table)", valueName: "hz"),
    transform: NumberForm.number(of: "motions a second", NumberForm.above0...1e6, example: 10))
  var rate: Double?

  @Option(help: "The reference frame of the attitude.")
  var referenceFrame = FrameOption.xArbitraryZVertical

  func run() throws {
    let source = try place.choose(to: form.format != .table, only: only)
    if let refusal = source.refusal(of: referenceFrame) { throw refusal }
    if referenceFrame == .xTrueNorthZVertical, let trueNorth = source.trueNorth {
      Terminal.complain("true north: \(trueNorth.sentence)")
    }
    if let rate { Terminal.complain(source.sentence(thinnedTo: rate)) }
    let view = LiveView(
      source, form.format, referenceFrame, declination: source.declination ?? 0, rate: rate)
    // From here on, Ctrl-C and a service manager's stop end the loop, and the chips go to sleep.
    let signals = try EndSignals { _ in view.stop() }
    // If the reader closes the pipe (`| head`), the command ends normally, without SIGPIPE.
    signal(SIGPIPE, SIG_IGN)
    defer { signals.cancel() }
    do throws(SessionError) { try source.start() } catch { throw Failure(error) }
    let outcome = view.follow(for: end.seconds)
    source.stop()
    Terminal.complain(
      Terminal.startOfLine + view.summary)
    if let outcome { throw outcome }
  }
}

extension MotionSource {
  /// The number of motions per second; `nil` if unknown. It is the rate of the rotation rate or, if
  /// the source does not sample that, of the acceleration or the pressure.
  private var motionRate: Double? {
    let channels: [Channel] = [.rotationRate, .acceleration, .pressure]
    return channels.first { self.channels.contains(ChannelSet($0)) }.flatMap { rate(of: $0) }
  }

  /// Returns the message that only `rate` motions per second are printed.
  fileprivate func sentence(thinnedTo rate: Double) -> String {
    func text(_ hertz: Double) -> String { String(format: "%.4g Hz", hertz) }
    guard let all = motionRate, all <= rate * 1.02 else {
      let of = motionRate.map { " of \(text($0))" } ?? ""
      return "rate: \(text(rate))\(of), reduced by skipping motions, without averaging"
    }
    return "rate: every motion; the board delivers \(text(all))"
  }
}
