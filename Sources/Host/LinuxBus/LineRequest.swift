// SPDX-License-Identifier: Apache-2.0
internal import CLinux

/// A requested GPIO line, which is released on deinit. The type is safe, because the pointer is
/// private, created by `init` and freed by `deinit`.
@safe internal struct LineRequest: ~Copyable {
  private let line: OpaquePointer
  /// The sequence number of the last edge that was read. A gap shows that the kernel dropped edges.
  var lastSequence: UInt32 = 0
  /// The edges of the last read. The edges are a stored property, so that a read need not clear the
  /// buffer first.
  private(set) var edges = InlineArray<16, otolith_gpio_edge>(repeating: otolith_gpio_edge())

  init(
    _ path: String, _ offset: Int, _ edges: otolith_gpio_edges, _ bias: otolith_gpio_bias,
    name: String
  ) throws(OpenError) {
    guard let number = UInt32(exactly: offset) else {
      throw OpenError(.gpioLine, name, errno: invalidError, cause: .unsupported)
    }
    var requested: OpaquePointer?
    // The C function does not keep the pointers.
    let result = unsafe otolith_gpio_request(path, number, edges, bias, "otolith", &requested)
    guard result >= 0, let requested = unsafe requested else {
      let errno = result < 0 ? -result : inputOutputError
      // A missing permission or a missing node concerns the whole chip, so the error names the
      // chip's path. All other errors name the line.
      if errno == deniedError || errno == notPermittedError || errno == notFoundError {
        throw OpenError(.gpioChip, path, errno: errno)
      }
      throw OpenError(
        .gpioLine, name, errno: errno,
        cause: OpenError.Cause(
          errno: errno, kind: .gpioLine, group: DeviceKind.gpioLine.usualGroup,
          holder: consumer(path, offset)))
    }
    unsafe line = requested  // released only in deinit
  }

  var descriptor: Int32 { unsafe otolith_gpio_descriptor(line) }  // valid until deinit

  /// The level of the GPIO line: 1 for high, 0 for low, or the negative errno.
  var level: Int32 { unsafe otolith_gpio_level(line) }  // valid until deinit

  /// Reads up to `room` edges into `edges`. Returns the number of edges, or the negative errno.
  mutating func read(_ room: Int) -> Int {
    let line = unsafe line  // valid until deinit
    var span = edges.mutableSpan
    // The pointer is used only within the closure, and `room` is at most the size of the array.
    return unsafe span.withUnsafeMutableBufferPointer { (buffer) in
      while true {
        let count = unsafe otolith_gpio_read(
          line, buffer.baseAddress, UInt32(min(room, buffer.count)))  // within its size
        if count != -interruptedError { return Int(count) }
      }
    }
  }

  deinit { unsafe otolith_gpio_release(line) }  // released only here
}

/// Returns the name of a line's user; `nil` if the line is free or its chip cannot be opened.
private func consumer(_ path: String, _ offset: Int) -> String? {
  guard let chip = try? OpenChip(path), let line = chip.line(offset), line.isUsed else {
    return nil
  }
  return line.consumer.isEmpty ? "the kernel" : line.consumer
}
