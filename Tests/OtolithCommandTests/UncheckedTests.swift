// SPDX-License-Identifier: Apache-2.0
import Testing

/// Checks of boards that cannot be checked.
@Suite struct UncheckedTests {
  @Test func `a check that checked nothing is no success`() throws {
    let scratch = try Scratch()
    try scratch.write(ClippingTests.imu, to: "imu.yaml")
    let made = try Tool.run(
      "trace", "record", "imu.yaml", "--output", "imu.trace", "--duration", "0.5", in: scratch)
    #expect(made.status == 0, "\(made.errors)")
    for command in ["selftest", "bus-errors", "interrupt"] {
      let ending = try Tool.run(command, "imu.trace", in: scratch)
      #expect(ending.status == 69, "\(command): \(ending.output)")
      #expect(ending.errorLines.last == "nothing was checked")
      #expect(ending.output.contains("imu: not checked: "))
    }
  }
}
