// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Chips
import Quantities
import Registers
import Testing

/// The models' time stamp counter, with addresses and bytes typed from DocID026899 (sections 9.45
/// to 9.47) and DocID030071.
@Suite struct LSM6DS3TimerTests {
  let start = Timestamp(nanoseconds: 1_000_000_000)

  /// Returns a model whose counter runs from `start` on, at 25 us per count.
  private func model(_ family: LSM6DS3Family) -> LSM6DS3Model {
    let model = LSM6DS3Model(World(LSM6DS3Bench.held), family: family)
    model.advance(to: start)
    model.write(0x10, to: 0x5C)
    // TIMER_EN: bit 7 of TAP_CFG on the older part, bit 5 of CTRL10_C on the newer.
    if family == .lsm6ds3 { model.write(0x80, to: 0x58) } else { model.write(0x20, to: 0x19) }
    return model
  }

  private func bytes(_ model: LSM6DS3Model, _ registers: ClosedRange<UInt8>) -> [UInt8] {
    registers.map { model.read($0) }
  }

  @Test(arguments: LSM6DS3Family.allCases)
  func `a second is 40000 counts of the timer`(family: LSM6DS3Family) {
    let model = model(family)
    model.advance(to: start + .seconds(1))
    // 40 000 counts.
    #expect(bytes(model, 0x40...0x42) == [0x40, 0x9C, 0x00])
    model.advance(to: start + .seconds(10))
    #expect(bytes(model, 0x40...0x42) == [0x80, 0x1A, 0x06])
    // Only 0xAA resets the counter.
    model.write(0x55, to: 0x42)
    #expect(bytes(model, 0x40...0x42) == [0x80, 0x1A, 0x06])
    model.write(0xAA, to: 0x42)
    #expect(bytes(model, 0x40...0x42) == [0x00, 0x00, 0x00])
    // At low resolution a count is 6.4 ms.
    model.write(0x00, to: 0x5C)
    model.advance(to: start + .seconds(11))
    #expect(bytes(model, 0x40...0x42) == [156, 0x00, 0x00])
    // The counter has 24 bits: 420 s after its reset are 16 800 000 counts, 22 784 above 2^24.
    model.write(0x10, to: 0x5C)
    model.advance(to: start + .seconds(430))
    #expect(bytes(model, 0x40...0x42) == [0x00, 0x59, 0x00])
  }

  @Test func `the timer is off after a reset`() {
    let model = LSM6DS3Model(World(LSM6DS3Bench.held), family: .lsm6ds3)
    model.advance(to: start + .seconds(1))
    #expect(bytes(model, 0x40...0x42) == [0, 0, 0])
  }

  /// The fourth data set of the FIFO: bits 15 to 8, bits 23 to 16, unused, bits 7 to 0, then the
  /// steps.
  @Test(arguments: LSM6DS3Family.allCases)
  func `the queue's fourth set has the timer and the steps`(family: LSM6DS3Family) {
    let model = model(family)
    model.write(0x80, to: 0x07)
    model.write(0x09, to: 0x08)
    model.write(0x08, to: 0x09)
    model.write(0x26, to: 0x0A)
    model.write(0x40, to: 0x11)
    model.write(0x40, to: 0x10)
    // Two samples at 104 Hz, 9.615 and 19.231 ms after the start: 384 and 769 counts.
    model.advance(to: start + .milliseconds(20))
    #expect(model.read(0x3A) == 18)
    var words: [[UInt8]] = []
    for _ in 0..<18 { words.append(bytes(model, 0x3E...0x3F)) }
    #expect(words[6...8] == [[0x01, 0x00], [0x00, 0x80], [0x00, 0x00]])
    #expect(words[15...17] == [[0x03, 0x00], [0x00, 0x01], [0x00, 0x00]])
  }

  /// With decimation by eight, the pattern has eight samples and one such set.
  @Test func `every eighth sample carries a time where it is decimated`() {
    let model = model(.lsm6ds3)
    model.write(0x80, to: 0x07)
    model.write(0x09, to: 0x08)
    model.write(0x28, to: 0x09)
    model.write(0x26, to: 0x0A)
    model.write(0x40, to: 0x11)
    model.write(0x40, to: 0x10)
    model.advance(to: start + .milliseconds(160))
    // Sixteen samples of six words, and two sets of three words.
    #expect(model.read(0x3A) == 102)
    for _ in 0..<51 { _ = bytes(model, 0x3E...0x3F) }
    // FIFO_STATUS3 is back at the beginning of the pattern.
    #expect(model.read(0x3C) == 0)
  }
}
