// SPDX-License-Identifier: Apache-2.0
public import Boards
internal import ChipCatalog
internal import Foundation
internal import KernelSensors
package import LinuxBus
internal import Quantities
internal import Recordings

/// The board for a program, and the reason why it was chosen.
public struct BoardSelection: Sendable {
  /// The reason why a board was chosen.
  public enum Reason: Equatable, Sendable {
    case requested
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
  /// Messages for users, one per line: the buses that could not be opened, and whether chips are
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

  /// Chooses the board as `choose(path:environment:)` does. The machine's own board file is at
  /// `systemPath`, and `detect` searches for chips.
  package static func choose(
    path: String?, environment: [String: String]?, systemPath: String, detect: () -> DetectionResult
  ) throws(BoardErrors) -> BoardSelection {
    let environment = environment ?? ProcessInfo.processInfo.environment
    let catalogue = ChipCatalog.descriptions
    if let path {
      return BoardSelection(
        board: try BoardFile.load(path: path, catalogue: catalogue), reason: .requested)
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

  /// A message of one sentence that names the board and the reason why it was chosen.
  public var sentence: String {
    let why =
      switch reason {
      case .requested: "requested"
      case .environment: "named by $\(Self.environmentName)"
      case .systemFile: "this machine's own"
      case .hat(let product): "as the HAT on the header identifies as '\(product)'"
      case .detected:
        "detected: " + board.chips.map(\.origin).joined(separator: ", ")
      case .nothingElse:
        "as there is no --board, $\(Self.environmentName), \(Self.systemPath) or detected chip"
      }
    // Make control characters visible, because the HAT's memory and the file's name may contain
    // them.
    return ControlCharacters.visible("\(board.name), \(board.file), \(why)")
  }

  /// Returns the text of a board file for the detected chips, or if there are none for the sensors
  /// of the kernel; `nil` if there are none of these either. If several chips are of the same kind,
  /// the board contains all of them.
  public static func boardText(of detection: DetectionResult) -> String? {
    let chips = detection.chips
    guard !chips.isEmpty else { return detection.kernelBoardText }
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
    // Use rates that every bus and machine can handle.
    for (index, chip) in chips.enumerated() {
      text += "  chip\(index + 1):\n    chip: \(chip.candidate.name)\n    on: \(name(chip.bus))\n"
      if let address = chip.address {
        text += "    address: 0x\(String(address, radix: 16, uppercase: true))\n"
      }
      text +=
        "    rate-hz: \(chip.candidate.channels.contains { $0.channel == .rotationRate } ? 200 : 80)\n"
    }
    return text
  }
}

extension ChipPlacement {
  /// The chip's kind and the bus that it is on.
  fileprivate var origin: String {
    kernelSensor.map { "the kernel's \($0.name)" } ?? "\(chip) on \(bus)"
  }
}

extension BoardErrors {
  /// Returns the errors. Errors about the file as a whole also say where its path came from.
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
