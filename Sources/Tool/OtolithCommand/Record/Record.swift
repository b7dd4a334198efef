// SPDX-License-Identifier: Apache-2.0
import SourceReading
import MotionRecorder
import CommandOutput
import BoardCommands
import ArgumentParser
import Foundation
import Otolith
import Recordings
import MotionSources
import Runtime

struct Record: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record a board's samples and motion into files, for as long as months.",
    discussion: """
      --output gets every sample of every chip, in the format that 'otolith replay' reads (a \
      second chip for the same quantity has columns with its name, b.acceleration.x); --motion \
      gets the motion computed from them. Each row has a timestamp on the monotonic clock and the \
      wall-clock time (utc, ISO 8601); 'lost' is the number of samples lost just before the row. \
      Rows are written one second after their samples, so that the rows of all chips are in time \
      order. After a crash or on a full disk the files end with a whole line; a power cut loses at \
      most the last two seconds. Recording never slows the sensors down.

      A file name ending in .mcap selects the format of Foxglove and ROS 2: samples as \
      sensor_msgs, motion as Imu and tf with standard deviations, diagnostics once per second; \
      stamps are wall-clock times. 'otolith replay' reads it too.

      With --rotate the files are numbered, log-0001.csv and so on, continuing after the highest \
      number in the folder. The board is chosen as by 'otolith run', but never simulated by \
      default. Ctrl-C stops recording. 'otolith install --print record' prints a systemd unit.

        otolith record -o log.csv --rotate 1h --keep 24
        otolith record -o drive.mcap
        otolith record --board boards/simulated.yaml -o hour.csv --duration 3600 --instant
      """)

  @OptionGroup var place: BoardOptions

  @OptionGroup var only: OnlyOption

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
      "Start a new file after this time (s, min, h, d) or size (kB, MB, GB); one of each may be "
        + "given.", valueName: "1h|100MB"), transform: RotateOption.read)
  var rotate: [RotateOption] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Keep only this many of the numbered files, the newest. (default: all)", valueName: "count"),
    transform: NumberForm.whole("a whole number of files", 1...1_000_000, example: 24))
  var keep: Int?

  @OptionGroup var end: DurationOption

  @Flag(
    help: "Run a simulated board or a trace as fast as possible: an hour takes seconds.")
  var instant = false

  @Option(help: "The reference frame of the attitude.")
  var referenceFrame = FrameOption.xArbitraryZVertical

  @OptionGroup(title: "In an MCAP file") var messages: MessageOptions

  @OptionGroup var overwrite: OverwriteOption

  func validate() throws {
    guard output != nil || motion != nil else {
      throw ValidationError("nothing to record: give --output, --motion or both")
    }
    if let output, let motion, OutputFile.isOne(output, motion) {
      throw ValidationError("--output and --motion need different files")
    }
    if let motion, form.named == .mcap || FileEnding.of(motion) == RecordFormat.mcap.rawValue {
      throw ValidationError(
        "an MCAP file has samples and motion together: --output FILE.mcap alone, or --motion "
          + "FILE.csv as well")
    }
    if instant, end.seconds == nil { throw ValidationError("--instant needs --duration") }
    if rotate.count(where: \.isTime) > 1 || rotate.count(where: { !$0.isTime }) > 1 {
      throw ValidationError("--rotate can be given once for a time and once for a size")
    }
    if !rotate.isEmpty, output == "-" || motion == "-" {
      throw ValidationError("--rotate needs files, not standard output")
    }
    if !rotate.isEmpty,
      let device = [output, motion].compactMap(\.self).first(where: OutputFile.isDevice)
    {
      throw ValidationError("--rotate needs a regular file, which \(device) is not")
    }
    if keep != nil, rotate.isEmpty {
      throw ValidationError("--keep needs --rotate: it counts numbered files")
    }
  }

  func run() throws {
    // Ignore SIGXFSZ and SIGPIPE, because a file size limit and a closed pipe are reported as write
    // errors.
    signal(SIGXFSZ, SIG_IGN)
    signal(SIGPIPE, SIG_IGN)
    let formats = (samples: try sampleFormat, motions: try motionFormat)
    try messages.check(isUsed: formats.samples == .mcap)
    let chosen = try place.choose(to: true, only: only)
    if let refusal = chosen.refusal(of: referenceFrame) { throw refusal }
    let board = chosen.kind.board
    if instant, board?.canRunInstantly != true {
      throw Failure(
        "--instant needs a board with only simulated buses, or a trace, which \(chosen.place) is "
          + "not", Failure.usage)
    }
    let session = instant ? board.map { BoardSession($0) } : nil
    let source: any MotionSource = session ?? chosen
    let recorder = try makeRecorder(source, formats.samples, formats.motions)
    // From here on, Ctrl-C and a service manager's stop end the recording cleanly, with the chips
    // asleep.
    let signals = try EndSignals()
    defer { signals.cancel() }
    do throws(SessionError) {
      if let session {
        try recorder.followInstantly(session, until: signals.wakeEvent)
      } else {
        try source.start()
        recorder.follow(until: signals.wakeEvent)
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
        let maker = messages.maker(
          of: source.channels, source.chipColumns, frame: referenceFrame)
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
