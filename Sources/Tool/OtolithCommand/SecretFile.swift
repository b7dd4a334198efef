// SPDX-License-Identifier: Apache-2.0
import BoardCommands
import Foundation
import Recordings

/// A file with a secret that a command reads: a token, a password, a private key.
enum SecretFile {
  /// More than any login or token: a longer or endless file is a different one.
  private static let largest = 1 << 16

  /// Returns the text of the file at `path`, which contains `content`. Throws if it cannot be read,
  /// is empty or too large, or is not UTF-8.
  static func text(of path: String, content: String) throws(Failure) -> String {
    var state = stat()
    // The path lives only for the call, and the status is written within it.
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

  /// Prints a warning about a file that other users of the machine can read. `content` names its
  /// content with an article: "the token".
  static func warn(about path: String, content: String) {
    var state = stat()
    // Follows links, and is written within the call. Others cannot open a pipe or a descriptor
    // (/dev/fd/3).
    guard unsafe stat(path, &state) == 0, state.st_mode & S_IFMT == S_IFREG,
      state.st_mode & 0o044 != 0
    else { return }
    Terminal.complain("\(path): other users can read \(content); chmod 600 \(path)")
  }
}
