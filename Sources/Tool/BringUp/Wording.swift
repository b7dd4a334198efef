// SPDX-License-Identifier: Apache-2.0
internal import Boards
internal import Foundation
internal import Registers

extension UInt8 {
  /// The value in the notation of addresses and registers, such as `0x68`.
  var hexadecimal: String { "0x" + Registers.hexadecimal(self) }
}

extension Double {
  /// Returns the number with `decimals` digits after the point.
  func text(_ decimals: Int) -> String { String(format: "%.\(decimals)f", self) }
}

extension BusError {
  /// The value as a word for tables and JSON.
  var word: String {
    switch self {
    case .noAcknowledge: "no-acknowledge"
    case .arbitrationLost: "arbitration-lost"
    case .timeout: "timeout"
    case .adapterGone: "adapter-gone"
    case .unsupported: "unsupported"
    case .tooLong: "too-long"
    case .busy: "busy"
    case .system(let errno): "errno-\(errno)"
    }
  }
}

/// Returns the number with its noun, such as "1 edge" or "2 edges".
func count(_ number: some BinaryInteger, _ noun: String) -> String {
  "\(number) \(noun)\(number == 1 ? "" : "s")"
}

/// Returns the header pin of a GPIO line; `nil` for lines that are not on the header.
func headerPin(of line: String) -> Int? { RaspberryPiHeader.pin(named: line)?.number }

extension Interrupt.Line {
  /// The name of the line for users, such as `GPIO4 (header pin 7)`.
  var words: String {
    switch self {
    case .named(let name): name + (headerPin(of: name).map { " (header pin \($0))" } ?? "")
    case .offset(let chip, let offset): "line \(offset) of \(chip)"
    case .simulated: "the simulated line"
    }
  }
}
