// SPDX-License-Identifier: Apache-2.0
public import Boards
internal import ChipCatalog
internal import Foundation
package import LinuxBus
internal import Quantities
internal import Recordings

/// The board for a program, and the reason for choosing it.
public struct BoardSelection: Sendable {
  /// The reason for the choice.
  public enum Reason: Equatable, Sendable {
    case asked
    case environment
    case systemFile
    /// The HAT on the header identifies itself as this product.
    case hat(String)
    case detected
    /// There was no other board.
    case nothingElse
  }

  public var board: Board
  public var reason: Reason
  /// The buses that could not be searched.
  package var unopened: [OpenError] = []
  /// True if models replace the board's chips.
  package var isSimulatedInstead = false
  /// The unopened buses and the replacement by models, as messages for people, one per line.
  public var remarks: [String] {
    unopened.map(\.description)
      + (isSimulatedInstead ? ["simulated: models replace its chips"] : [])
  }

  /// The path of the machine's own board file.
  public static let systemPath = "/etc/otolith/board.yaml"
  public static let environmentName = "OTOLITH_BOARD"

  /// Returns the board at `path`; without a path that of `$OTOLITH_BOARD`, otherwise
  /// `/etc/otolith/board.yaml`, otherwise the board of the HAT on the machine's header, otherwise
  /// the chips detected on its buses, otherwise the simulated board.
  public static func choose(
    path: String? = nil, environment: [String: String]? = nil
  ) throws(BoardErrors) -> BoardSelection {
    try choose(path: path, environment: environment, systemPath: systemPath) { Detector.look() }
  }

  /// Chooses the board for a machine with this file and these detected chips.
  package static func choose(
    path: String?, environment: [String: String]?, systemPath: String, detect: () -> DetectionResult
  ) throws(BoardErrors) -> BoardSelection {
    let environment = environment ?? ProcessInfo.processInfo.environment
    let catalogue = ChipCatalog.descriptions
    if let path {
      return BoardSelection(
        board: try BoardFile.load(path: path, catalogue: catalogue), reason: .asked)
    }
    if let path = environment[environmentName], !path.isEmpty {
      do {
        return BoardSelection(
          board: try BoardFile.load(path: path, catalogue: catalogue), reason: .environment)
      } catch { throw error.naming("named by $\(environmentName)") }
    }
    if FileManager.default.fileExists(atPath: systemPath) {
      return BoardSelection(
        board: try BoardFile.load(path: systemPath, catalogue: catalogue), reason: .systemFile)
    }
    let detection = detect()
    let unopened = detection.unopened
    if let product = detection.hat, let version = detection.hatBoard {
      return BoardSelection(board: version.board, reason: .hat(product), unopened: unopened)
    }
    if let text = boardText(of: detection) {
      return BoardSelection(
        board: try BoardFile.parse(text, file: "(detected)", catalogue: catalogue),
        reason: .detected, unopened: unopened)
    }
    return BoardSelection(
      board: try BoardFile.simulated(catalogue: catalogue), reason: .nothingElse,
      unopened: unopened)
  }

  /// One sentence: the board, and the reason for choosing it.
  public var sentence: String {
    let why =
      switch reason {
      case .asked: "requested"
      case .environment: "named by $\(Self.environmentName)"
      case .systemFile: "this machine's own"
      case .hat(let product): "as the HAT on the header identifies as '\(product)'"
      case .detected:
        "detected: " + board.chips.map { "\($0.chip) on \($0.bus)" }.joined(separator: ", ")
      case .nothingElse:
        "as there is no --board, $\(Self.environmentName), \(Self.systemPath) or detected chip"
      }
    // The HAT's memory and the file's name may contain any characters.
    return ControlCharacters.visible("\(board.name), \(board.file), \(why)")
  }

  /// Returns a board file for the detected chips; `nil` without any. Of two chips of the same kind
  /// only the first is used.
  public static func boardText(of detection: DetectionResult) -> String? {
    var chips: [ChipFinding] = []
    for finding in detection.chips
    where !chips.contains(where: { $0.asked.name == finding.asked.name }) {
      chips.append(finding)
    }
    guard !chips.isEmpty else { return nil }
    var names: [String] = []
    for chip in chips where !names.contains(chip.bus) { names.append(chip.bus) }
    func name(_ path: String) -> String {
      String(path.split(separator: "/").last ?? "bus").replacingOccurrences(of: ".", with: "-")
    }
    var text = "otolith-board: 1\nname: Detected\nbuses:\n"
    for path in names {
      let kind = chips.contains { $0.bus == path && $0.address != nil } ? "i2c" : "spi"
      text +=
        path.hasPrefix("/")
        ? "  \(name(path)): { \(kind): \(path) }\n" : "  \(name(path)): { simulated: \(kind) }\n"
    }
    text += "chips:\n"
    // Rates that every bus and machine can handle.
    for (index, chip) in chips.enumerated() {
      text += "  chip\(index + 1):\n    chip: \(chip.asked.name)\n    on: \(name(chip.bus))\n"
      if let address = chip.address {
        text += "    address: 0x\(String(address, radix: 16, uppercase: true))\n"
      }
      text +=
        "    rate-hz: \(chip.asked.channels.contains { $0.channel == .rotationRate } ? 200 : 80)\n"
    }
    return text
  }
}

extension BoardErrors {
  /// Returns the errors, with the origin of the file name as a hint in errors about the whole file.
  fileprivate func naming(_ origin: String) -> BoardErrors {
    BoardErrors(
      errors.map { error in
        var error = error
        if error.line == 0 {
          error.hint = [origin, error.hint].compactMap(\.self).joined(separator: "; ")
        }
        return error
      })
  }
}
