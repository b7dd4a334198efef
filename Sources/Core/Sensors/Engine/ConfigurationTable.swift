// SPDX-License-Identifier: Apache-2.0
package import Registers

/// The register writes of a configuration, in order. The table serves chips whose configuration is
/// too complex for a function that returns the write at an index.
public struct ConfigurationTable: Sendable {
  private var rows: InlineArray<32, RegisterValue>
  package private(set) var count = 0

  public init() { rows = .init(repeating: RegisterValue(address: 0, value: 0)) }

  /// The register write at `index`; `nil` after the last write.
  package subscript(_ index: Int) -> RegisterValue? {
    // The span avoids a copy of the whole `InlineArray` for each element that is read (Swift 6.3).
    index < count ? rows.span[index] : nil
  }

  /// Adds a register write. All fields that are not named become 0.
  @inline(__always)
  package mutating func add<Layout, Access: ReadableAccess & WritableAccess>(
    _ register: Register<Layout, Access>, _ fields: (Layout) -> Change = { _ in .nothing }
  ) { add(RegisterValue(register, fields)) }

  @inline(never)
  package mutating func add(_ row: RegisterValue) {
    guard count < 32 else { return }
    rows[count] = row
    count += 1
  }
}
