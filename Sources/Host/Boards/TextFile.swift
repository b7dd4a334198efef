// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Recordings

/// The reading of text files. If a file cannot be read, the result is the reason in words.
enum TextFile {
  enum Reading: Equatable {
    case text(String)
    case problem(String)
    /// The text file has more than `most` bytes.
    case tooLarge(most: Int)
  }

  /// Reads the file at `path`, at most as many bytes as a board file may have.
  static func read(_ path: String) -> Reading {
    switch bytes(path, most: { _ in YAMLSource.largest }) {
    case .success(let bytes): text(bytes)
    case .failure(let why): why.reading
    }
  }

  struct Failure: Error {
    var reading: Reading
  }

  /// Reads the file at `path`. `most` returns the allowed size, which may depend on the first
  /// bytes. The size is checked while reading, because a pipe or a device may have no end.
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

  /// Returns whether a readable file exists at `path`, without reading it.
  static func kind(_ path: String) -> Reading {
    guard FileManager.default.fileExists(atPath: path) else { return .problem("no such file") }
    // A path with a slash at its end exists only if it names a folder. (The function with a flag
    // for folders needs an unsafe pointer.)
    if FileManager.default.fileExists(atPath: path + "/") { return .problem("is a folder") }
    guard FileManager.default.isReadableFile(atPath: path) else {
      return .problem("permission denied")
    }
    return .text("")
  }

  /// Returns the names of the files in `folder` with the suffix `ending`, sorted.
  static func names(in folder: String, endingIn ending: String) -> [String] {
    let path = folder.isEmpty ? "." : folder
    let names = try? FileManager.default.contentsOfDirectory(atPath: path)
    return (names ?? []).filter { $0.hasSuffix(ending) }.sorted()
  }
}
