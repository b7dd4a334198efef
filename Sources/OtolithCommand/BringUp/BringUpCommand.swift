// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Boards
import BringUp
import Foundation
import Otolith
import Recordings
import Runtime
import SensorCalibration
import Synchronization

struct BringUpCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bringup",
    abstract: "Check a new board from its buses to its axes, and write a report.",
    discussion: """
      Looks who is on each bus, what each chip is, runs its self-test, its FIFO, its interrupt line, a soak of its bus, \
      measures its noise, and asks you to turn the board, which tells its axes. Each failure is named by its likely cause, \
      with what to do next; the report is one HTML file with pictures. A simulated board does what it is asked. Ends with 0 \
      where nothing is wrong, and with 69 where something is. docs/bring-up.md tells what each check looks at.
      """)

  @Argument(
    help: ArgumentHelp(
      "The board file. (default: the one that otolith run would take)", valueName: "board"),
    completion: .file(extensions: ["yaml", "trace"]))
  var named: String?

  @Option(
    name: .customLong("board"), help: ArgumentHelp("The same as an option.", valueName: "file"),
    completion: .file(extensions: ["yaml", "trace"]))
  var optionBoard: String?

  @Option(
    help: ArgumentHelp(
      "Where the report goes. (default: bringup- and the board file's name, in this folder)",
      valueName: "file.html"), completion: .file(extensions: ["html"]))
  var report: String?

  @Flag(help: "Write no report.")
  var noReport = false

  @Option(
    help: "Seconds for each of FIFO, interrupt and bus errors; noise takes three times as long.")
  var seconds = 2.0

  @Flag(
    inversion: .prefixedNo,
    help:
      "Ask for the board to be turned. (default: where somebody is at a terminal, or the board is simulated)"
  )
  var gestures: Bool?

  @Flag(help: "Print the report as one JSON object, pictures included.")
  var json = false

  @OptionGroup(title: "Of a simulated board") var simulation: SimulationOptions

  func validate() throws {
    if let named, let optionBoard, named != optionBoard {
      throw ValidationError("two boards: \(named) and --board \(optionBoard); name one")
    }
    guard seconds >= 0.5, seconds <= 3600 else {
      throw ValidationError("--seconds is between 0.5 and 3600")
    }
    if noReport, report != nil {
      throw ValidationError("--report and --no-report contradict each other")
    }
  }

  func run() throws {
    var selection: BoardSelection
    do throws(BoardErrors) {
      selection = try BoardSelection.choose(path: named ?? optionBoard)
    } catch { throw Failure(error) }
    try simulation.apply(to: &selection.board)
    let board = selection.board
    let path = noReport ? nil : report ?? Self.usualPath(board)
    // Better now than after half a minute of checks.
    if let path, !FileManager.default.isWritableFile(atPath: Self.folder(of: path)) {
      throw Failure(
        "\(path): the folder cannot be written; say --report FILE or --no-report",
        Failure.cannotCreate)
    }
    Terminal.complain("board: \(selection.sentence)")
    for remark in selection.remarks { Terminal.complain(remark) }
    var options = BoardBringUp.Options()
    options.span = TimeSpan(seconds: seconds)
    options.noiseSpan = TimeSpan(seconds: 3 * seconds)
    let isSimulated = board.buses.allSatisfy(\.isSimulated)
    let mayAsk = gestures ?? (isSimulated || isatty(0) == 1 && isatty(2) == 1)
    if !mayAsk { options.patience = nil }
    let isStopped = Stop()
    let signals = EndSignals { isStopped.flag.store(true, ordering: .releasing) }
    defer { signals.cancel() }
    let view = BringUpView(isQuiet: json)
    var observer = view.observer
    observer.isWanted = { !isStopped.flag.load(ordering: .acquiring) }
    let found = BoardBringUp.run(
      board, options, made: Date().formatted(.iso8601), machine: Self.machine, observer: observer)
    view.end()
    guard !isStopped.flag.load(ordering: .acquiring) else {
      throw Failure("interrupted; no report was written", 130)
    }
    if json { try Self.print(found) } else { view.conclude(found) }
    if let path {
      do throws(FileWriterError) {
        try FileWriter.replace(path, with: ReportPage(found).html)
      } catch { throw Failure(error) }
      Terminal.complain("report: \(path)")
    }
    if !found.isGood { OtolithTool.exit(withStatus: Failure.unavailable) }
  }

  private final class Stop: Sendable {
    let flag = Atomic<Bool>(false)
  }

  private static func print(_ report: BringUpReport) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    Terminal.say(String(decoding: try encoder.encode(report), as: UTF8.self))
  }

  private static func usualPath(_ board: Board) -> String {
    let name = URL(filePath: board.file).deletingPathExtension().lastPathComponent
    let plain = name.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "-" }
    return "bringup-\(String(plain)).html"
  }

  private static func folder(of path: String) -> String {
    let folder = URL(filePath: path).deletingLastPathComponent().path()
    return folder.isEmpty ? "." : folder
  }

  /// The names of machine, kernel and otolith.
  private static var machine: String {
    var names = utsname()
    // Written by the call, and read within it.
    guard unsafe uname(&names) == 0 else { return "otolith \(OtolithTool.version)" }
    func text(_ bytes: [UInt8]) -> String {
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    // The bytes of two arrays of char, within the closures.
    let release = unsafe withUnsafeBytes(of: names.release) { unsafe text(Array($0)) }
    let kind = unsafe withUnsafeBytes(of: names.machine) { unsafe text(Array($0)) }
    let model = (try? String(contentsOfFile: "/proc/device-tree/model", encoding: .utf8))
      .map { $0.trimmingCharacters(in: ["\0", "\n"]) + ", " }
    return "\(model ?? "")Linux \(release) \(kind), otolith \(OtolithTool.version)"
  }
}
