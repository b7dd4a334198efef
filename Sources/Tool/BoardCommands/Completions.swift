// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
import Boards
import ChipCatalog
import Foundation
import Otolith
import MotionSources

extension CompletionKind {
  /// Completions for a board: the embedded boards, and the board files and traces in the folder
  /// that the user has typed.
  package static var boards: CompletionKind {
    .custom { _, _, prefix in
      Completions.files(prefix, [".yaml", ".trace"]) + ShippedBoard.all.map(\.name)
    }
  }

  /// Completions for an embedded board.
  static var builtInBoards: CompletionKind { .list(ShippedBoard.all.map(\.name)) }

  /// Completions for a chip: the names of chips in the named board, otherwise in the machine's
  /// board file.
  static var chips: CompletionKind { .custom { words, _, _ in Completions.chips(words) } }

  static var kinds: CompletionKind { .list(ChipCatalog.descriptions.map(\.shortName)) }

  static var lines: CompletionKind {
    .list(RaspberryPiHeader.pins.filter { $0.kind == .line }.map(\.name))
  }
}

/// Completions for shells, computed without access to any bus.
private enum Completions {
  /// Returns the folders, and the files with one of `endings`, that begin with `prefix`.
  static func files(_ prefix: String, _ endings: [String]) -> [String] {
    let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)
    return (names ?? []).sorted().compactMap { name in
      guard !name.hasPrefix(".") else { return nil }
      var isFolder: ObjCBool = false
      // `fileExists` writes the flag only during the call.
      let isThere = unsafe FileManager.default.fileExists(
        atPath: folder + name, isDirectory: &isFolder)
      guard isThere else { return nil }
      if isFolder.boolValue { return folder + name + "/" }
      return endings.contains(where: name.hasSuffix) ? folder + name : nil
    }
  }

  static func chips(_ words: [String]) -> [String] {
    var path: String?
    for (word, next) in zip(words, words.dropFirst()) where ["-b", "--board"].contains(word) {
      path = next
    }
    // Any word that can name a board may be the command's board argument.
    let candidates = [path].compactMap(\.self) + words
    for word in candidates where !word.hasPrefix("-") {
      guard word.hasSuffix(".yaml") || word.hasSuffix(".trace") || ShippedBoard.named(word) != nil
      else { continue }
      if let board = try? BoardFile.load(
        path: word, catalogue: ChipCatalog.descriptions, drivenOnly: false)
      {
        return board.chips.map(\.name)
      }
    }
    let environment = ProcessInfo.processInfo.environment
    let usual = environment[BoardSelection.environmentName] ?? BoardSelection.systemPath
    let board = try? BoardFile.load(path: usual, catalogue: ChipCatalog.descriptions)
    return board?.chips.map(\.name) ?? []
  }
}
