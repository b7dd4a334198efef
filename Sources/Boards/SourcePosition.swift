// SPDX-License-Identifier: Apache-2.0

/// A place in a text, counted from 1; columns count Unicode scalars.
public struct SourcePosition: Sendable, Hashable, Comparable {
  public var line: Int
  public var column: Int

  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The place of whatever is missing from a whole file.
  public static var start: SourcePosition { SourcePosition(line: 1, column: 1) }

  public static func < (a: SourcePosition, b: SourcePosition) -> Bool {
    (a.line, a.column) < (b.line, b.column)
  }
}

/// The places of the values of one entry of a file, so that later layers can point at them.
public struct Positions: Sendable, Hashable {
  /// The entry's name.
  public var entry: SourcePosition
  var values: [String: SourcePosition]

  public init(entry: SourcePosition, values: [String: SourcePosition] = [:]) {
    self.entry = entry
    self.values = values
  }

  /// Returns the place of the value of `key`, or that of the entry itself where the file leaves
  /// `key` out.
  public subscript(key: String) -> SourcePosition { values[key] ?? entry }
}
