// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import ArgumentParser
import Boards
import BringUp
import ChipCatalog
import Foundation
import Otolith
import Recordings
import Registers
import Runtime
import Sensors

package struct NoiseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "noise",
    abstract:
      "Measure the noise of chips at rest, and compare it with their data sheets.",
    discussion: """
      Lay the board down, away from fans and transformers, and do not touch it. Each chip runs in \
      turn as configured in the board file. Shown are, in chip axes and without calibration: \
      standard deviation, noise density compared with the data sheet, angle random walk, bias \
      instability, and spectral lines with their likely cause. A minute is enough for white noise; \
      bias instability takes ten minutes to an hour. --svg draws the spectrum and the Allan \
      deviation (the noise that remains after averaging, against averaging time). A fully \
      simulated board takes seconds, whatever the duration. docs/noise.md explains the results.
      """)

  @OptionGroup var board: BoardOptions

  @Option(
    help:
      "The chip, by its name in the board file or its kind. (default: all, in turn)",
    completion: .chips)
  var chip: String?

  @Option(
    name: .shortAndLong, parsing: .unconditional,
    help: ArgumentHelp("Seconds of measurement at rest. (default: 60.0)", valueName: "seconds"),
    transform: NumberForm.seconds(2...604_800, example: 60))
  var duration = 60.0

  @Option(
    help: ArgumentHelp(
      "Use this recording of a board at rest instead of a board.", valueName: "file.csv"),
    completion: .file(extensions: ["csv"]))
  var recording: String?

  @Option(
    help: ArgumentHelp(
      "Draw Allan deviation and spectrum of each sensor into this file.", valueName: "file.svg"),
    completion: .file(extensions: ["svg"]))
  var svg: String?

  @Option(
    help: ArgumentHelp("Write the points of both curves into this file.", valueName: "file.csv"),
    completion: .file(extensions: ["csv"]))
  var csv: String?

  @Flag(help: "Reject a recording with unreadable rows or rows out of time order.")
  var strict = false

  @OptionGroup var overwrite: OverwriteOption

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    if strict, recording == nil {
      throw ValidationError("--strict needs --recording")
    }
    if let svg, let csv, svg != "-" || csv != "-", OutputFile.isOne(svg, csv) {
      throw ValidationError("--svg and --csv need different files")
    }
    if json, svg == "-" || csv == "-" {
      throw ValidationError("--json uses standard output; write the other output to a file")
    }
  }

  func run() throws {
    // Check the output files now, not after an hour of measurement.
    let picture = try svg.map { try output($0, "--svg", "svg") }
    let table = try csv.map { try output($0, "--csv", "csv") }
    let board = try recording == nil ? select() : nil
    let chips = try board.map { try measure($0) } ?? recording.map { [try replay($0)] } ?? []
    // Write the pictures first, so that they exist when the table is printed.
    if let picture { try write(PlotSheet(chips.flatMap(\.plots)).svg(), to: picture) }
    if let table { try write(NoiseTable.csv(chips), to: table) }
    if json {
      Terminal.say(try NoiseTable.json(chips, of: board))
    } else if svg != "-", csv != "-" {
      board?.sayNotice()
      for line in chips.flatMap(NoiseTable.lines) { Terminal.say(line) }
    }
  }

  private func output(_ path: String, _ option: String, _ ending: String) throws(Failure)
    -> OutputFile
  {
    try OutputFile(
      path, option, holds: ending, inputs: [recording, board.path], replaces: overwrite.force)
  }

  private func write(_ text: String, to file: OutputFile) throws {
    try file.write(text)
    if file.path != "-" { Terminal.complain("written: \(file.path)") }
  }

  // MARK: Sources of samples

  private func select() throws -> Board {
    let selection = try board.select()
    selection.announce()
    return selection.board
  }

  private func wanted(_ board: Board) throws -> [ChipPlacement] {
    guard let chip else { return try board.examinableChips() }
    return [try board.chip(named: chip)]
  }

  private func measure(_ board: Board) throws -> [ChipNoise] {
    let examination = Examination(board.atRest)
    // While a chip sends no data, nothing checks whether the command should end. A second signal
    // therefore ends the program.
    let signals = try EndSignals { if !$0 { Terminal.exit(withStatus: 130) } }
    defer { signals.cancel() }
    var results: [ChipNoise] = []
    for placement in try wanted(board) where !signals.isEnding {
      let failed: (String) -> Failure = { Failure($0, Failure.unavailable) }
      let found: ExaminedChip?
      do throws(SessionError) { found = try examination.open(placement.name) } catch {
        throw Failure(error)
      }
      guard let found else { continue }
      let progress = NoiseProgress(placement.name, duration, isVirtual: examination.isVirtual)
      let result: ChipNoise
      do throws(ChipError) {
        result = try ChipNoise.measure(
          found, for: TimeSpan(nanoseconds: Int64(duration * 1e9))
        ) { seconds in
          progress.show(seconds)
          return !signals.isEnding
        }
      } catch { throw failed(placement.sentence(for: error, on: found.bus)) }
      progress.end()
      guard !result.quality.isWithoutValue else {
        throw failed("\(placement.name): \(ChipPlacement.withoutValue)")
      }
      guard !result.channels.isEmpty else {
        throw failed(
          "\(placement.name): too few samples for a figure in \(NoiseText.number(duration)) s; is its "
            + "rate right? try a longer --duration, and: otolith registers dump --chip "
            + "\(placement.name) --start")
      }
      results.append(result)
    }
    if signals.isEnding {
      Terminal.complain("ended early; the figures cover the samples so far")
    }
    guard !results.isEmpty else {
      throw Failure("interrupted before enough samples were measured", 130)
    }
    return results
  }

  /// Analyses a recording in device axes, and compares it with the data sheet of the named chip.
  private func replay(_ path: String) throws -> ChipNoise {
    let placement = board.path == nil && chip == nil ? nil : try wanted(select()).first
    var record = NoiseRecord()
    do throws(RecordingError) {
      var reader = try RecordingReader(path: path, order: strict ? .strict : .lenient)
      while let sample = try reader.next() {
        record.add(Mounting().reading(sample), at: sample.timestamp + reader.shift)
      }
      Terminal.complain(about: reader)
    } catch { throw Failure(error) }
    let result = ChipNoise(
      record, name: path, of: placement.flatMap { $0.sheet },
      with: placement?.settings)
    guard !result.channels.isEmpty else {
      throw Failure(
        "\(path): has too few samples, 32 without a gap are the least; record longer",
        Failure.badData)
    }
    return result
  }
}

/// The output during a measurement: a line at the start, and then the progress.
private final class NoiseProgress {
  private let duration: Double
  private var line: ProgressLine

  init(_ name: String, _ duration: Double, isVirtual: Bool) {
    self.duration = duration
    line = ProgressLine(name)
    let seconds = NoiseText.number(duration)
    Terminal.complain(
      isVirtual
        ? "\(name): \(seconds) simulated seconds"
        : "\(name): do not touch the board for \(seconds) s")
  }

  func show(_ seconds: Double) { line.show(seconds / duration) }

  func end() { line.end() }
}
