// SPDX-License-Identifier: Apache-2.0
import Registers
import BusTraces
import Boards
import Quantities
import Testing

@Test func `transactions are distinguished by their result`() {
  let time = Timestamp(nanoseconds: 5)
  let good = TraceTransaction(
    chip: "imu", request: .read(register: 0x75, count: 1), outcome: .bytes([0x68]), begin: time,
    end: time)
  var bad = good
  bad.outcome = .failure(.noAcknowledge)
  #expect(good != bad)
}
