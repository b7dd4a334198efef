// SPDX-License-Identifier: Apache-2.0
public import Quantities
internal import Recordings

/// The header of a trace: what was recorded, with which program, and on which machine.
public struct TraceHeader: Equatable, Sendable {
  /// The version of the format that this program writes. The program reads older versions too. In
  /// version 1, chips with data-ready were read through their registers even if they have a FIFO.
  public static let version = 2
  static let versionKey = "otolith-trace"
  static let clockKey = "clock"
  static let eventsKey = "events"
  /// The keys whose values have several lines, which are indented by two spaces.
  static let boardKey = "board"
  static let calibrationKey = "calibration"

  /// The version of the trace's format.
  public var version = TraceHeader.version
  /// The time on the recorder's clock that is time 0 in the trace.
  public var origin: Timestamp
  /// Facts about the program and the machine, one line each, in order: `otolith` and its version,
  /// `kernel` and its release, and further facts about the machine. Each key is a single word.
  public var facts: [(key: String, value: String)]
  /// The text of the board file.
  public var board: String
  /// The text of the calibration file; `nil` if the board has none.
  public var calibration: String?
  /// The number of lines before the first line of the board's text.
  public var linesBeforeBoard = 0
  public var linesBeforeCalibration = 0

  public init(
    origin: Timestamp, facts: [(key: String, value: String)] = [], board: String,
    calibration: String? = nil
  ) {
    self.origin = origin
    self.facts = facts
    self.board = board
    self.calibration = calibration
  }

  public static func == (a: TraceHeader, b: TraceHeader) -> Bool {
    a.origin == b.origin && a.board == b.board && a.calibration == b.calibration
      && a.facts.elementsEqual(b.facts, by: ==)
  }

  /// The text of the trace's header, including the line `events:`.
  public var text: String {
    var lines = ["\(Self.versionKey): \(version)"]
    lines += facts.map { "\($0.key): \(Self.oneLine($0.value))" }
    lines.append("\(Self.clockKey): \(TraceFormat.seconds(origin - .zero))")
    lines += Self.block(Self.boardKey, board)
    if let calibration { lines += Self.block(Self.calibrationKey, calibration) }
    lines.append("\(Self.eventsKey):")
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns the lines of a YAML literal block.
  private static func block(_ key: String, _ text: String) -> [String] {
    var lines = text.replacing("\r\n", with: "\n")
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    while lines.last?.isEmpty == true { lines.removeLast() }
    return ["\(key): |"] + lines.map { $0.isEmpty ? "" : "  " + $0 }
  }

  private static func oneLine(_ text: String) -> String {
    ControlCharacters.visible(String(text.map { $0.isNewline ? " " : $0 }))
  }
}
