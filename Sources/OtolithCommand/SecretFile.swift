// SPDX-License-Identifier: Apache-2.0
import BoardCommands
import Foundation

/// A file with a secret in it that a command reads: a token, a password, a private key.
enum SecretFile {
  /// Reports a file that other users of the machine can read. `content` is what it holds, with its
  /// article: "the token".
  static func warn(about path: String, content: String) {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard let mode = attributes?[.posixPermissions] as? Int, mode & 0o044 != 0 else { return }
    Terminal.complain("\(path): others can read \(content); chmod 600 \(path)")
  }
}
