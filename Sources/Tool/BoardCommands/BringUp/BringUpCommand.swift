// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import ArgumentParser
import Boards
import BringUp
import Foundation
import Otolith
import Recordings
import Runtime
import Fusion

package struct BringUpCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bringup",
    abstract: "Check a new board from its buses to its axes, and write a report.",
    discussion: """
      Identifies the chips on each bus, runs their self-tests, checks FIFO and interrupt lines, \
      counts bus errors during continuous reading, measures the noise, and asks you to turn the \
      board to find its axes. Each failure comes with its likely cause and the next step; the \
      report is one HTML file with figures. A simulated board follows the instructions by itself. \
      The exit status is 0 if all checks pass, 69 otherwise. docs/bring-up.md describes each check.
      """)

  @OptionGroup var board: BoardOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The report file. (default: bringup- and the board file's name, in this folder)",
      valueName: "file.html"), completion: .file(extensions: ["html"]))
  var output: String?

  @OptionGroup var overwrite: OverwriteOption

  @Flag(help: "Write no report.")
  var noReport = false

  @Option(
    name: .shortAndLong,
    parsing: .unconditional,
    help: ArgumentHelp(
      "Seconds per check of FIFO, interrupts and bus errors; noise takes three times as long. "
        + "(default: 2.0)",
      valueName: "seconds"), transform: NumberForm.seconds(0.5...3600))
  var duration = 2.0

  @Flag(
    inversion: .prefixedNo,
    help:
      "Include the checks that need the board to be turned. (default: on a terminal, and for a simulated board)"
  )
  var gestures: Bool?

  @Flag(help: "Print the report as one JSON object, including the figures.")
  var json = false

  func validate() throws {
    if noReport, output != nil {
      throw ValidationError("--output and --no-report contradict each other")
    }
  }

  func run() throws {
    let selection = try self.board.select()
    let board = selection.board
    // Check the folder now, not after 30 s of measurement.
    let file = noReport ? nil : try file(board)
    if let path = file?.path, !FileManager.default.isWritableFile(atPath: Self.folder(of: path)) {
      throw Failure(
        "\(path): the folder cannot be written; give --output FILE or --no-report",
        Failure.cannotCreate)
    }
    selection.announce()
    if !json { board.sayNotice() }
    var options = BoardBringUp.Options()
    options.span = TimeSpan(seconds: duration)
    options.noiseSpan = TimeSpan(seconds: 3 * duration)
    let isSimulated = board.isAllSimulated
    let mayAsk = gestures ?? (isSimulated || isatty(0) == 1 && isatty(2) == 1)
    if !mayAsk { options.timeout = nil }
    let signals = try EndSignals()
    defer { signals.cancel() }
    let view = BringUpView(isQuiet: json)
    var observer = view.observer
    observer.isWanted = { !signals.isEnding }
    let found = BoardBringUp.run(
      board, options, made: Date().formatted(.iso8601),
      machine: BoardBringUp.machine(version: Release.version), observer: observer)
    view.end()
    guard !signals.isEnding else {
      throw Failure("interrupted; no report was written", 130)
    }
    if json { try Terminal.say(json: found) } else { view.conclude(found) }
    if let file {
      try file.write(ReportPage(found).html, makesFolder: true)
      Terminal.complain("report: \(file.path)")
    }
    if !found.isGood { Terminal.exit(withStatus: Failure.unavailable) }
    // Status 0 would mean that a check has passed.
    guard found.checks.contains(where: { $0.state == .passed }) else {
      throw Failure("nothing was checked", Failure.unavailable)
    }
  }

  /// Returns the report file named by the user; otherwise a free name, so that earlier reports are
  /// kept.
  private func file(_ board: Board) throws(Failure) -> OutputFile {
    let path =
      output
      ?? (overwrite.force
        ? BoardBringUp.usualPath(board) : OutputFile.free(BoardBringUp.usualPath(board)))
    return try OutputFile(
      path, "--output", holds: "html", inputs: [board.file, board.calibrationPath],
      replaces: overwrite.force)
  }

  private static func folder(of path: String) -> String {
    let folder = URL(filePath: path).deletingLastPathComponent().path()
    return folder.isEmpty ? "." : folder
  }
}
