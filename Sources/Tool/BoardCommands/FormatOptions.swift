// SPDX-License-Identifier: Apache-2.0
package import CommandOutput
package import ArgumentParser

/// A format in which a command writes rows.
package protocol RowFormat: CaseIterable, ExpressibleByArgument, Equatable, Sendable
where Self: RawRepresentable, RawValue == String {
  /// The format that is used if the user requests none.
  static var usual: Self { get }
  /// The format with one JSON object per line.
  static var jsonl: Self { get }
  /// The names of the formats, for the help text.
  static var summary: String { get }
}

/// The option for the format of a command's rows.
package struct FormatOptions<Format: RowFormat>: ParsableArguments {
  package init() {}

  @Option(name: [.customShort("f"), .customLong("format")], help: "\(Format.summary)")
  package var named: Format?

  @Flag(help: "The same as --format jsonl.")
  package var json = false

  package func validate() throws {
    if json, let named, named != .jsonl {
      throw ValidationError("--json is --format jsonl, and --format \(named.rawValue) is another")
    }
  }

  package var format: Format { json ? .jsonl : named ?? .usual }
}

extension FormatOptions {
  /// Returns the format of the file at `path`: the requested format, otherwise the format that
  /// belongs to the file's extension. Throws if the extension belongs to another format, or to one
  /// that is not in `all`. `option` is the option that names the file, for error messages.
  package func format(
    for path: String, _ option: String, among all: [Format] = Array(Format.allCases)
  ) throws(Failure) -> Format {
    let said = json ? .jsonl : named
    let endings: [String] = (said.map { [$0] } ?? all).map(\.rawValue)
    try FileEnding.check(path, option, holds: endings)
    return said ?? FileEnding.of(path).flatMap(Format.init(rawValue:)) ?? .usual
  }
}
