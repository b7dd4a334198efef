// SPDX-License-Identifier: Apache-2.0
import BoardCommands
import ArgumentParser
import Otolith
import Recordings

/// A length at which a log goes on in the next file.
enum RotateOption: ExpressibleByArgument {
  case time(TimeSpan)
  case size(Int)

  private static let seconds = [("min", 60.0), ("s", 1), ("h", 3600), ("d", 86_400)]
  private static let bytes = [("kB", 1e3), ("MB", 1e6), ("GB", 1e9)]

  init?(argument: String) {
    func number(_ unit: (name: String, factor: Double)) -> Double? {
      guard argument.hasSuffix(unit.name),
        let number = Double(argument.dropLast(unit.name.count)), number > 0,
        // More is no length of a file any more.
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
    // Less than a page, or a blink, would be files of a line.
    switch option {
    case .time(let span): guard span >= .seconds(1) else { return nil }
    case .size(let bytes): guard bytes >= 4096 else { return nil }
    }
    self = option
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
