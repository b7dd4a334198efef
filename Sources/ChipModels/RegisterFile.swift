// SPDX-License-Identifier: Apache-2.0
internal import RegisterTools
internal import Registers

/// The memory of a model, made from the same map that the driver uses: reset values, and which bits can be written.
struct RegisterFile {
  private var contents: [UInt8]
  private let resetValues: [UInt8]
  private let writable: [UInt8]

  init(_ map: some RegisterMap) {
    var resetValues = [UInt8](repeating: 0, count: 256)
    var writable = [UInt8](repeating: 0, count: 256)
    for row in RegisterRow.rows(of: map) {
      resetValues[Int(row.address)] = row.reset ?? 0
      // Reserved bits stay as they are, whatever is written.
      if row.isWritable {
        writable[Int(row.address)] = row.fields.reduce(0) { $0 | $1.mask }
      }
    }
    self.resetValues = resetValues
    self.writable = writable
    contents = resetValues
  }

  subscript(_ address: UInt8) -> UInt8 {
    get { contents[Int(address)] }
    set { contents[Int(address)] = newValue }
  }

  subscript<Layout, Access>(_ register: Register<Layout, Access>) -> Contents<Layout> {
    Contents(raw: contents[Int(register.address)])
  }

  /// A write from the bus: only bits that the chip has and lets be written change.
  mutating func store(_ value: UInt8, at address: UInt8) {
    let mask = writable[Int(address)]
    contents[Int(address)] = contents[Int(address)] & ~mask | value & mask
  }

  mutating func change<Layout, Access>(
    _ register: Register<Layout, Access>, _ fields: (Layout) -> Change
  ) {
    let index = Int(register.address)
    contents[index] = register.change(fields).applied(to: contents[index])
  }

  mutating func reset() {
    for index in contents.indices { contents[index] = resetValues[index] }
  }
}
