// SPDX-License-Identifier: Apache-2.0
package import Registers

/// The rows of a configuration in the order of writing. The table serves chips whose configuration
/// is too complex for a function that returns a row for an index.
public struct ConfigurationTable: Sendable {
  private var lines: InlineArray<32, RegisterValue>
  package private(set) var count = 0

  public init() { lines = .init(repeating: RegisterValue(address: 0, value: 0)) }

  /// The configuration row at `index`; `nil` after the last row.
  package subscript(_ index: Int) -> RegisterValue? {
    // The span avoids a copy of the whole `InlineArray` for each element that is read (Swift 6.3).
    index < count ? lines.span[index] : nil
  }

  /// Adds a configuration row. All fields that are not named become 0.
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
