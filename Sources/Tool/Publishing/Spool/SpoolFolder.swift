// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc

/// A spool's folder, which is opened once. Its files are opened relative to its descriptor, so that
/// another user cannot redirect a publisher with a link or with another folder of that name.
final class SpoolFolder {
  let path: String
  let descriptor: Int32

  /// Opens the folder, which is created if missing. Throws `.file` if this fails, if the path is a
  /// link, or if the folder belongs to a user other than this one or root.
  init(path: String) throws(PublishError) {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch { throw .file("\(path): \(error.localizedDescription)") }
    // Remove trailing slashes, because with a slash `open` would follow a link.
    var name = path
    while name.count > 1, name.last == "/" { name.removeLast() }
    // `open` reads the path only during the call.
    let opened = unsafe open(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard opened >= 0 else {
      throw errno == ENOTDIR || errno == ELOOP
        ? .file("\(path): is a symbolic link; name the folder that it leads to with --spool")
        : SpoolFile.error(path)
    }
    var status = stat()
    // `fstat` writes `status` only during the call.
    guard unsafe fstat(opened, &status) == 0 else {
      let error = SpoolFile.error(path)
      close(opened)
      throw error
    }
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      close(opened)
      throw .file(
        "\(path): belongs to user \(status.st_uid), who could replace the stored messages; name a "
          + "folder of your own with --spool")
    }
    self.path = path
    descriptor = opened
  }

  deinit { close(descriptor) }

  /// The names of the message files, sorted by number.
  var names: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { name in
      name.hasSuffix(".spool") && name.count > 6
        && name.dropLast(6).allSatisfy { $0.isASCII && $0.isNumber }
    }.sorted { ($0.count, $0) < ($1.count, $1) }
  }

  static func name(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 8 - digits.utf8.count)) + digits + ".spool"
  }
}
