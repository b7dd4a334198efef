// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// A text file, or in words why there is none.
enum TextFile {
  enum Reading: Equatable {
    case text(String)
    case problem(String)
  }

  /// The whole text of the file at `path`.
  static func read(_ path: String) -> Reading {
    let reading = kind(path)
    guard case .text = reading else { return reading }
    guard let data = FileManager.default.contents(atPath: path) else {
      return .problem("cannot be read")
    }
    guard let text = String(data: data, encoding: .utf8) else {
      return .problem("is not text in UTF-8")
    }
    return .text(text)
  }

  /// `read` without the text: whether there is a file that may be read.
  static func kind(_ path: String) -> Reading {
    guard FileManager.default.fileExists(atPath: path) else { return .problem("no such file") }
    // Only a folder is still there with a slash at its end. (The call that asks takes an unsafe
    // pointer.)
    if FileManager.default.fileExists(atPath: path + "/") { return .problem("is a folder") }
    guard FileManager.default.isReadableFile(atPath: path) else {
      return .problem("permission denied")
    }
    return .text("")
  }

  /// The names of the files in `folder` that end in `ending`, in order.
  static func names(in folder: String, endingIn ending: String) -> [String] {
    let path = folder.isEmpty ? "." : folder
    let names = try? FileManager.default.contentsOfDirectory(atPath: path)
    return (names ?? []).filter { $0.hasSuffix(ending) }.sorted()
  }
}
