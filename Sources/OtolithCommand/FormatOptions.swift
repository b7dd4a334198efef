// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// A form in which a command writes rows.
protocol RowFormat: CaseIterable, ExpressibleByArgument, Equatable, Sendable
where Self: RawRepresentable, RawValue == String {
  /// Taken where nothing is said.
  static var usual: Self { get }
  /// One JSON object a line.
  static var jsonl: Self { get }
  /// The forms in words.
  static var summary: String { get }
}

/// The form of a command's rows.
struct FormatOptions<Format: RowFormat>: ParsableArguments {
  @Option(name: [.customShort("f"), .customLong("format")], help: "\(Format.summary)")
  var named: Format?

  @Flag(help: "The same as --format jsonl.")
  var json = false

  func validate() throws {
    if json, let named, named != .jsonl {
      throw ValidationError("--json is --format jsonl, and --format \(named.rawValue) is another")
    }
  }

  var format: Format { json ? .jsonl : named ?? .usual }
}
