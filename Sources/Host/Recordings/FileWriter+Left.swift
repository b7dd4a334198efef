// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemPackage

extension FileWriter.Place {
  /// Removes temporary files left in the folder by killed writers: this user's, of a process that
  /// no longer exists, and at least a minute old, because process numbers of other containers are
  /// unknown here.
  func removeLeft() {
    // The string lives for the call alone, and the stream until it is closed below.
    guard let stream = unsafe opendir(folder.isEmpty ? "." : folder) else { return }
    defer { unsafe closedir(stream) }  // as above: not used afterwards
    while let entry = unsafe readdir(stream) {
      // The entry lives until the next; its name ends in a zero.
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      guard let writer = Self.writer(of: name), kill(writer, 0) != 0, errno == ESRCH,
        let left = try? FilePath(folder + name).stat(followTargetSymlink: false),
        left.type == .regular, left.userID.rawValue == geteuid(), left.linkCount == 1,
        Self.isOld(left.st_mtim.tv_sec)
      else { continue }
      unsafe unlink(folder + name)  // the string is used only during the call
    }
  }

  /// Returns true for a file that was last written a minute ago. Some file systems keep any 64 bits
  /// of seconds.
  static func isOld(_ written: time_t) -> Bool {
    let (age, overflow) = time(nil).subtractingReportingOverflow(written)
    return overflow ? written < 0 : age > 60
  }

  /// The process that gave a temporary file its name; `nil` for every other name.
  private static func writer(of name: String) -> pid_t? {
    guard name.hasPrefix(".otolith-"), name.hasSuffix(".part") else { return nil }
    let numbers = name.dropFirst(9).dropLast(5).split(separator: "-")
    guard numbers.count == 2, Int(numbers[1]) != nil else { return nil }
    return pid_t(numbers[0])
  }
}
