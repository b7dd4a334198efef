// SPDX-License-Identifier: Apache-2.0
import SourceReading
import CommandOutput
import BoardCommands
import ArgumentParser
import Boards
import MotionSources
import Foundation
import Fusion
import Otolith
import Recognition
import Recordings
import Runtime

struct Replay: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Compute motion from a recording, as from a live board.",
    discussion: """
      The recording is a CSV with a timestamp column (seconds) and any of acceleration.x .y .z (g, \
      Core Motion's sign), rotationRate.* (rad/s), magneticField.* (uT), pressure (kPa), \
      temperature, humidity, illuminance (lx), proximity. The output has one row per rotation rate \
      (per acceleration if there is no gyroscope), with the recording's timestamps.

      Files of the phone apps SensorLog, Sensor Logger and phyphox are recognised by their \
      columns, with their units and signs; if an app writes one file per sensor, name all of them. \
      Columns that are probably in another unit or are not read are reported, with the option that \
      corrects it.

      A recording of several chips that measure the same has what they gave together, and the \
      samples of each: --only reads those of one chip. With --board fusion then expects the errors \
      of that chip.

      --output FILE.mcap writes samples and motion in the format of Foxglove and ROS 2, like \
      'otolith record'; stamps are the recording's timestamps.

      At the end it lists the faults found in the samples (a sensor that is silent, hung or at the \
      end of its range), each with its time, likely cause and remedy.
      """)

  @Argument(
    help: ArgumentHelp(
      "The recording: a CSV or MCAP file, or several CSV files with one sensor each.",
      valueName: "recording"),
    completion: .file(extensions: ["csv", "mcap"]))
  var recordings: [String]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file for motion; - is standard output.", valueName: "file.csv|file.mcap"),
    completion: .file(extensions: ["csv", "jsonl", "mcap"]))
  var output = "-"

  @OptionGroup var form: FormatOptions<RecordFormat>

  @OptionGroup(title: "In an MCAP file") var messages: MessageOptions

  @OptionGroup var overwrite: OverwriteOption

  @Option(help: "The reference frame of the attitude.")
  var referenceFrame = FrameOption.xArbitraryZVertical

  @Option(help: "What carried the device.")
  var moves: CarrierOption?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The board that was recorded.",
      discussion: """
        Fusion then expects the delays, ranges and errors of its chips, as it did live, so that a \
        recording of 'otolith record' gives the same motion again, to the last digit.
        """, valueName: "board"), completion: .boards)
  var board: String?

  @OptionGroup var only: OnlyOption

  @Flag(
    help:
      "Correct each motion with all later samples too; reads the recording three times."
  )
  var smooth = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Smooth with the samples of only the next 0.1 to 60 seconds, like a live stream.",
      valueName: "s"), transform: NumberForm.seconds(0.1...60, example: 1))
  var smoothingLagS: Double?

  @Flag(
    help: ArgumentHelp(
      "Add the uncertainty of each motion.",
      discussion: """
        CSV and JSON get the columns attitudeCovariance.xx .xy .xz .yy .yz .zz (rad^2, in the \
        reference frame), gyroBiasSigma (rad/s), faults (space-separated names) and coasting (1 \
        while the attitude comes from the accelerometer alone); MCAP gets the full \
        orientation_covariance.
        """))
  var covariance = false

  @Flag(help: "Reject a recording with rows out of time order.")
  var strict = false

  @OptionGroup(title: "Names and units of the recording") var reading: RecordingOptions

  @OptionGroup(title: "Place of the recording, for true north") var place: LocationOptions

  func validate() throws {
    if referenceFrame == .xTrueNorthZVertical, place.location == nil {
      throw ValidationError(
        "x-true-north-z-vertical needs --latitude-deg and --longitude-deg, or --declination-deg")
    }
    if !only.isEmpty, recordings.count > 1 {
      throw ValidationError("--only needs one recording, as otolith record writes it")
    }
    if smoothingLagS != nil, smooth {
      throw ValidationError("--smooth and --smoothing-lag-s exclude each other")
    }
  }

  /// The number of seconds for which each motion waits for later samples, and the length of one
  /// backward pass in seconds; `nil` without smoothing.
  private var smoothing: (lag: Double, block: Double)? {
    if let lag = smoothingLagS { return (lag, 0) }
    // A recording shorter than 600 s is smoothed as a whole. In a longer recording, smoothing uses
    // at least 600 s.
    return smooth ? (600, 600) : nil
  }

  func run() throws {
    // Ignore SIGXFSZ, because a file size limit is reported as a write error.
    signal(SIGXFSZ, SIG_IGN)
    do { try replay() } catch let error as RecordingError {
      throw Failure(error)
    } catch let error as FileWriterError where error.kind == .readerGone {
      // It is not an error if the reader of a pipe closes it (`| head`).
    } catch let error as FileWriterError {
      throw Failure(error)
    }
  }

  /// Reads the recording once to calibrate the magnetometer, so that north is correct from the
  /// first sample on.
  private func magnetism(
    _ estimator: MotionEstimator, _ files: [String], of chips: [String]
  ) throws -> FusionMemory {
    var reader = try open(files, of: chips)
    var estimator = estimator
    var progress = ProgressLine("replay, first reading", isQuiet: output == "-")
    defer { progress.end() }
    var count = 0
    while var sample = try reader.next() {
      sample.timestamp = sample.timestamp + reader.shift
      _ = estimator.update(sample)
      count += 1
      if count % 1024 == 0 { progress.show(reader.share) }
    }
    let memory = estimator.memory
    return FusionMemory(magnetometer: memory.magnetometer, magneticDelay: memory.magneticDelay)
  }

  /// Opens the recordings in `files`, and reads the own samples of `chips` in them. Error messages
  /// contain the names that the user gave.
  private func open(
    _ files: [String], of chips: [String]
  ) throws(RecordingError) -> RecordingSet {
    try RecordingSet(
      paths: files, names: recordings, order: strict ? .strict : .lenient,
      reading.conventions(of: chips))
  }

  /// Returns the parameters of fusion, those of the board if one is given, and the chips whose own
  /// samples are read.
  private func setting() throws(Failure) -> (params: FusionEngine.Params, chips: [String]) {
    guard let board else {
      return (FusionEngine.Params(carrier: moves?.carrier ?? .hand), only.chips)
    }
    var recorded: Board
    do throws(BoardErrors) { recorded = try BoardSelection.choose(path: board).board } catch {
      throw Failure(error)
    }
    if let moves { recorded.carrier = moves.carrier }
    // A chip that alone measures a quantity has no samples but those of motion.
    let roles = ChipRole.roles(of: recorded.pipelineChips)
    let shared = zip(recorded.chips, roles).filter { !$1.separate.isEmpty }.map(\.0.name)
    let chips = try only.apply(to: &recorded)
    return (FusionEngine.Params(of: recorded), chips.filter(shared.contains))
  }

  private func replay() throws {
    let format = try form.format(for: output, "--output")
    try messages.check(isUsed: format == .mcap)
    let (params, chips) = try setting()
    let file = try OutputFile(output, inputs: recordings, replaces: overwrite.force)
    let copies = smoothing == nil ? nil : try RereadableFiles(recordings)
    let files = copies?.paths ?? recordings
    var reader = try open(files, of: chips)
    for note in reader.notes { Terminal.complain(note.line) }
    let channels = reader.channels
    let maker =
      format == .mcap ? messages.maker(of: channels, frame: referenceFrame) : nil
    var written = ReplayOutput(
      try file.writer(), path: file.path, OutputFormat(rawValue: format.rawValue), of: channels,
      isUncertain: covariance, maker, recordings)
    var estimator = MotionEstimator(channels: channels, params: params)
    let trueNorth = place.trueNorth
    trueNorth?.log()
    if referenceFrame == .xTrueNorthZVertical, let trueNorth {
      Terminal.complain("true north: \(trueNorth.sentence)")
    }
    if let field = trueNorth?.expectedField {
      estimator.engine.assume(fieldNorm: field.total, dip: field.dip)
    }
    if smooth { estimator.engine.assume(try magnetism(estimator, files, of: chips)) }
    let declination = trueNorth?.declination ?? 0
    var movement = MovementEstimator(channels: channels)
    var auxiliary = AuxiliaryReadings(of: channels)
    var faults = FaultTimes()
    var lookahead = try smoothing.map { smoothing throws(RecordingError) in
      RecordingLookahead(
        try open(files, of: chips),
        EpochSmoother(estimator: estimator, lag: smoothing.lag, block: smoothing.block))
    }
    var progress = ProgressLine("replay", isQuiet: output == "-")
    defer { progress.end() }
    while var sample = try reader.next() {
      try written.add(sample)
      // Fusion and recognition need increasing times, so they receive shifted times. The output has
      // the recording's original times.
      let timestamp = sample.timestamp
      sample.timestamp = timestamp + reader.shift
      movement.update(sample)
      auxiliary.update(sample)
      guard var motion = estimator.update(sample) else { continue }
      _ = faults.add(
        estimator.engine.faults, isCoasting: estimator.engine.isCoasting, at: motion.timestamp)
      var smoothed: Matrix3?
      if lookahead != nil, let result = try lookahead?.corrected(motion) {
        (motion, smoothed) = result
      }
      var row = MotionRow(motion, referenceFrame, declination: declination)
      if covariance {
        row.addUncertainty(of: motion, referenceFrame, estimator.engine, smoothed: smoothed)
      }
      row.timestamp = timestamp
      row.add(movement)
      auxiliary.add(to: &row)
      try written.add(
        row, of: motion, biasSigma: estimator.engine.gyroBiasSigma, faults: faults.present)
      if try written.flush() { progress.show(reader.share) }
    }
    movement.finish()
    try written.finish { $0.add(movement) }
    for remark in reader.remarks { Terminal.complain("\(remark); --strict refuses it") }
    for warning in reader.warnings { Terminal.complain(warning.line) }
    for sentence in faults.sentences { Terminal.complain("\(recordings[0]): \(sentence)") }
  }
}

extension RecordingWarning {
  /// The error message, with the option that solves the problem, if such an option exists.
  fileprivate var line: String { text + (remedy.map { "; say \($0)" } ?? "") }
}

/// The ways the device is carried, by their names on the command line.
enum CarrierOption: String, CaseIterable, ExpressibleByArgument {
  case hand, body, wheels, air, water

  var carrier: Carrier {
    switch self {
    case .hand: .hand
    case .body: .body
    case .wheels: .wheels
    case .air: .air
    case .water: .water
    }
  }
}
