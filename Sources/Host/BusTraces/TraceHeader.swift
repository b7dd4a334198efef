// SPDX-License-Identifier: Apache-2.0
public import Quantities
internal import Recordings

/// The header of a trace: what was recorded, with which program, on which machine.
public struct TraceHeader: Equatable, Sendable {
  /// The version that this program writes. It reads older versions too: in version 1 data-ready
  /// chips were read through their registers, even with a FIFO.
  public static let version = 2
  static let versionKey = "otolith-trace"
  static let clockKey = "clock"
  static let eventsKey = "events"
  /// Keys of texts with several lines, which are indented by two spaces.
  static let boardKey = "board"
  static let calibrationKey = "calibration"

  /// The version of the trace.
  public var version = TraceHeader.version
  /// The recorder's clock at the trace's time 0.
  public var origin: Timestamp
  /// Facts of one line each, in order: `otolith` and its version, `kernel` and its release, and
  /// further facts about the machine. Keys are single words.
  public var facts: [(key: String, value: String)]
  /// The text of the board file.
  public var board: String
  /// The text of the calibration file; `nil` if the board has none.
  public var calibration: String?
  /// The number of lines before the first line of the board.
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

  /// The header's text, including `events:`.
  public var text: String {
    var lines = ["\(Self.versionKey): \(version)"]
    lines += facts.map { "\($0.key): \(Self.oneLine($0.value))" }
    lines.append("\(Self.clockKey): \(TraceFormat.seconds(origin - .zero))")
    lines += Self.block(Self.boardKey, board)
    if let calibration { lines += Self.block(Self.calibrationKey, calibration) }
    lines.append("\(Self.eventsKey):")
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns a YAML literal block.
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
