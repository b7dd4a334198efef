// SPDX-License-Identifier: Apache-2.0
import Testing
import Text

@Suite struct NearestWordTests {
  @Test func `a name that is nearly right finds its like`() {
    let names = ["GPIO2", "GPIO17", "GPIO27", "IMU_INT1", "IMU_INT2", "SPI_CE0_N"]
    #expect(NearestWord.several(to: "imu_int", among: names) == ["IMU_INT1", "IMU_INT2"])
    #expect(NearestWord.several(to: "gpio17", among: names).first == "GPIO17")
    #expect(NearestWord.several(to: "GPIO17", among: ["GPIO71", "SDA"]) == ["GPIO71"])
    #expect(NearestWord.several(to: "", among: names).isEmpty)
  }

  @Test func `two letters that changed places are one mistake`() {
    #expect(NearestWord.to("ruel", among: ["rule", "real"]) == "rule")
    #expect(NearestWord.several(to: "PWR", among: ["PRW", "RPWX"]).first == "PRW")
    #expect(NearestWord.several(to: "WPR", among: ["PWR"]) == ["PWR"])
  }

  @Test func `nothing is near a long word`() {
    let long = String(repeating: "a", count: 10_000)
    #expect(NearestWord.to(long, among: ["accelerometer", "b" + long]) == nil)
    #expect(NearestWord.several(to: "abc", among: ["xyz", long + "z"]).isEmpty)
  }
}
