// SPDX-License-Identifier: Apache-2.0

/// A position in a text file or string, counted from 1. Columns count Unicode scalars.
public struct SourcePosition: Sendable, Hashable, Comparable {
  public var line: Int
  public var column: Int

  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The position for errors about a whole file.
  public static var start: SourcePosition { SourcePosition(line: 1, column: 1) }

  public static func < (a: SourcePosition, b: SourcePosition) -> Bool {
    (a.line, a.column) < (b.line, b.column)
  }
}

/// The positions of an entry's values in a file, for errors that higher layers report.
public struct Positions: Sendable, Hashable {
  /// The position of the entry's name.
  public var entry: SourcePosition
  var values: [String: SourcePosition]

  public init(entry: SourcePosition, values: [String: SourcePosition] = [:]) {
    self.entry = entry
    self.values = values
  }

  /// The position of the value of `key`, or of the entry if the key is missing.
  public subscript(key: String) -> SourcePosition { values[key] ?? entry }
}
