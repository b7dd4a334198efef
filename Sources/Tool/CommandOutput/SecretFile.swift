// SPDX-License-Identifier: Apache-2.0
import Foundation
import Recordings

/// A file with a secret for a command: a token, a password or a private key.
package enum SecretFile {
  /// The largest size of a file with a secret. No password or key needs 64 KiB, so a longer file is
  /// the wrong one.
  private static let largest = 1 << 16

  /// Returns the text of the file at `path`. `content` is the word for the content in error
  /// messages. Throws if the file cannot be read, is empty or too large, or is not UTF-8.
  package static func text(of path: String, content: String) throws(Failure) -> String {
    var state = stat()
    // `stat` reads the path and writes `state` only during the call.
    guard unsafe stat(path, &state) == 0 else {
      let isMissing = errno == ENOENT || errno == ENOTDIR
      throw Failure(
        "\(path.isEmpty ? "''" : path): "
          + (isMissing ? "no such file, to read \(content) from" : "no permission to read it"),
        isMissing ? Failure.noInput : Failure.noPermission)
    }
    guard state.st_mode & S_IFMT != S_IFDIR else {
      throw Failure(
        "\(path): is a folder; name the file in it that holds \(content)", Failure.noInput)
    }
    switch BoundedFile.read(path, most: { _ in largest }) {
    case .failed: throw Failure("\(path): no permission to read it", Failure.noPermission)
    case .tooLarge(let most):
      throw Failure(
        "\(path): has more than \(most) bytes; is this the file that holds \(content)?",
        Failure.badData)
    case .bytes([]): throw Failure("\(path): is empty, without \(content)", Failure.badData)
    case .bytes(let bytes):
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw Failure("\(path): is not text in UTF-8", Failure.badData)
      }
      warn(about: path, content: content)
      return text
    }
  }

  /// Prints a warning if other users can read the file. `content` names the secret with an article,
  /// such as "the token".
  package static func warn(about path: String, content: String) {
    var state = stat()
    // `stat` follows links and writes `state` only during the call. Check only regular files,
    // because other users cannot open a pipe or /dev/fd/3.
    guard unsafe stat(path, &state) == 0, state.st_mode & S_IFMT == S_IFREG,
      state.st_mode & 0o044 != 0
    else { return }
    Terminal.complain("\(path): other users can read \(content); chmod 600 \(path)")
  }
}
