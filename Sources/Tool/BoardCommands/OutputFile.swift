// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Otolith
package import Recordings
import MotionSources

/// `--force` for every command that writes a file.
package struct OverwriteOption: ParsableArguments {
  @Flag(help: "Replace an existing file.")
  package var force = false
}

/// A file for a command's output: never one of its inputs, and an existing one only with `--force`.
/// All commands use it for their files, and create it before they start their work.
package struct OutputFile {
  package let path: String

  /// Checks the file. `option` is the command-line option that names it, `holds` the extension of
  /// its format; `nil` if the name was already checked, or any is allowed. `inputs` are the
  /// files that the command reads. `replaces: nil` is for commands without `--force`.
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
    // A board file may also be read without being named.
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

  /// A file that the program itself updates: its other contents stay.
  init(updating path: String) { self.path = path }

  /// Opens the file for writing in parts.
  package func writer(permissions: UInt16? = nil) throws(FileWriterError) -> FileWriter {
    try FileWriter(path: path, permissions: permissions)
  }

  /// Writes `text` atomically. `makesFolder` creates a missing folder.
  package func write(
    _ text: String, permissions: UInt16? = nil, makesFolder: Bool = false
  ) throws(Failure) {
    do throws(FileWriterError) {
      if makesFolder { return try FileWriter.replace(path, with: text) }
      var writer = try writer(permissions: permissions)
      try writer.write(Array(text.utf8))
      try writer.commit()
    } catch {
      // The reader has closed the pipe, as `| head` does.
      if error.kind != .readerGone { throw Failure(error) }
    }
  }

  /// Returns `path`, or the first free name after it: `report-2.html`.
  static func free(_ path: String) -> String {
    let url = URL(filePath: path)
    let stem = url.deletingPathExtension().relativePath
    var (free, number) = (path, 1)
    while status(free) != nil {
      number += 1
      free = "\(stem)-\(number).\(url.pathExtension)"
    }
    return free
  }

  /// True if two names lead to the same file, which exists or will be created.
  package static func isOne(_ first: String, _ second: String) -> Bool {
    if let one = status(first), let other = status(second) {
      return one.st_ino == other.st_ino && one.st_dev == other.st_dev
    }
    return place(of: first) == place(of: second)
  }

  /// True for an existing device, pipe or socket.
  package static func isDevice(_ path: String) -> Bool {
    guard let kind = status(path)?.st_mode else { return false }
    return kind & S_IFMT != S_IFREG && kind & S_IFMT != S_IFDIR
  }

  private static func place(of path: String) -> String {
    let url = URL(filePath: path == "-" ? "/dev/stdout" : path).absoluteURL
    let folder = url.deletingLastPathComponent().resolvingSymlinksInPath().path()
    return folder + "/" + url.lastPathComponent
  }

  /// Returns the file's status; `nil` if it does not exist.
  private static func status(_ path: String) -> stat? {
    var status = stat()
    // The path and the status are valid for the call only.
    return unsafe stat(path, &status) == 0 ? status : nil
  }
}
