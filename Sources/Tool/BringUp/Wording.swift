// SPDX-License-Identifier: Apache-2.0
internal import Boards
internal import Foundation
internal import Registers

extension UInt8 {
  /// The notation for addresses and registers: `0x68`.
  var hexadecimal: String { "0x" + Registers.hexadecimal(self) }
}

extension Double {
  /// Returns the number with this many decimals.
  func text(_ decimals: Int) -> String { String(format: "%.\(decimals)f", self) }
}

extension BusError {
  /// The word for tables and programs.
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

/// Returns "1 edge", "2 edges".
func count(_ number: some BinaryInteger, _ noun: String) -> String {
  "\(number) \(noun)\(number == 1 ? "" : "s")"
}

/// Returns the header pin of a line; `nil` for other lines.
func headerPin(of line: String) -> Int? { RaspberryPiHeader.pin(named: line)?.number }

extension Interrupt.Line {
  /// The line for users: `GPIO4 (header pin 7)`.
  var words: String {
    switch self {
    case .named(let name): name + (headerPin(of: name).map { " (header pin \($0))" } ?? "")
    case .offset(let chip, let offset): "line \(offset) of \(chip)"
    case .simulated: "the simulated line"
    }
  }
}
