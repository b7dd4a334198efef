// SPDX-License-Identifier: Apache-2.0
import Foundation
import Otolith
package import Recordings
import MotionSources

/// A file for a command's output. The file is never one of the command's inputs, and replaces an
/// existing file only with `--force`. Commands create this value before they start their work.
package struct OutputFile {
  package let path: String

  /// Checks the output file. `option` is the command-line option that names the file. `holds` is
  /// the extension of the file's format, or `nil` if any format is allowed. `inputs` are the files
  /// that the command reads. `replaces` is `nil` for commands without `--force`.
  package init(
    _ path: String, _ option: String = "", holds ending: String? = nil, inputs: [String?] = [],
    replaces: Bool?
  ) throws(Failure) {
    self.path = path
    guard !path.isEmpty else {
      throw Failure(
        "\(option.isEmpty ? "--output" : option) is empty: is a shell variable unset?",
        Failure.usage)
    }
    if let ending { try FileEnding.check(path, option, holds: [ending]) }
    guard let status = Self.status(path), status.st_mode & S_IFMT == S_IFREG else { return }
    // A command may also read two board files that its arguments do not name.
    let boards = [
      ProcessInfo.processInfo.environment[BoardSelection.environmentName],
      BoardSelection.systemPath,
    ]
    for case let input? in inputs + boards {
      guard let other = Self.status(input), other.st_ino == status.st_ino,
        other.st_dev == status.st_dev
      else { continue }
      throw Failure(
        "\(path): is an input of this command and is not overwritten; name another file",
        Failure.cannotCreate)
    }
    guard replaces == true else {
      throw Failure(
        "\(path): exists already; name another file"
          + (replaces == nil ? "" : ", or use --force to replace it"), Failure.cannotCreate)
    }
  }

  /// Creates the output for a file that the program updates; the file's other contents are kept.
  package init(updating path: String) { self.path = path }

  /// Opens the file for writing in several parts.
  package func writer(permissions: UInt16? = nil) throws(FileWriterError) -> FileWriter {
    try FileWriter(path: path, permissions: permissions)
  }

  /// Writes `text` atomically. With `makesFolder` a missing folder is created.
  package func write(
    _ text: String, permissions: UInt16? = nil, makesFolder: Bool = false
  ) throws(Failure) {
    do throws(FileWriterError) {
      if makesFolder { return try FileWriter.replace(path, with: text) }
      var writer = try writer(permissions: permissions)
      try writer.write(Array(text.utf8))
      try writer.commit()
    } catch {
      // It is not an error if the reader of a pipe closes it (`| head`).
      if error.kind != .readerGone { throw Failure(error) }
    }
  }

  /// Returns `path` if no such file exists; otherwise the first free variant, such as
  /// `report-2.html`.
  package static func free(_ path: String) -> String {
    let url = URL(filePath: path)
    let stem = url.deletingPathExtension().relativePath
    var (free, number) = (path, 1)
    while status(free) != nil {
      number += 1
      free = "\(stem)-\(number).\(url.pathExtension)"
    }
    return free
  }

  /// Returns true if both paths refer to the same file, whether or not this file exists yet.
  package static func isOne(_ first: String, _ second: String) -> Bool {
    if let one = status(first), let other = status(second) {
      return one.st_ino == other.st_ino && one.st_dev == other.st_dev
    }
    return place(of: first) == place(of: second)
  }

  /// Returns true if `path` is an existing device, pipe or socket.
  package static func isDevice(_ path: String) -> Bool {
    guard let kind = status(path)?.st_mode else { return false }
    return kind & S_IFMT != S_IFREG && kind & S_IFMT != S_IFDIR
  }

  private static func place(of path: String) -> String {
    let url = URL(filePath: path == "-" ? "/dev/stdout" : path).absoluteURL
    let folder = url.deletingLastPathComponent().resolvingSymlinksInPath().path()
    return folder + "/" + url.lastPathComponent
  }

  /// Returns the status of the file at `path`; `nil` if it does not exist.
  private static func status(_ path: String) -> stat? {
    var status = stat()
    // `stat` uses the path and the status only during the call.
    return unsafe stat(path, &status) == 0 ? status : nil
  }
}
