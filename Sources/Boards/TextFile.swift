// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Recordings

/// A text file, or in words why there is none.
enum TextFile {
  enum Reading: Equatable {
    case text(String)
    case problem(String)
    /// It has more than so many bytes.
    case tooLarge(most: Int)
  }

  /// The whole text of the file at `path`, of the size of a board file at most.
  static func read(_ path: String) -> Reading {
    switch bytes(path, most: { _ in YAMLSource.largest }) {
    case .success(let bytes): text(bytes)
    case .failure(let why): why.reading
    }
  }

  /// The reason why there are no bytes.
  struct Failure: Error {
    var reading: Reading
  }

  /// All bytes of the file at `path`, of which there may be `most`, as it begins with what that is
  /// given. Looked at while they are read: a pipe or a device may have no end.
  static func bytes(_ path: String, most: ([UInt8]) -> Int) -> Result<[UInt8], Failure> {
    let reading = kind(path)
    guard case .text = reading else { return .failure(Failure(reading: reading)) }
    switch BoundedFile.read(path, most: most) {
    case .bytes(let bytes): return .success(bytes)
    case .tooLarge(let most): return .failure(Failure(reading: .tooLarge(most: most)))
    case .failed: return .failure(Failure(reading: .problem("cannot be read")))
    }
  }

  static func text(_ bytes: [UInt8]) -> Reading {
    guard let text = String(data: Data(bytes), encoding: .utf8) else {
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
