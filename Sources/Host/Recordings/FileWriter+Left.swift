// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemPackage

extension FileWriter.Place {
  /// Removes temporary files that killed writers left in the folder. A file is removed only if it
  /// belongs to this user, its process does not exist any more, and it is at least a minute old.
  /// The age is required because processes of other containers have numbers that are unknown here.
  func removeLeft() {
    // opendir(3) does not keep the string's pointer. The stream is used only until it is closed
    // below.
    guard let stream = unsafe opendir(folder.isEmpty ? "." : folder) else { return }
    defer { unsafe closedir(stream) }  // not used afterwards
    while let entry = unsafe readdir(stream) {
      // The entry is valid until the next readdir(3); its name ends with a zero byte.
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      guard let writer = Self.writer(of: name), kill(writer, 0) != 0, errno == ESRCH,
        let left = try? FilePath(folder + name).stat(followTargetSymlink: false),
        left.type == .regular, left.userID.rawValue == geteuid(), left.linkCount == 1,
        Self.isOld(left.st_mtim.tv_sec)
      else { continue }
      unsafe unlink(folder + name)  // the C function keeps no pointer
    }
  }

  /// Returns true for a file that was last written at least a minute ago. `written` can be any
  /// number, because some file systems store any 64 bits.
  static func isOld(_ written: time_t) -> Bool {
    let (age, overflow) = time(nil).subtractingReportingOverflow(written)
    return overflow ? written < 0 : age > 60
  }

  /// Returns the number of the process that named the temporary file; `nil` if `name` is not the
  /// name of a temporary file.
  private static func writer(of name: String) -> pid_t? {
    guard name.hasPrefix(".otolith-"), name.hasSuffix(".part") else { return nil }
    let numbers = name.dropFirst(9).dropLast(5).split(separator: "-")
    guard numbers.count == 2, Int(numbers[1]) != nil else { return nil }
    return pid_t(numbers[0])
  }
}
