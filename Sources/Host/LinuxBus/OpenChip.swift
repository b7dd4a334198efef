// SPDX-License-Identifier: Apache-2.0
internal import CLinux

/// A GPIO chip opened to list its lines; line requests do not need it. Safe: the pointer is
/// private, created by `init` and freed by `deinit`.
@safe internal struct OpenChip: ~Copyable {
  private let chip: OpaquePointer

  init(_ path: String) throws(OpenError) {
    var opened: OpaquePointer?
    // The pointers are valid for the call.
    let result = unsafe otolith_gpio_chip_open(path, &opened)
    guard result >= 0, let opened = unsafe opened else {
      throw OpenError(.gpioChip, path, errno: result < 0 ? -result : inputOutputError)
    }
    unsafe chip = opened  // closed in deinit, and nowhere else
  }

  /// The driver's name for the chip.
  var label: String {
    // The text lives as long as the chip, and is copied here.
    unsafe String(cString: otolith_gpio_chip_label(chip))
  }

  var lineCount: Int { Int(unsafe otolith_gpio_chip_lines(chip)) }  // open until deinit

  /// Name and user of one line; `nil` if there is no such line.
  func line(_ offset: Int) -> (name: String, consumer: String, isUsed: Bool)? {
    guard let offset = UInt32(exactly: offset) else { return nil }
    var info = otolith_gpio_line_info()
    // The pointers are valid for the call.
    guard unsafe otolith_gpio_chip_line_info(chip, offset, &info) >= 0 else { return nil }
    return (fixedText(info.name), fixedText(info.consumer), info.is_used)
  }

  deinit { unsafe otolith_gpio_chip_close(chip) }  // the only close
}

/// Returns the text in a C array, which Swift imports as a tuple.
private func fixedText<Tuple>(_ tuple: Tuple) -> String {
  // The bytes of a tuple of CChar, within the closure.
  unsafe withUnsafeBytes(of: tuple) { bytes in
    unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)  // as above
  }
}
