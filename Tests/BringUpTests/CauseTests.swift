// SPDX-License-Identifier: Apache-2.0
import BringUp
import Foundation
import Runtime
import Testing

@Test func `programs read causes by words that do not change`() throws {
  let finding = Finding(
    .swappedAxes, of: "imu", evidence: "up is +y", explanation: "mounted otherwise", steps: [])
  let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(finding))
  let fields = try #require(object as? [String: Any])
  #expect(fields["cause"] as? String == "swapped-axes")
  #expect(fields["subject"] as? String == "imu")
}
