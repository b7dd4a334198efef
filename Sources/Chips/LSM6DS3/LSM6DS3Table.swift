// SPDX-License-Identifier: Apache-2.0
internal import Registers

/// Lines of a configuration in the order in which they are written.
struct LSM6DS3Table: Sendable {
  private var lines: InlineArray<32, RegisterValue>
  private(set) var count = 0

  init() { lines = .init(repeating: RegisterValue(address: 0, value: 0)) }

  /// `nil` past the last.
  subscript(_ index: Int) -> RegisterValue? {
    // Through a span: the 6.3 compiler copies a whole `InlineArray` to read one element.
    index < count ? lines.span[index] : nil
  }

  /// Adds a line; all fields that are not named become 0.
  @inline(__always)
  mutating func add<Layout, Access: ReadableAccess & WritableAccess>(
    _ register: Register<Layout, Access>, _ fields: (Layout) -> Change = { _ in .nothing }
  ) {
    add(RegisterValue(register, fields))
  }

  @inline(never)
  mutating func add(_ line: RegisterValue) {
    guard count < 32 else { return }
    lines[count] = line
    count += 1
  }
}
