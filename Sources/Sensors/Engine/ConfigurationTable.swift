// SPDX-License-Identifier: Apache-2.0
package import Registers

/// The lines of a configuration in the order in which they are written: for a chip with too many
/// cases for a line by its number.
public struct ConfigurationTable: Sendable {
  private var lines: InlineArray<32, RegisterValue>
  package private(set) var count = 0

  public init() { lines = .init(repeating: RegisterValue(address: 0, value: 0)) }

  /// The line at `index`; `nil` past the last.
  package subscript(_ index: Int) -> RegisterValue? {
    // Through a span: the 6.3 compiler copies a whole `InlineArray` to read one element.
    index < count ? lines.span[index] : nil
  }

  /// Adds a line; all fields that are not named become 0.
  @inline(__always)
  package mutating func add<Layout, Access: ReadableAccess & WritableAccess>(
    _ register: Register<Layout, Access>, _ fields: (Layout) -> Change = { _ in .nothing }
  ) { add(RegisterValue(register, fields)) }

  @inline(never)
  package mutating func add(_ line: RegisterValue) {
    guard count < 32 else { return }
    lines[count] = line
    count += 1
  }
}
