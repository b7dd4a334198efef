// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import Quantities

/// The limits at which a log continues in the next file.
package struct LogRotation: Equatable, Sendable {
  /// The longest duration of a file of the log; `nil` if it is not limited.
  package var interval: TimeSpan?
  /// The largest size of a file of the log in bytes; `nil` if it is not limited.
  package var bytes: Int?
  /// The number of files to keep, including the current one; `nil` to keep all.
  package var keep: Int?

  package init(interval: TimeSpan? = nil, bytes: Int? = nil, keep: Int? = nil) {
    self.interval = interval
    self.bytes = bytes
    self.keep = keep
  }

  /// True if the log has several files; false for a single file.
  package var isAny: Bool { interval != nil || bytes != nil }
}

/// A log in one file, or in numbered files of limited length: `log-0001.csv` and so on. Each file
/// can be read alone. Numbers continue after the highest number in the folder, so that files of
/// earlier runs are kept.
package final class RotatingLog<Body: LogBody> {
  private let name: NumberedName
  private let rotation: LogRotation
  private let open: (_ path: String, _ replaces: Bool) throws(FileWriterError) -> Body
  private var file: Body
  private var number: Int
  /// The time of the first row in the log's current file; `nil` before the first row.
  private var begin: Timestamp?
  /// The numbers of rows and of files of the log that were written.
  package private(set) var rows = 0
  package private(set) var files = 1

  /// Opens the first file. `replaces` permits an existing file, if the name has no number.
  package init(
    path: String, rotation: LogRotation, replaces: Bool,
    opening open: @escaping (_ path: String, _ replaces: Bool) throws(FileWriterError) -> Body
  ) throws(FileWriterError) {
    name = NumberedName(path)
    self.rotation = rotation
    self.open = open
    number = rotation.isAny ? (name.numbers.last ?? 0) + 1 : 0
    file = try open(rotation.isAny ? name.path(number) : path, replaces && !rotation.isAny)
  }

  /// Adds a row with its time.
  package func append(_ row: Body.Row, at time: Timestamp) throws(FileWriterError) {
    var start = begin ?? time
    if let interval = rotation.interval, interval > .zero, time - start >= interval {
      // The start is computed from the schedule instead of the row, so that the start times of the
      // files do not drift.
      let passed = (time - start).nanoseconds / interval.nanoseconds
      start = start + interval * passed
      try rotate()
    } else if let bytes = rotation.bytes, begin != nil, file.length(with: row) > bytes {
      start = time
      try rotate()
    }
    // The oldest files are deleted here too, so that a recorder that is restarted again and again
    // leaves no more files than a recorder that runs continuously.
    if begin == nil { deleteOldest() }
    begin = start
    file.append(row)
    rows += 1
  }

  private func rotate() throws(FileWriterError) {
    try file.finish()
    number += 1
    file = try open(name.path(number), false)
    files += 1
    deleteOldest()
  }

  private func deleteOldest() {
    guard rotation.isAny, let keep = rotation.keep else { return }
    // If the deletion of an old file fails, the deletion is tried again with the next file.
    for old in name.numbers.dropLast(keep) { unsafe unlink(name.path(old)) }  // valid for the call
  }

  /// Writes the log's pending bytes if there are at least `bytes` of them.
  package func flush(ifBeyond bytes: Int = 0) throws(FileWriterError) {
    if file.waiting > bytes { try file.flush() }
  }

  package func sync() throws(FileWriterError) { try file.sync() }

  /// Writes the log's pending bytes. Nothing may be added to the log afterwards.
  package func finish() throws(FileWriterError) { try file.finish() }

  /// Removes the file of a log to which nothing was written.
  package func discard() { file.discard() }
}

extension RotatingLog where Body == LogFile {
  /// Opens the first file of a log that consists of lines. Each file begins with `header`.
  package convenience init(
    path: String, header: [UInt8], rotation: LogRotation, replaces: Bool
  ) throws(FileWriterError) {
    try self.init(path: path, rotation: rotation, replaces: replaces) {
      path, replaces throws(FileWriterError) in
      try LogFile(path: path, replaces: replaces, header: header)
    }
  }
}

/// The names of the numbered files of a log: `log-0001.csv`.
private struct NumberedName {
  private let folder: String
  private let stem: String
  /// The files' extension with its dot; empty without an extension.
  private let ending: String

  init(_ path: String) {
    let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    folder = String(path[..<slash])
    let name = path[slash...]
    let dot = name.lastIndex(of: ".") ?? name.endIndex
    stem = String(name[..<dot]) + "-"
    ending = String(name[dot...])
  }

  func path(_ number: Int) -> String {
    let digits = String(number)
    let zeros = String(repeating: "0", count: max(0, 4 - digits.utf8.count))
    return folder + stem + zeros + digits + ending
  }

  /// The numbers of the log's files in the folder, in ascending order.
  var numbers: [Int] {
    // Each name is copied before the next name is read, and the stream is closed once.
    guard let list = unsafe opendir(folder.isEmpty ? "." : folder) else { return [] }
    defer { unsafe closedir(list) }  // closed once
    var numbers: [Int] = []
    while let entry = unsafe readdir(list) {  // copied before the next call
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {  // zero-terminated
        unsafe String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
      }
      guard name.hasPrefix(stem), name.hasSuffix(ending) else { continue }
      let digits = name.dropFirst(stem.count).dropLast(ending.count)
      guard digits.utf8.count >= 4, let number = Int(digits), number > 0,
        folder + name == path(number)
      else { continue }
      numbers.append(number)
    }
    return numbers.sorted()
  }
}
