// SPDX-License-Identifier: Apache-2.0
internal import Foundation
public import Recordings

extension FileWriter {
  /// Replaces the file at `path` atomically by a file with the content `text` that all users can
  /// read. A missing folder is created. With `followsLinks: false` a link at the path is an error.
  public static func replace(
    _ path: String, with text: String, followsLinks: Bool = true
  ) throws(FileWriterError) {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { String(path[..<$0]) } ?? ""
    if !folder.isEmpty, !FileManager.default.fileExists(atPath: folder) {
      do {
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true)
      } catch {
        throw FileWriterError(
          .cannotCreate, file: path, reason: "the folder '\(folder)' cannot be made")
      }
    }
    var writer = try FileWriter(path: path, permissions: 0o644, followsLinks: followsLinks)
    try writer.write(Array(text.utf8))
    try writer.commit()
  }
}
