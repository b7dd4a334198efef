// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import BringUp
import ArgumentParser
import BusTraces
import Boards
import Foundation
import Otolith
import Recordings
import Sensors

struct PlayTrace: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Run the drivers again on a trace.",
    discussion: """
      The drivers run in recorded time on the recorded answers, as fast as the machine allows, and \
      give the same samples to the last bit, as a recording for 'otolith replay'. If a driver now \
      sends a different request, the line, the recorded request and the new one are reported, and \
      playback continues. Exit status: 0, 65 if the recorded samples of a chip cannot be repeated.
      """)

  @OptionGroup var argument: TraceArgument

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file for samples; - is standard output. (default: -; with --json no file)",
      valueName: "file.csv"), completion: .file(extensions: ["csv"]))
  var output: String?

  @OptionGroup var overwrite: OverwriteOption

  @Flag(help: "Print a summary per chip as one JSON object instead of the samples.")
  var json = false

  func validate() throws {
    if json, output == "-" {
      throw ValidationError("--json uses standard output too: write --output to a file")
    }
  }

  func run() throws {
    let file = try (output ?? (json ? nil : "-")).map {
      try OutputFile(
        $0, "--output", holds: "csv", inputs: [argument.file], replaces: overwrite.force)
    }
    let (board, trace) = try argument.load()
    guard let playback = TracePlayback(board) else { return }
    var samples: [Sample] = []
    var combination = playback.combination
    let chips: [TracePlayback.Chip]
    do throws(SessionError) {
      chips = try playback.run { sample, source in
        if let sample = combination.add(sample, from: source) { samples.append(sample) }
      }
    } catch { throw Failure(error) }
    if let file {
      let channels = combination.channels
      do throws(FileWriterError) { try write(samples, channels, to: file) } catch {
        // It is not an error if the reader of a pipe closes it (`| head`).
        if error.kind != .readerGone { throw Failure(error) }
      }
    }
    if json {
      try Terminal.say(json: Played(trace, chips))
    } else {
      for line in Self.lines(chips, trace) { Terminal.complain(line) }
    }
    if chips.contains(where: \.isUnrepeatable) { throw ExitCode(EX_DATAERR) }
  }

  private func write(
    _ samples: [Sample], _ channels: ChannelSet, to file: OutputFile
  ) throws(FileWriterError) {
    var writer = try file.writer()
    var buffer = Array(SampleFormat.csvHeader(channels).utf8)
    // Sort the samples by time, because chips are played one after another. Samples with equal
    // times keep their order.
    let order = samples.indices.sorted {
      (samples[$0].timestamp, $0) < (samples[$1].timestamp, $1)
    }
    for index in order {
      SampleFormat.appendCSV(samples[index], channels, to: &buffer)
      if buffer.count > 1 << 16 {
        try writer.write(buffer)
        buffer.removeAll(keepingCapacity: true)
      }
    }
    try writer.write(buffer)
    try writer.commit()
  }

  /// True if the counters equal the recorded counters, as far as the trace contains them.
  private static func repeats(_ recorded: Health, _ chip: TracePlayback.Chip) -> Bool {
    var health = chip.health
    if !chip.hasAllCounters { health.invalid = recorded.invalid }
    return recorded == health
  }

  private static func lines(_ chips: [TracePlayback.Chip], _ trace: Trace) -> [String] {
    chips.flatMap { chip -> [String] in
      let health = chip.health
      var line =
        "\(chip.name): \(chip.samples) samples; missing \(health.missing), bus errors "
        + "\(health.busErrors), overflows \(health.overflows), restarts \(health.restarts)"
      if health.invalid > 0 { line += ", invalid \(health.invalid)" }
      if let recorded = chip.recordedHealth {
        line +=
          Self.repeats(recorded, chip)
          ? "; as when it was recorded"
          : "; it was recorded with"
            + " \(recorded.received) received, missing \(recorded.missing), bus errors "
            + "\(recorded.busErrors), invalid \(recorded.invalid)"
      }
      var lines = [line] + chip.notes.map { "\(chip.name): \($0)" }
      if let remark = chip.divergenceRemark { lines.append("\(chip.name): \(remark)") }
      lines += chip.divergences.prefix(10).map { "  " + $0.text(in: trace.file) }
      if chip.divergenceCount > 10 { lines.append("  and \(chip.divergenceCount - 10) more") }
      return lines
    }
  }
}

extension ChipTrace.Divergence {
  /// Returns the difference as a line of text, such as `bug.trace:120: recorded 'r 0x3A 1', now
  /// requested 'r 0x3B 14'`.
  func text(in file: String) -> String {
    let place = line > 0 ? "\(file):\(line)" : file
    switch (recorded, requested) {
    case (let recorded?, let requested?):
      return "\(place): recorded '\(recorded.text)', now requested '\(requested.text)'"
    case (let recorded?, nil): return "\(place): recorded '\(recorded.text)', now not requested"
    case (nil, let requested?):
      return "\(place): nothing recorded, now requested '\(requested.text)'"
    case (nil, nil): return place
    }
  }
}

/// The outcome of a playback as JSON.
private struct Played: Encodable {
  struct Counters: Encodable {
    var received, missing, busErrors, overflows, missedInterrupts, misconfigurations,
      restarts, invalid: UInt64

    init(_ health: Health) {
      received = health.received
      missing = health.missing
      busErrors = health.busErrors
      overflows = health.overflows
      missedInterrupts = health.missedInterrupts
      misconfigurations = health.misconfigurations
      restarts = health.restarts
      invalid = health.invalid
    }
  }
  struct Difference: Encodable {
    var line: Int
    var recorded: String?
    var asked: String?
  }
  struct Chip: Encodable {
    var samples: Int
    var health: Counters
    var recordedHealth: Counters?
    /// Remarks about readings that are stuck or not valid measurements.
    var notes: [String]
    var differenceCount: Int
    /// The first of the differences between the recorded requests and those in the playback.
    var differences: [Difference]
  }
  var file: String
  var lengthSeconds: Double
  var isCutOff: Bool
  var missingEvents: Int
  var chips: [String: Chip]

  init(_ trace: Trace, _ chips: [TracePlayback.Chip]) {
    file = trace.file
    lengthSeconds = trace.length.seconds
    isCutOff = trace.isCutOff
    missingEvents = trace.missing
    self.chips = [:]
    for chip in chips {
      self.chips[chip.name] = Chip(
        samples: chip.samples, health: Counters(chip.health),
        recordedHealth: chip.recordedHealth.map { Counters($0) },
        notes: chip.notes, differenceCount: chip.divergenceCount,
        differences: chip.divergences.map {
          Difference(line: $0.line, recorded: $0.recorded?.text, asked: $0.requested?.text)
        })
    }
  }
}
