// SPDX-License-Identifier: Apache-2.0
import Foundation
import Quantities
import Recordings

/// Returns all samples of a recording given as text.
func samples(_ text: String) throws(RecordingError) -> [Sample] {
  var reader = try RecordingReader(bytes: Array(text.utf8), file: "walk.csv")
  var samples: [Sample] = []
  while let sample = try reader.next() { samples.append(sample) }
  return samples
}

/// Returns the error line for a recording given as text; `nil` if it is read without error.
func complaint(_ text: String) -> String? { complaint(Array(text.utf8)) }

/// Returns the error line for a recording given as bytes.
func complaint(_ bytes: [UInt8]) -> String? {
  do {
    var reader = try RecordingReader(bytes: bytes, file: "walk.csv")
    while try reader.next() != nil {}
    return nil
  } catch {
    return error.description
  }
}

/// Runs `body` in a new temporary folder.
func inFolder(_ body: (String) throws -> Void) throws {
  let folder = FileManager.default.temporaryDirectory.appending(path: "otolith-\(UUID())").path()
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  try body(folder)
}
