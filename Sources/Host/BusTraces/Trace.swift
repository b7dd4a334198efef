// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Recordings

/// The recording of the buses of a board.
public struct Trace: Equatable, Sendable {
  /// The name of the trace's file in errors.
  public var file: String
  public var header: TraceHeader
  /// The trace's events, in the order of the file.
  public var events: [TraceEvent]
  /// The file's line of each event, counted from 1.
  public var lines: [Int]
  /// True if the end of the file is missing, because the recorder was killed or the power failed.
  public var isCutOff: Bool

  public init(
    file: String, header: TraceHeader, events: [TraceEvent], lines: [Int], isCutOff: Bool
  ) {
    self.file = file
    self.header = header
    self.events = events
    self.lines = lines
    self.isCutOff = isCutOff
  }

  /// The first characters of every trace, in any version of the format.
  public static let opening = TraceHeader.versionKey + ":"

  /// The largest size of a trace in bytes.
  package static let largest = TraceLimits.bytes
  /// The largest number of events in a trace.
  package static let mostEvents = TraceLimits.events

  /// The number of events that the recorder dropped.
  public var missing: Int {
    events.reduce(0) { sum, event in
      if case .hole(let count) = event.kind { sum.plus(count) } else { sum }
    }
  }

  /// The time from the first event to the last event.
  public var length: TimeSpan {
    guard let first = events.first, let last = events.last else { return .zero }
    return last.time - first.time
  }

  /// The reasons why the recording is incomplete, one sentence for each.
  public var remarks: [String] {
    var remarks: [String] = []
    if isCutOff {
      remarks.append(
        "\(file): cut off after line \(lines.last ?? 0): the recorder was killed or lost power; "
          + "reading ends there"
      )
    }
    if missing > 0 {
      remarks.append(
        "\(file): \(missing) events are missing, because the recorder was too slow; the rest may "
          + "differ"
      )
    }
    return remarks
  }

  /// Reads the trace in `bytes`. `file` is its name in errors.
  public init(bytes: [UInt8], file: String) throws(RecordingError) {
    var reader = TraceReader(bytes, file: file)
    self = try reader.trace()
  }
}
