// SPDX-License-Identifier: Apache-2.0
import BoardCommands
import ArgumentParser
import Foundation
import LinuxSystem
import Otolith
import Recordings
import MotionSources
import Runtime

struct Record: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Write a board's samples, and its motion, into files that may go on for months.",
    discussion: """
      --output has every sample of every chip, as 'otolith replay' reads them (of chips that \
      measure what another gives already in columns with their names, b.acceleration.x); --motion has what \
      became of them. Beside the timestamp, on a clock that only goes on, stands the wall clock \
      (utc, ISO 8601); 'lost' counts what was lost just before a row. A row is written a second \
      after its sample, for the chips' rows are put into the order of time; at a crash or a full \
      disk there are whole lines in the files, and after a power cut those of two seconds before. \
      Recording never slows the sensors.

      A name that ends in .mcap makes a file for Foxglove and ROS 2: sensor_msgs of the samples, \
      Imu and tf of the motion with the engine's standard deviations, diagnostics once a second; \
      stamps are of the wall clock. 'otolith replay' reads it too.

      With --rotate the files are numbered, log-0001.csv and so on, and numbers go on where those \
      in the folder end. The board is chosen as by 'otolith run'; there has to be one. Ctrl-C ends \
      it. 'otolith install --print record' has a unit for systemd.

        otolith record -o log.csv --rotate 1h --keep 24
        otolith record -o drive.mcap
        otolith record --board boards/simulated.yaml -o hour.csv --duration 3600 --instant
      """)

  @OptionGroup var place: BoardOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file for samples; - is standard output.", valueName: "file.csv|file.mcap"))
  var output: String?

  @Option(help: ArgumentHelp("The file for motion; - is standard output.", valueName: "file.csv"))
  var motion: String?

  @OptionGroup var form: FormatOptions<RecordFormat>

  @Option(
    help: ArgumentHelp(
      "Go on in the next file after so long (s, min, h, d) or so much (kB, MB, GB); one of each "
        + "may be given.", valueName: "1h|100MB"), transform: RotateOption.read)
  var rotate: [RotateOption] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Keep so many of the numbered files, the newest. (default: all)", valueName: "count"),
    transform: NumberForm.whole("a whole number of files", 1...1_000_000, example: 24))
  var keep: Int?

  @OptionGroup var end: DurationOption

  @Flag(
    help: "Let a simulated board, or a trace, live by a clock of its own: an hour takes seconds.")
  var instant = false

  @Option(help: "The frame that attitude is given in.")
  var referenceFrame = FrameOption.xArbitraryZVertical

  @OptionGroup(title: "In an MCAP file") var messages: MessageOptions

  @OptionGroup var overwrite: OverwriteOption

  func validate() throws {
    guard output != nil || motion != nil else {
      throw ValidationError("nothing is to be recorded: say --output, --motion or both")
    }
    if let output, let motion, OutputFile.isOne(output, motion) {
      throw ValidationError("--output and --motion are two files; give them two names")
    }
    if let motion, form.named == .mcap || FileEnding.of(motion) == RecordFormat.mcap.rawValue {
      throw ValidationError(
        "an MCAP file has samples and motion together: --output FILE.mcap alone, or --motion "
          + "FILE.csv beside it")
    }
    if instant, end.seconds == nil { throw ValidationError("--instant needs --duration") }
    if rotate.count(where: \.isTime) > 1 || rotate.count(where: { !$0.isTime }) > 1 {
      throw ValidationError("--rotate once for a time and once for a size, not more")
    }
    if !rotate.isEmpty, output == "-" || motion == "-" {
      throw ValidationError("--rotate needs files; standard output is one without an end")
    }
    if !rotate.isEmpty,
      let device = [output, motion].compactMap(\.self).first(where: OutputFile.isDevice)
    {
      throw ValidationError("--rotate needs files, and \(device) is none")
    }
    if keep != nil, rotate.isEmpty {
      throw ValidationError("--keep needs --rotate: it counts numbered files")
    }
  }

  func run() throws {
    // File size limits and closed pipes are reported by write errors instead.
    signal(SIGXFSZ, SIG_IGN)
    signal(SIGPIPE, SIG_IGN)
    let formats = (samples: try sampleFormat, motions: try motionFormat)
    try messages.check(isUsed: formats.samples == .mcap)
    let chosen = try place.choose(to: true)
    if let refusal = chosen.refusal(of: referenceFrame) { throw refusal }
    let board = chosen.kind.board
    if instant, board?.canRunInstantly != true {
      throw Failure(
        "--instant is for a board whose buses are all simulated, or a trace, and \(chosen.place) "
          + "is none", Failure.usage)
    }
    let session = instant ? board.map { BoardSession($0) } : nil
    let source: any MotionSource = session ?? chosen
    let bell: WakeEvent
    do throws(ResourceError) { bell = try WakeEvent() } catch { throw Failure(.resource(error)) }
    let recorder = try makeRecorder(source, formats.samples, formats.motions)
    // From here on Ctrl-C and a service manager's stop end the recording cleanly, with the chips
    // asleep.
    let signals = try EndSignals { bell.ring() }
    defer { signals.cancel() }
    do throws(SessionError) {
      if let session {
        try recorder.followInstantly(session, until: bell)
      } else {
        try source.start()
        recorder.follow(until: bell)
        source.stop()
      }
    } catch {
      recorder.discard()
      throw Failure(error)
    }
    recorder.finish()
    Terminal.complain(Terminal.startOfLine + recorder.summary)
    if let failure = recorder.failure { throw failure }
  }

  private var sampleFormat: RecordFormat? {
    get throws(Failure) {
      guard let output else { return nil }
      return try form.format(for: output, "--output")
    }
  }

  private var motionFormat: RecordFormat? {
    get throws(Failure) {
      guard let motion else { return nil }
      return try form.format(for: motion, "--motion", among: [.csv, .jsonl])
    }
  }

  private func makeRecorder(
    _ source: any MotionSource, _ sampleFormat: RecordFormat?, _ motionFormat: RecordFormat?
  ) throws(Failure) -> Recorder {
    var rotation = LogRotation(keep: keep)
    for option in rotate { option.apply(to: &rotation) }
    func log(
      _ path: String?, _ format: LogFormat?, _ header: (LogFormat) -> [UInt8]
    ) throws(FileWriterError) -> Recorder.Log? {
      guard let path, let format else { return nil }
      return Recorder.Log(
        format: format,
        file: try RotatingLog(
          path: path, header: header(format), rotation: rotation, replaces: overwrite.force))
    }
    do throws(FileWriterError) {
      let samples = try log(output, sampleFormat?.lines) {
        $0.header(ofSamples: source.channels, source.chipColumns)
      }
      var messageLog: MessageLog?
      if let output, sampleFormat == .mcap {
        let maker = MessageMaker(
          of: source.channels, source.chipColumns, frame: referenceFrame, messages)
        messageLog = try MessageLog(
          source, maker, path: output, rotation: rotation, replaces: overwrite.force)
      }
      let motions: Recorder.Log?
      do throws(FileWriterError) {
        motions = try log(motion, motionFormat?.lines) { $0.header(ofMotions: source.channels) }
      } catch {
        samples?.file.discard()
        messageLog?.file.discard()
        throw error
      }
      return Recorder(
        source, samples: samples, motions: motions, messages: messageLog, frame: referenceFrame,
        duration: end.seconds)
    } catch { throw Failure(error) }
  }
}
