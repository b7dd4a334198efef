// SPDX-License-Identifier: Apache-2.0
import BoardCommands
import Foundation

/// A file with a secret in it that a command reads: a token, a password, a private key.
enum SecretFile {
  /// Reports a file that other users of the machine can read. `content` is what it holds, with its
  /// article: "the token".
  static func warn(about path: String, content: String) {
    var state = stat()
    // Follows links, and is written within the call. A pipe or a descriptor (/dev/fd/3) is no file
    // that others open.
    guard unsafe stat(path, &state) == 0, state.st_mode & S_IFMT == S_IFREG,
      state.st_mode & 0o044 != 0
    else { return }
    Terminal.complain("\(path): others can read \(content); chmod 600 \(path)")
  }
}
