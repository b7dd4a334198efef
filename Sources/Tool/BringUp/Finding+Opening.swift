// SPDX-License-Identifier: Apache-2.0
internal import ChipCatalog
internal import LinuxBus
internal import Runtime

extension Finding {
  /// Returns the finding for `subject`, a bus or chip that could not be opened.
  static func opening(_ error: SessionError, of subject: String) -> Finding {
    switch error {
    case .open(let reason), .reach(_, let reason):
      let cause: Cause =
        switch reason.cause {
        case .noPermission: .permission
        case .busy: .taken
        case .missing where reason.isOfLine: .interruptPin
        case .missing, .notThatKindOfDevice, .unsupported, .other: .busMissing
        }
      let wire: Wire? = reason.kind == .i2c ? .i2c : reason.kind == .spi ? .spi : nil
      return Finding(cause, of: subject, on: wire, "\(reason)")
    case .noBoard, .resource, .board, .recording, .setting, .missing, .noChip, .placeUnknown,
      .service:
      return Finding(
        .busMissing, of: subject, "\(error)",
        explanation: "it cannot be opened as configured in the board file")
    }
  }
}

extension OpenError {
  /// True if the error concerns an interrupt line, not a bus.
  var isOfLine: Bool { kind == .gpioLine || kind == .gpioChip }
}
