// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import Quantities

/// The limits at which a log continues in the next file.
package struct LogRotation: Equatable, Sendable {
  /// The time span of a file; `nil` without a limit.
  package var interval: TimeSpan?
  /// The size of a file in bytes; `nil` without a limit.
  package var bytes: Int?
  /// The number of files kept, including the current one; `nil` for all.
  package var keep: Int?

  package init(interval: TimeSpan? = nil, bytes: Int? = nil, keep: Int? = nil) {
    self.interval = interval
    self.bytes = bytes
    self.keep = keep
  }

  /// False for a single file.
  package var isAny: Bool { interval != nil || bytes != nil }
}

/// A log in one file, or in numbered files of limited length: `log-0001.csv` and so on. Each can be
/// read alone. Numbering continues after the highest number in the folder, so that files of earlier
/// runs are kept.
package final class RotatingLog<Body: LogBody> {
  private let name: NumberedName
  private let rotation: LogRotation
  private let open: (_ path: String, _ replaces: Bool) throws(FileWriterError) -> Body
  private var file: Body
  private var number: Int
  /// The time of the current file's first row; `nil` before the first.
  private var begin: Timestamp?
  /// The numbers of rows and files written.
  package private(set) var rows = 0
  package private(set) var files = 1

  /// Opens the first file. `replaces` permits an existing file without a number.
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

  /// Adds a row with this time.
  package func append(_ row: Body.Row, at time: Timestamp) throws(FileWriterError) {
    var start = begin ?? time
    if let interval = rotation.interval, interval > .zero, time - start >= interval {
      // From the schedule, not from the row, so that the files' start times do not drift.
      let passed = (time - start).nanoseconds / interval.nanoseconds
      start = start + interval * passed
      try rotate()
    } else if let bytes = rotation.bytes, begin != nil, file.length(with: row) > bytes {
      start = time
      try rotate()
    }
    // A recorder in a restart loop leaves no more files than a continuous one.
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
    // Deletion is tried again with the next file.
    for old in name.numbers.dropLast(keep) { unsafe unlink(name.path(old)) }  // for the call alone
  }

  /// Writes the pending bytes once there are at least this many.
  package func flush(ifBeyond bytes: Int = 0) throws(FileWriterError) {
    if file.waiting > bytes { try file.flush() }
  }

  package func sync() throws(FileWriterError) { try file.sync() }

  /// Writes the pending bytes; nothing is added afterwards.
  package func finish() throws(FileWriterError) { try file.finish() }

  /// Cleans up a log that never began.
  package func discard() { file.discard() }
}

extension RotatingLog where Body == LogFile {
  /// Opens the first file of lines; each file begins with `header`.
  package convenience init(
    path: String, header: [UInt8], rotation: LogRotation, replaces: Bool
  ) throws(FileWriterError) {
    try self.init(path: path, rotation: rotation, replaces: replaces) {
      path, replaces throws(FileWriterError) in
      try LogFile(path: path, replaces: replaces, header: header)
    }
  }
}

/// The names of numbered files: `log-0001.csv`.
private struct NumberedName {
  private let folder: String
  private let stem: String
  /// With its dot; empty without an extension.
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

  /// The numbered files in the folder, in order.
  var numbers: [Int] {
    // Each name is copied before the next is read; closed once.
    guard let list = unsafe opendir(folder.isEmpty ? "." : folder) else { return [] }
    defer { unsafe closedir(list) }  // as above
    var numbers: [Int] = []
    while let entry = unsafe readdir(list) {  // as above
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {  // ended by zero, readdir(3)
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
