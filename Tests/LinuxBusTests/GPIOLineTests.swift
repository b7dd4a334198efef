// SPDX-License-Identifier: Apache-2.0
import CLinux
import LinuxBus
import Quantities
import Testing

/// A build machine has no GPIO chip, so only the steps before the request are tested.
@Suite struct GPIOLineTests {
  @Test func `a missing GPIO chip is ENOENT`() {
    var chip: OpaquePointer?
    // The pointers are valid during the call.
    #expect(unsafe otolith_gpio_chip_open("/dev/gpiochip-none", &chip) == -2)
  }

  @Test func `/dev/null is not a GPIO chip`() {
    var chip: OpaquePointer?
    // The pointers are valid during the call.
    let result = unsafe otolith_gpio_chip_open("/dev/null", &chip)
    let cause = OpenError.Cause(errno: -result, kind: .gpioChip, group: "gpio")
    #expect(cause == .notThatKindOfDevice)
  }

  @Test func `an unknown name is reported as missing`() {
    let error = #expect(throws: OpenError.self) {
      _ = try GPIOLine(named: "otolith-no-such-line", edge: .rising)
    }
    // On a machine with chips that may not be opened, the error is about permission.
    #expect(error?.cause == .missing || error?.cause == .noPermission(group: "gpio"))
  }

  @Test func `an unknown label is reported as missing`() {
    let error = #expect(throws: OpenError.self) {
      _ = try GPIOLine(chipLabel: "otolith-no-such-chip", offset: 4, edge: .falling)
    }
    #expect(error?.cause == .missing || error?.cause == .noPermission(group: "gpio"))
  }

  @Test func `a batch keeps its first and last edge and counts losses`() {
    var batch = EdgeBatch()
    var last: UInt32 = 7
    for (nanoseconds, sequence) in [(100, 8), (200, 9), (500, 12)] as [(Int64, UInt32)] {
      batch.append(Timestamp(nanoseconds: nanoseconds), sequence: sequence, after: &last)
    }
    #expect(batch.count == 3)
    #expect(batch.oldest.nanoseconds == 100)
    #expect(batch.newest.nanoseconds == 500)
    #expect(batch.lost == 2)
    #expect(last == 12)
  }

  @Test func `the count of edges wraps`() {
    var batch = EdgeBatch()
    var last = UInt32.max - 1
    batch.append(Timestamp(nanoseconds: 1), sequence: .max, after: &last)
    #expect(batch.lost == 0)
  }

  @Test func `an interface without a count reports no loss`() {
    var batch = EdgeBatch()
    var last: UInt32 = 0
    batch.append(Timestamp(nanoseconds: 1), sequence: 0, after: &last)
    batch.append(Timestamp(nanoseconds: 2), sequence: 0, after: &last)
    #expect(batch.lost == 0 && last == 0)
  }
}
