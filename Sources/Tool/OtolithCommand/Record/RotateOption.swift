// SPDX-License-Identifier: Apache-2.0
import BoardCommands
import ArgumentParser
import Otolith
import Recordings

/// The duration or size after which recording continues in the next file.
enum RotateOption: TypedArgument {
  case time(TimeSpan)
  case size(Int)

  private static let seconds = [("min", 60.0), ("s", 1), ("h", 3600), ("d", 86_400)]
  private static let bytes = [("kB", 1e3), ("MB", 1e6), ("GB", 1e9)]

  init?(argument: String) {
    func number(_ unit: (name: String, factor: Double)) -> Double? {
      guard argument.hasSuffix(unit.name),
        let number = Double(argument.dropLast(unit.name.count)), number > 0,
        // A value above 1e15 is a typing error, not a file length.
        number * unit.factor <= 1e15
      else { return nil }
      return number * unit.factor
    }
    let option: RotateOption
    if let bytes = Self.bytes.lazy.compactMap(number).first {
      option = .size(Int(bytes))
    } else if let seconds = Self.seconds.lazy.compactMap(number).first {
      option = .time(TimeSpan(seconds: seconds))
    } else {
      return nil
    }
    // A file shorter than 1 s or 4096 bytes would contain hardly more than a header.
    switch option {
    case .time(let span): guard span >= .seconds(1) else { return nil }
    case .size(let bytes): guard bytes >= 4096 else { return nil }
    }
    self = option
  }

  static func wrong(_ text: String) -> WrongValue {
    WrongValue(
      "a time of 1s or more (s, min, h, d) or a size of 4096 bytes or more (kB, MB, GB)",
      meant: meant(text, (seconds + bytes).map(\.0)), example: "1h or 100MB")
  }

  /// Parses a size in bytes; throws for a duration.
  static func readSize(_ text: String) throws -> RotateOption {
    if let option = RotateOption(argument: text), !option.isTime { return option }
    throw WrongValue(
      "a size of 4096 bytes or more (kB, MB, GB)", meant: meant(text, bytes.map(\.0)),
      example: "64MB")
  }

  /// Returns suggestions for a value with an unknown unit: units that differ only in case,
  /// otherwise units with the same first letter.
  private static func meant(_ text: String, _ units: [String]) -> [String] {
    guard let match = text.wholeMatch(of: /(\d+(?:\.\d+)?) ?([A-Za-z]*)/) else { return [] }
    let typed = match.2.lowercased()
    let same = units.filter { $0.lowercased() == typed }
    let alike = same.isEmpty ? units.filter { $0.lowercased().first == typed.first } : same
    return alike.map { "\(match.1)\($0)" }.filter { RotateOption(argument: $0) != nil }
  }

  var isTime: Bool {
    if case .time = self { true } else { false }
  }

  func apply(to rotation: inout LogRotation) {
    switch self {
    case .time(let span): rotation.interval = span
    case .size(let bytes): rotation.bytes = bytes
    }
  }
}
