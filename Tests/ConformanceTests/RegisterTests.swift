// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Quantities
import Registers
import Sensors
import Testing

/// The registers that every driver in the catalogue writes.
@Suite struct RegisterTests {
  /// A driver writes only described and writable registers, and keeps the reserved bits.
  @Test(arguments: Way.all) func `reserved bits are left as they were`(_ way: Way) throws {
    let rig = Rig(way.row)
    rig.port.remembersWrites = true
    var settings = way.settings()
    if way.power == .low, (try? rig.driver.configure(settings)) == nil {
      settings.rate = way.row.description.rates.filter { $0 > 1 }.min() ?? settings.rate
    }
    _ = try rig.start(settings)
    rig.run(for: .seconds(2))
    try rig.driver.stop()
    // There are at least three writes: a reset, a line of the configuration, and sleep.
    #expect(rig.port.writes.count >= 3)
    let rows = way.row.entry.registers()
    var places = way.row.entry.places
    // The bytes of a block are for a register each, but those of a word for one.
    let isWord = way.row.description.words != nil
    let writes = rig.port.writes.flatMap { write -> [(register: UInt8, value: UInt16)] in
      guard !isWord else {
        return [(write.register, UInt16(write.bytes[1]) << 8 | UInt16(write.bytes[0]))]
      }
      return write.bytes.enumerated().map { (write.register &+ UInt8($0), UInt16($1)) }
    }
    for write in writes {
      let place: Comment = "register 0x\(String(write.register, radix: 16))"
      let address = places.place(of: write.register)
      places.note([UInt8(truncatingIfNeeded: write.value)], writtenTo: write.register)
      guard let row = rows.first(where: { $0.place == address }) else {
        Issue.record("a register that is not described", sourceLocation: #_sourceLocation)
        continue
      }
      #expect(row.isWritable, place)
      let described = row.fields.reduce(0) { $0 | $1.mask }
      #expect(write.value & ~described == (row.reset ?? 0) & ~described, place)
    }
  }

  @Test(arguments: Row.all)
  func `a catalogue entry agrees with its driver and its registers`(_ row: Row) throws {
    let rig = Rig(row)
    let description = row.description
    #expect(rig.driver.detections == description.detections)
    let identity = try #require(
      row.entry.registers().first { $0.address == description.identity.register })
    #expect(identity.isReadable && identity.effect == .none)
    #expect(!description.addresses.isEmpty || !description.wires.contains(.i2c))
    #expect(description.rates == description.rates.sorted(by: >))
    #expect(description.channels.allSatisfy { $0.ranges == $0.ranges.sorted() })
    #expect(description.channels.allSatisfy { !$0.ranges.isEmpty || $0.resolution != nil })
    #expect(description.addresses.count <= 1 || description.strap != nil)
    let sampled = ChannelSet(description.channels.map { ChannelSet($0.channel) })
    #expect(rig.driver.channels == sampled)
  }
}
