// SPDX-License-Identifier: Apache-2.0
internal import Quantities
package import Registers

/// The registers of a model, with reset values and writable bits from the driver's register map.
/// The file contains all banks; an access from the bus uses the selected bank.
package struct RegisterFile {
  private var contents: [UInt16]
  private let resetValues: [UInt16]
  private let writable: [UInt16]
  private let window: RegisterWindow?

  package init(_ map: some RegisterMap) {
    let rows = RegisterRow.rows(of: map)
    window = rows.first?.window
    let count = 256 * (1 + Int(rows.map(\.bank).max() ?? 0))
    var resetValues = [UInt16](repeating: 0, count: count)
    var writable = resetValues
    for row in rows {
      let index = Int(row.place.number)
      resetValues[index] = row.reset ?? 0
      // Reserved bits cannot be written.
      if row.isWritable { writable[index] = row.fields.reduce(0) { $0 | $1.mask } }
    }
    self.resetValues = resetValues
    self.writable = writable
    contents = resetValues
  }

  /// Returns the index of `address` in the selected bank; `nil` if the chip does not have that
  /// bank.
  private func index(_ address: UInt8) -> Int? {
    guard let window, window.contains(address) else { return Int(address) }
    let bank = window.bank(selectedBy: UInt8(truncatingIfNeeded: contents[Int(window.selector)]))
    let index = Int(bank) << 8 | Int(address)
    return index < contents.count ? index : nil
  }

  /// The contents of the register at `address` in the selected bank; 0 if the chip does not have
  /// that bank.
  package subscript(_ address: UInt8) -> UInt8 {
    get { index(address).map { UInt8(truncatingIfNeeded: contents[$0]) } ?? 0 }
    set { if let index = index(address) { contents[index] = UInt16(newValue) } }
  }

  /// The contents of the register at a flat address, whichever bank is selected.
  package subscript(_ place: FlatAddress) -> UInt8 {
    get { UInt8(truncatingIfNeeded: contents[Int(place.number)]) }
    set { contents[Int(place.number)] = UInt16(newValue) }
  }

  package subscript<Layout, Access>(_ register: Register<Layout, Access>) -> Contents<Layout> {
    register.contents(UInt8(truncatingIfNeeded: contents[Int(register.address)]))
  }

  package subscript<Layout, Access>(_ register: Banked<Layout, Access>) -> Contents<Layout> {
    register.register.contents(UInt8(truncatingIfNeeded: contents[Int(register.address.number)]))
  }

  package subscript<Layout, Access>(_ register: WideRegister<Layout, Access>)
    -> WideContents<Layout>
  { register.contents(contents[Int(register.address)]) }

  /// The contents of the 16-bit register at `address`.
  package subscript(word address: UInt8) -> UInt16 {
    get { contents[Int(address)] }
    set { contents[Int(address)] = newValue }
  }

  /// Stores a word in two registers of bank 0, starting at `first`.
  package mutating func put(_ word: UInt16, at first: UInt8, _ order: ByteOrder) {
    let bytes = order.bytes(word)
    (self[FlatAddress(first)], self[FlatAddress(first + 1)]) = (bytes[0], bytes[1])
  }

  /// Stores a converter's count in two registers of bank 0.
  mutating func put(_ count: Int16, at first: UInt8, _ order: ByteOrder) {
    put(UInt16(bitPattern: count), at: first, order)
  }

  /// Returns the count in two registers of one bank, starting at `first`.
  func count(at first: FlatAddress, _ order: ByteOrder) -> Int16 {
    let second = FlatAddress(bank: first.bank, first.register &+ 1)
    return Int16(bitPattern: order.word(self[first], self[second]))
  }

  /// Returns the count in two registers of bank 0, starting at `first`.
  func count(at first: UInt8, _ order: ByteOrder) -> Int16 { count(at: FlatAddress(first), order) }

  /// Stores a vector in six registers, as counts of a converter with `scale` counts per unit.
  mutating func put(_ vector: Vector3, _ scale: Double, at first: UInt8, _ order: ByteOrder) {
    put(counts(vector.x, scale), at: first, order)
    put(counts(vector.y, scale), at: first + 2, order)
    put(counts(vector.z, scale), at: first + 4, order)
  }

  /// Handles a write from the bus. Only existing, writable bits change.
  package mutating func store(_ value: UInt8, at address: UInt8) {
    if let index = index(address) { store(UInt16(value), at: index) }
  }

  /// Handles a write to the register at a flat address, whichever bank is selected.
  package mutating func store(_ value: UInt8, at place: FlatAddress) {
    if Int(place.number) < contents.count { store(UInt16(value), at: Int(place.number)) }
  }

  /// Handles a write of a word from the bus.
  package mutating func store(_ word: UInt16, at address: UInt8) { store(word, at: Int(address)) }

  private mutating func store(_ value: UInt16, at index: Int) {
    contents[index] = contents[index] & ~writable[index] | value & writable[index]
  }

  package mutating func change<Layout, Access>(
    _ register: Register<Layout, Access>, _ fields: (Layout) -> Change
  ) {
    change(Int(register.address), register.change(fields))
  }

  package mutating func change<Layout, Access>(
    _ register: Banked<Layout, Access>, _ fields: (Layout) -> Change
  ) {
    change(Int(register.address.number), register.register.change(fields))
  }

  private mutating func change(_ index: Int, _ change: Change) {
    contents[index] = UInt16(change.applied(to: UInt8(truncatingIfNeeded: contents[index])))
  }

  package mutating func change<Layout, Access>(
    _ register: WideRegister<Layout, Access>, _ fields: (Layout) -> WideChange
  ) {
    let index = Int(register.address)
    contents[index] = register.change(fields).applied(to: contents[index])
  }

  package mutating func reset() {
    for index in contents.indices { contents[index] = resetValues[index] }
  }
}
