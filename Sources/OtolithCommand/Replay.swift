// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Otolith
import Recordings

struct Replay: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Turn a recording into motion, as a live board would have.",
    discussion: """
      The recording is a CSV with a timestamp column (seconds) and any of acceleration.x .y .z (g, \
      Core Motion's sign), rotationRate.* (rad/s), magneticField.* (uT), pressure (kPa), \
      temperature and humidity. One row comes out for each rotation rate (each acceleration where \
      there is no gyroscope), on the recording's clock.
      """)

  @Argument(help: "The recording, a CSV file.")
  var recording: String

  @Option(name: .shortAndLong, help: "Where the motion goes; - is standard output.")
  var output = "-"

  @Option(help: "csv, or jsonl: one JSON object a line.")
  var format = OutputFormat.csv

  @Option(help: "The frame that attitude is given in.")
  var referenceFrame = FrameOption.xArbitraryZVertical

  @OptionGroup(title: "Where it was recorded; true north needs it") var place: LocationOptions

  func validate() throws {
    if referenceFrame == .xTrueNorthZVertical, place.location == nil {
      throw ValidationError(
        "x-true-north-z-vertical needs --latitude-deg and --longitude-deg, or --declination-deg")
    }
  }

  func run() throws {
    do { try replay() } catch let error as RecordingError {
      throw Failure(error)
    } catch let error as FileWriterError where error.kind == .readerGone {
      // `| head` has seen enough.
    } catch let error as FileWriterError {
      throw Failure(error)
    }
  }

  private func replay() throws {
    var reader = try RecordingReader(path: recording)
    var writer = try FileWriter(path: output)
    var estimator = MotionEstimator(channels: reader.channels)
    var movement = MovementEstimator(channels: reader.channels)
    let trueNorth = place.trueNorth
    trueNorth?.log()
    if referenceFrame == .xTrueNorthZVertical, let trueNorth {
      Terminal.complain("true north: \(trueNorth.sentence)")
    }
    if let field = trueNorth?.expectedField {
      estimator.engine.assume(fieldNorm: field.total, dip: field.dip)
    }
    let declination = trueNorth?.declination ?? 0
    var buffer: [UInt8] = []
    buffer.reserveCapacity(1 << 17)
    if format == .csv { buffer += MotionFormat.csvHeader.utf8 }
    // The newest row waits: the last of all says what is known at the end.
    var newest: MotionRow?
    while let sample = try reader.next() {
      movement.update(sample)
      guard let motion = estimator.update(sample) else { continue }
      if let newest { format.append(newest, to: &buffer) }
      var row = MotionRow(motion, referenceFrame, declination: declination)
      row.add(movement)
      newest = row
      if buffer.count > 1 << 16 {
        try writer.write(buffer)
        buffer.removeAll(keepingCapacity: true)
      }
    }
    if var newest {
      movement.finish()
      newest.add(movement)
      format.append(newest, to: &buffer)
    }
    try writer.write(buffer)
    try writer.commit()
  }
}

/// How motion is written.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
  case csv
  case jsonl

  func append(_ row: MotionRow, to buffer: inout [UInt8]) {
    switch self {
    case .csv: MotionFormat.appendCSV(row, to: &buffer)
    case .jsonl: MotionFormat.appendJSON(row, to: &buffer)
    }
  }
}
