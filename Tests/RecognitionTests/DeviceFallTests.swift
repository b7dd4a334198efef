// SPDX-License-Identifier: Apache-2.0
import Quantities
import Recognition
import Testing

@Suite struct DeviceFallTests {
  @Test func `a fall is reported once, and a jolt is no fall`() {
    var fall = DeviceFallRecognizer()
    func update(_ g: Double, _ milliseconds: Int) -> Bool {
      fall.update(Vector3(0, 0, -g), at: Timestamp(nanoseconds: Int64(milliseconds) * 1_000_000))
    }
    let short = (0..<8).map { update(0.1, $0 * 10) }
    #expect(!short.contains(true))
    let jolt = update(1, 80)
    #expect(!jolt)
    let reported = (9..<40).map { update(0.05, $0 * 10) }
    #expect(reported.count { $0 } == 1)
    #expect(reported.firstIndex(of: true) == 10)
  }
}
