// SPDX-License-Identifier: Apache-2.0
import Text
package import Boards
import ChipCatalog

/// The wiring of a board as text: a table for each module, then the header seen from above.
package struct WiringTable: Sendable {
  private let board: Board

  package init(_ board: Board) { self.board = board }

  /// The text in lines of at most 100 columns; empty if the board has no wiring.
  package var lines: [String] {
    guard let wiring = board.wiring else { return [] }
    var lines = [board.name]
    for module in wiring.modules { lines += [""] + rows(module) }
    return lines + [""] + header(wiring)
  }

  /// The text for a documentation page, with one table for each module.
  package var markdown: String {
    var lines: [String] = []
    for module in board.wiring?.modules ?? [] {
      lines += ["| \(module.title) | header | |", "|---|---|---|"]
      for pin in module.pins {
        let place = pin.header.flatMap(RaspberryPiHeader.pin).map {
          "pin \($0.number), \($0.title)"
        }
        let remarks = [pin.isOptional ? "optional" : nil, pin.remark].compactMap(\.self)
        lines.append("| \(pin.name) | \(place ?? "open") | \(remarks.joined(separator: ", ")) |")
      }
      lines.append("")
    }
    return lines.joined(separator: "\n")
  }

  /// Returns a title such as `GY-521: MPU-6050 at 0x68`, and a row for each pin.
  private func rows(_ module: WiredModule) -> [String] {
    let chips = Self.chips(of: module, board).joined(separator: ", ")
    var lines = ["\(module.title): \(chips)" + (module.isHAT ? "; sits on the whole header" : "")]
    let width = (module.pins.map(\.name.count).max() ?? 0) + 2
    for pin in module.pins {
      var line = "  " + pin.name.padded(to: width)
      if let number = pin.header, let header = RaspberryPiHeader.pin(number) {
        line += "pin \(number)".padded(to: 8) + header.title.padded(to: 20)
      } else {
        line += "open".padded(to: 28)
      }
      let remarks = [pin.isOptional ? "optional" : nil, pin.remark].compactMap(\.self)
      lines.append((line + remarks.joined(separator: ", ")).trimmedAtEnd)
    }
    return lines
  }

  /// Returns text that names the chips on a module, such as `MPU-6050 at 0x68`.
  static func chips(of module: WiredModule, _ board: Board) -> [String] {
    module.chips.compactMap { name in board.chips.first { $0.name == name } }.map { chip in
      let title =
        chip.sheet?.title.upToParenthesis
        ?? KnownChips.chip(named: chip.chip)?.title.upToParenthesis ?? chip.chip
      return chip.address.map { "\(title) at \($0.hexadecimal)" } ?? title
    }
  }

  /// Returns a drawing of the header with the computer's USB sockets below it. Pins are counted in
  /// this orientation: pin 1 is at the top left.
  private func header(_ wiring: BoardWiring) -> [String] {
    func users(_ number: Int) -> String {
      wiring.modules.flatMap { module in
        module.pins.filter { $0.header == number }.map { "\(module.name) \($0.name)" }
      }.joined(separator: ", ")
    }
    let pins = RaspberryPiHeader.pins
    let width =
      stride(from: 0, to: pins.count, by: 2).map { users(pins[$0].number).count }.max() ?? 0
    var lines = ["The header, the USB sockets below (+ is wired):", ""]
    for index in stride(from: 0, to: pins.count, by: 2) {
      let (left, right) = (pins[index], pins[index + 1])
      let (leftUsers, rightUsers) = (users(left.number), users(right.number))
      let line =
        "  " + leftUsers.leftPadded(to: width) + "  " + left.name.leftPadded(to: 6)
        + "\(left.number)".leftPadded(to: 4) + (leftUsers.isEmpty ? " [ ]" : " [+]")
        + (rightUsers.isEmpty ? "[ ] " : "[+] ") + "\(right.number)".padded(to: 4)
        + right.name.padded(to: 8) + rightUsers
      lines.append(line.trimmedAtEnd)
    }
    return lines
  }
}

extension String {
  /// The text before the parenthesis, such as `LSM6DS3` in `LSM6DS3 (also LSM6DS33)`.
  fileprivate var upToParenthesis: String {
    firstRange(of: " (").map { String(self[..<$0.lowerBound]) } ?? self
  }
}
