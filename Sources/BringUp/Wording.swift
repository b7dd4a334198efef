// SPDX-License-Identifier: Apache-2.0
internal import Boards
internal import Foundation
internal import Registers

extension UInt8 {
  /// As addresses and registers are written: `0x68`.
  var hexadecimal: String { "0x" + Registers.hexadecimal(self) }
}

extension Double {
  /// With so many decimals.
  func text(_ decimals: Int) -> String { String(format: "%.\(decimals)f", self) }
}

extension BusError {
  /// A word for tables and programs.
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

/// "1 edge", "2 edges".
func count(_ number: some BinaryInteger, _ noun: String) -> String {
  "\(number) \(noun)\(number == 1 ? "" : "s")"
}

/// The pin of the header on which that line is; `nil` for other lines.
func headerPin(of line: String) -> Int? { RaspberryPiHeader.pin(named: line)?.number }

extension Interrupt.Line {
  /// For people: `GPIO4 (header pin 7)`.
  var words: String {
    switch self {
    case .named(let name): name + (headerPin(of: name).map { " (header pin \($0))" } ?? "")
    case .offset(let chip, let offset): "line \(offset) of \(chip)"
    case .simulated: "the simulated line"
    }
  }
}
