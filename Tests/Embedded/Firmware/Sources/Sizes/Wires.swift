// SPDX-License-Identifier: Apache-2.0
import Board
import Registers
import Startup

// The two buses of the example's board, with a chip that is not otolith's: the emulator's TMP105, a
// thermometer whose limits are 75 and 80 degrees after reset (data sheet SBOS277, table 6: 4B00 and
// 5000 in hexadecimal).

@c(check_wires)
public func checkWires() {
  Microseconds.start()
  var bus = TwoWires.bus
  var found: InlineArray<3, UInt32> = [
    word(&bus, 2, at: 0x48), word(&bus, 3, at: 0x48), word(&bus, 2, at: 0x49),
  ]
  // A written value can be read back.
  let limit: InlineArray<3, UInt8> = [2, 0x12, 0x30]
  if (try? bus.write(limit.span, to: 0x48)) != nil, found[0] == 0x4B00 {
    found[0] = word(&bus, 2, at: 0x48) == 0x1230 ? found[0] : 0xBAD
  }
  report(found)
}

/// Returns two bytes of a register; -1 if no chip acknowledges, -2 for any other error.
private func word(_ bus: inout PlatformI2C, _ register: UInt8, at address: UInt8) -> UInt32 {
  var bytes: InlineArray<2, UInt8> = [0, 0]
  var span = bytes.mutableSpan
  do throws(BusError) { try bus.read(&span, after: register, from: address) } catch {
    return error == .noAcknowledge ? .max : .max - 1
  }
  return UInt32(bytes[0]) << 8 | UInt32(bytes[1])
}
