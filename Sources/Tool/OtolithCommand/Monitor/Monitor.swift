// SPDX-License-Identifier: Apache-2.0
import SourceReading
import MotionMonitor
import CommandOutput
import BoardCommands
import ArgumentParser
import Foundation
import Otolith
import Recordings
import MotionViews

struct Monitor: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "monitor",
    abstract: "Show a board live in a full-screen terminal view.",
    discussion: """
      Shows the attitude as a 3D board, bars for acceleration, rotation and field, the samples \
      delivered and lost by each chip, the state of fusion, steps and activity. Keys: q quits, \
      space freezes the view, f selects the next reference frame, r sets yaw to 0, + and - change \
      the range of the bars, h shows help. 80x24 characters are enough, 200x60 show more; it works \
      over ssh.

      The board is chosen as by 'otolith run'. Where the locale ($LC_ALL, $LC_CTYPE, $LANG) is not \
      UTF-8, the view is drawn in ASCII; $NO_COLOR turns colours off.
      """)

  @OptionGroup var place: BoardOptions

  @OptionGroup var only: OnlyOption

  @Option(
    help: ArgumentHelp(
      "Play this recording in real time instead of a board: a CSV file in a format that 'otolith "
        + "replay' reads.",
      valueName: "file"), completion: .file(extensions: ["csv"]))
  var recording: String?

  @Option(
    parsing: .unconditional, help: "Frames per second, 1 to 60. (default: 30)",
    transform: NumberForm.whole("a whole number of frames a second", 1...60, example: 30))
  var frames = 30

  @Option(help: "The reference frame of the attitude at the start.")
  var referenceFrame = FrameOption.xArbitraryZVertical

  @Option(
    name: .shortAndLong,
    parsing: .unconditional,
    help: ArgumentHelp(
      "Stop after this many seconds. (default: never; 3 with --snapshot)", valueName: "seconds"),
    transform: NumberForm.seconds())
  var duration: Double?

  @Option(
    help: ArgumentHelp(
      "Print one screen of this size as plain text instead, for bug reports and documents.",
      discussion: "Such as 80x24. It shows the state after --duration seconds.",
      valueName: "columns x rows"), transform: ScreenSize.read)
  var snapshot: ScreenSize?

  @Option(
    help: ArgumentHelp(
      "The characters for drawing: Braille dots and blocks, or ASCII. (default: from the locale)",
      valueName: "unicode|ascii"))
  var characters: CharacterSetOption?

  func validate() throws {
    if recording != nil, !place.isEmpty || !only.isEmpty {
      throw ValidationError(
        "--recording replaces the board: give no board and no board options")
    }
  }

  func run() throws {
    // Check the terminal before opening the board, so that the chips do not start if the terminal
    // is unusable.
    let terminal = snapshot == nil ? try MonitorTerminal() : nil
    let (source, sentence) = try choose()
    if let refusal = source.refusal(of: referenceFrame) { throw refusal }
    var follower = try SourceReader(source, sentence: sentence, frame: referenceFrame)
    let style = ScreenStyle(characters?.characterSet, ProcessInfo.processInfo.environment)
    do throws(SessionError) { try source.start() } catch { throw Failure(error) }
    defer { source.stop() }
    guard let terminal else {
      return try printSnapshot(of: &follower, style)
    }
    try MonitorLoop(terminal, source, style, frames: frames).run(&follower, for: duration)
  }

  private func choose() throws -> (source: any MotionSource, sentence: String) {
    guard let recording else { return try place.chooseAndExplain(only: only) }
    do throws(RecordingError) {
      return (try RecordingSource(path: recording), "the recording \(recording), in its own time")
    } catch { throw Failure(error) }
  }

  private func printSnapshot(of follower: inout SourceReader, _ style: ScreenStyle) throws {
    guard let snapshot else { return }
    let end = Timestamp.now + TimeSpan(seconds: duration ?? 3)
    // Read the source at the screen's frame rate, so that the snapshot shows the values that the
    // screen would show.
    while Timestamp.now < end {
      usleep(useconds_t(1_000_000 / frames))
      follower.follow()
      _ = follower.model.scene(at: .now)
    }
    let lines = MonitorScreen.lines(
      follower.model.scene(at: .now), columns: snapshot.columns, rows: snapshot.rows,
      characterSet: style.characterSet)
    Terminal.say(lines.joined(separator: "\n"))
  }
}

/// The character sets by their names on the command line.
enum CharacterSetOption: String, CaseIterable, ExpressibleByArgument {
  case unicode
  case ascii

  var characterSet: TerminalCharacters { self == .ascii ? .ascii : .unicode }
}

/// A screen size such as `80x24`.
struct ScreenSize: TypedArgument {
  let columns: Int
  let rows: Int

  init?(argument: String) {
    let parts = argument.lowercased().split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let columns = Int(parts[0]), let rows = Int(parts[1]),
      (1...1000).contains(columns), (1...1000).contains(rows)
    else { return nil }
    (self.columns, self.rows) = (columns, rows)
  }

  static func wrong(_ text: String) -> WrongValue {
    WrongValue("columns x rows, each from 1 to 1000", example: "80x24")
  }
}
