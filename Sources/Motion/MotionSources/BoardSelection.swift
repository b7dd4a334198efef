// SPDX-License-Identifier: Apache-2.0
public import Boards
internal import ChipCatalog
internal import Foundation
package import LinuxBus
internal import Quantities
internal import Recordings

/// The board for a program, and the reason why it was chosen.
public struct BoardSelection: Sendable {
  /// The reason why a board was chosen.
  public enum Reason: Equatable, Sendable {
    case asked
    case environment
    case systemFile
    /// The memory of the HAT on the header identifies it as this product.
    case hat(String)
    case detected
    /// No other board was found.
    case nothingElse
  }

  public var board: Board
  public var reason: Reason
  /// The buses that could not be searched.
  package var unopened: [OpenError] = []
  /// True if simulated chips replace the board's chips.
  package var isSimulatedInstead = false
  /// Messages for people, one per line: the buses that could not be opened, and whether chips are
  /// simulated.
  public var remarks: [String] {
    unopened.map(\.description)
      + (isSimulatedInstead ? ["simulated: models replace its chips"] : [])
  }

  /// The path of the board file for this machine.
  public static let systemPath = "/etc/otolith/board.yaml"
  public static let environmentName = "OTOLITH_BOARD"

  /// Returns the first of these boards that exists: the one at `path`, the one at `$OTOLITH_BOARD`,
  /// the one in `/etc/otolith/board.yaml`, the board of the HAT on the header, the chips detected
  /// on the buses, the simulated board.
  public static func choose(
    path: String? = nil, environment: [String: String]? = nil
  ) throws(BoardErrors) -> BoardSelection {
    try choose(path: path, environment: environment, systemPath: systemPath) { Detector.detect() }
  }

  /// Chooses the board for a machine with the board file `systemPath`; `detect` finds its chips.
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

  /// One sentence that names the board and the reason why it was chosen.
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
    // Control characters are made visible, because the HAT's memory and the file's name may contain
    // any.
    return ControlCharacters.visible("\(board.name), \(board.file), \(why)")
  }

  /// Returns a board file for the detected chips; `nil` if there are none. If two chips are of the
  /// same kind, only the first is used.
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
    // The file has rates that every bus and machine can handle.
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
  /// Returns the errors; those about the whole file also name the origin of its path.
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
