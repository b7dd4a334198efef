// SPDX-License-Identifier: Apache-2.0
import Registers
import BusTraces
import Boards
import Quantities
import Testing

@Test func `transactions are told apart by what came of them`() {
  let time = Timestamp(nanoseconds: 5)
  let good = TraceTransaction(
    chip: "imu", request: .read(register: 0x75, count: 1), outcome: .bytes([0x68]), begin: time,
    end: time)
  var bad = good
  bad.outcome = .failure(.noAcknowledge)
  #expect(good != bad)
}
