// SPDX-License-Identifier: Apache-2.0
internal import CLinux

/// A GPIO chip that is opened to list its lines. A request for a line does not need this object.
/// The type is safe, because the pointer is private, created by `init` and freed by `deinit`.
@safe internal struct OpenChip: ~Copyable {
  private let chip: OpaquePointer

  init(_ path: String) throws(OpenError) {
    var opened: OpaquePointer?
    // The C function does not keep the pointers.
    let result = unsafe otolith_gpio_chip_open(path, &opened)
    guard result >= 0, let opened = unsafe opened else {
      throw OpenError(.gpioChip, path, errno: result < 0 ? -result : inputOutputError)
    }
    unsafe chip = opened  // closed only in deinit
  }

  /// The name that the driver gives to the GPIO chip.
  var label: String {
    // The text exists as long as the open GPIO chip, and is copied here.
    unsafe String(cString: otolith_gpio_chip_label(chip))
  }

  var lineCount: Int { Int(unsafe otolith_gpio_chip_lines(chip)) }  // open until deinit

  /// Returns the name and the user of a line; `nil` if the chip does not have this line.
  func line(_ offset: Int) -> (name: String, consumer: String, isUsed: Bool)? {
    guard let offset = UInt32(exactly: offset) else { return nil }
    var info = otolith_gpio_line_info()
    // The C function does not keep the pointers.
    guard unsafe otolith_gpio_chip_line_info(chip, offset, &info) >= 0 else { return nil }
    return (fixedText(info.name), fixedText(info.consumer), info.is_used)
  }

  deinit { unsafe otolith_gpio_chip_close(chip) }  // closed only here
}

/// Returns the text in a C array, which Swift imports as a tuple.
private func fixedText<Tuple>(_ tuple: Tuple) -> String {
  // The bytes of the tuple are used only within the closure.
  unsafe withUnsafeBytes(of: tuple) { bytes in
    unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)  // valid for the call
  }
}
