// SPDX-License-Identifier: Apache-2.0
package import Boards
import Foundation

extension BoardBringUp {
  /// Returns the usual name of the report for `board`.
  package static func usualPath(_ board: Board) -> String {
    let name = URL(filePath: board.file).deletingPathExtension().lastPathComponent
    let plain = name.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "-" }
    return "bringup-\(String(plain)).html"
  }

  /// The machine, kernel and otolith version.
  package static func machine(version: String) -> String {
    var names = utsname()
    // `uname` writes only to `names`, which no other function uses.
    guard unsafe uname(&names) == 0 else { return "otolith \(version)" }
    func text(_ bytes: [UInt8]) -> String {
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    // The char arrays of `names` are read only within these closures.
    let release = unsafe withUnsafeBytes(of: names.release) { unsafe text(Array($0)) }
    let kind = unsafe withUnsafeBytes(of: names.machine) { unsafe text(Array($0)) }
    let model = (try? String(contentsOfFile: "/proc/device-tree/model", encoding: .utf8))
      .map { $0.trimmingCharacters(in: ["\0", "\n"]) + ", " }
    return "\(model ?? "")Linux \(release) \(kind), otolith \(version)"
  }
}
