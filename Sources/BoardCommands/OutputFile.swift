// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Otolith
package import Recordings
import MotionSources

/// `--force` of every command that writes a file.
package struct OverwriteOption: ParsableArguments {
  @Flag(help: "Replace a file that is there already.")
  package var force = false
}

/// A file that a command is to write: never one that it reads, and one that is there already only
/// with `--force`. All commands write their files by it, and make it before they begin their work.
package struct OutputFile {
  package let path: String

  /// `option` is what names the file on the command line, `holds` the ending of what is written;
  /// `nil` where the name was looked at already, or any will do. `inputs` are the files that the
  /// command reads. `replaces: nil` has no `--force`.
  package init(
    _ path: String, _ option: String = "", holds ending: String? = nil, inputs: [String?] = [],
    replaces: Bool?
  ) throws(Failure) {
    self.path = path
    if let ending { try FileEnding.check(path, option, holds: [ending]) }
    guard let status = Self.status(path), status.st_mode & S_IFMT == S_IFREG else { return }
    // A board is read without being named, too.
    let boards = [
      ProcessInfo.processInfo.environment[BoardSelection.environmentName],
      BoardSelection.systemPath,
    ]
    for case let input? in inputs + boards {
      guard let other = Self.status(input), other.st_ino == status.st_ino,
        other.st_dev == status.st_dev
      else { continue }
      throw Failure(
        "\(path): is what is read here, and stays as it is; name another file",
        Failure.cannotCreate)
    }
    guard replaces == true else {
      throw Failure(
        "\(path): is there already; name another file"
          + (replaces == nil ? "" : ", or say --force to replace it"), Failure.cannotCreate)
    }
  }

  /// One that is kept by the program itself: what else is in it stays.
  init(updating path: String) { self.path = path }

  /// Opens it for what comes in parts.
  package func writer(permissions: UInt16? = nil) throws(FileWriterError) -> FileWriter {
    try FileWriter(path: path, permissions: permissions)
  }

  /// Writes `text` as a whole or not at all. `makesFolder` makes its folder where that is missing.
  package func write(
    _ text: String, permissions: UInt16? = nil, makesFolder: Bool = false
  ) throws(Failure) {
    do throws(FileWriterError) {
      if makesFolder { return try FileWriter.replace(path, with: text) }
      var writer = try writer(permissions: permissions)
      try writer.write(Array(text.utf8))
      try writer.commit()
    } catch {
      // `| head` has seen enough.
      if error.kind != .readerGone { throw Failure(error) }
    }
  }

  /// `path`, or where that is there already the first free name after it: `report-2.html`.
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

  /// `nil` where there is nothing.
  private static func status(_ path: String) -> stat? {
    var status = stat()
    // The path and the status live for the call alone.
    return unsafe stat(path, &status) == 0 ? status : nil
  }
}
