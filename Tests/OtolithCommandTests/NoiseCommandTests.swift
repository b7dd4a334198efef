// SPDX-License-Identifier: Apache-2.0
import Foundation
import SeededRandom
import Testing

@Suite struct NoiseCommandTests {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try scratch.write(Self.board("density-dps-rthz: 0.01"), to: "board.yaml")
  }

  /// Returns an MPU-6050 with known noise; its data sheet has 0.005 deg/s/sqrt(Hz)
  /// (PS-MPU-6000A-00, 6.1).
  static func board(_ noise: String) -> String {
    """
    otolith-board: 1
    name: Test
    buses: { bus: { simulated: i2c } }
    chips:
      imu:
        chip: "invensense,mpu6050"
        on: bus
        address: 0x68
        rate-hz: 50
        rotation-rate-range-dps: 250
        read-by: fifo
    simulation: { motion: still, noise: { rotation-rate-\(noise), acceleration-density-ug-rthz: 400 } }

    """
  }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// A minute on the board's clock: twice the noise of the data sheet for the gyroscope, N = 0.01 /
  /// sqrt(2) deg/sqrt(s) = 0.424 deg/sqrt(h), and the specified noise for the accelerometer.
  @Test func `known noise is found, and compared with the data sheet`() throws {
    let ending = try Tool.run(
      "noise", "--board", "board.yaml", "--json", "--svg", "noise.svg", "--csv", "noise.csv",
      in: scratch)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(ending.errors.contains("imu: 60.0 simulated seconds"))
    let result = try object(ending.output)
    #expect(result["simulated"] as? Bool == true)
    let chip = try #require((result["chips"] as? [[String: Any]])?.first)
    #expect(chip["chip"] as? String == "MPU-6050")
    #expect((chip["movedSeconds"] as? [Int])?.isEmpty == true)
    let channels = try #require(chip["channels"] as? [[String: Any]])
    let gyroscope = try #require(channels.first { $0["sensor"] as? String == "gyroscope" })
    let ratio = try #require(gyroscope["timesDataSheet"] as? Double)
    #expect(abs(ratio - 2) < 0.15)
    for axis in try #require(gyroscope["axes"] as? [[String: Any]]) {
      let density = try #require(axis["noiseDensityDegSRootHz"] as? Double)
      #expect(abs(density / 0.01 - 1) < 0.06)
      let walk = try #require(axis["angleRandomWalkDegRootH"] as? Double)
      #expect(abs(walk / 0.424264 - 1) < 0.06)
      // 0.01 times the square root of 25 Hz.
      let deviation = try #require(axis["standardDeviationDegS"] as? Double)
      #expect(abs(deviation / 0.05 - 1) < 0.05)
      #expect(axis["biasInstabilityIsBound"] as? Bool == true)
    }
    let accelerometer = try #require(channels.first { $0["sensor"] as? String == "accelerometer" })
    #expect(abs(try #require(accelerometer["timesDataSheet"] as? Double) - 1) < 0.08)
    #expect(try scratch.text("noise.svg").hasPrefix("<svg "))
    let table = try scratch.text("noise.csv").split(separator: "\n")
    #expect(table.first == "chip,sensor,axis,curve,x,y,lower,upper,unit")
    #expect(table.contains { $0.hasPrefix("imu,gyroscope,z,allan,") })
  }

  /// 30 s at 100 Hz: 0.7 uT of hum at 25 Hz, two gaps, and a shake in second 12.
  @Test func `a recording tells its hum, its gaps and that it moved`() throws {
    var text =
      "timestamp,rotationRate.x,rotationRate.y,rotationRate.z,magneticField.x,magneticField.y,"
      + "magneticField.z\n"
    var random = SplitMix(state: 25)
    for index in 0..<3000 where !(1000..<1010).contains(index) && index != 500 {
      let time = Double(index) / 100
      let shaken = time >= 12 && time < 13 ? sin(time * 40) : 0
      let noise = Double.random(in: -0.1...0.1, using: &random)
      text += "\(time),\(shaken),0.001,0,\(20 + sin(2 * .pi * 25 * time + 0.4) + noise),1,2\n"
    }
    try scratch.write(text, to: "rest.csv")
    let ending = try Tool.run("noise", "--recording", "rest.csv", in: scratch)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(ending.output.contains("it did not lie still in"))
    #expect(ending.output.contains("2 gaps in the samples; the figures are of the longest stretch"))
    #expect(
      ending.output.contains("x: 25.0 Hz, 0.70")
        && ending.output.contains("a current that changes as often"), "\(ending.output)")
    #expect(ending.output.contains("the values of an axis are alike"))
  }

  @Test(arguments: [
    (
      ["--chip", "gyro", "--board", "board.yaml"], Int32(64),
      "board.yaml has no chip 'gyro'; it has imu"
    ),
    (["--recording", "none.csv"], 66, "none.csv: no such file"),
    (["--recording", "short.csv"], 65, "short.csv: has too few samples"),
    (["--duration", "1"], 64, "it is a number of seconds from 2 to 604800, such as 60"),
    (["--svg", "a", "--csv", "a"], 64, "--svg and --csv need different files"),
    (["--svg", "a", "--csv", "./a"], 64, "--svg and --csv need different files"),
    (["--board", "absent.yaml", "--duration", "2"], 69, "imu: "),
    (["--board", "board.yaml", "--duration", "2", "--svg", "no/such/a.svg"], 73, "no/such/a.svg"),
  ])
  func `a wrong input is reported in one line`(arguments: [String], status: Int32, words: String)
    throws
  {
    try scratch.write("timestamp,pressure\n0,101\n1,101\n", to: "short.csv")
    let absent = Self.board("density-dps-rthz: 0.01")
      .replacingOccurrences(of: "400 } }", with: "400 }, faults: [{ fault: nack }] }")
    try scratch.write(absent, to: "absent.yaml")
    let ending = try Tool.run(["noise"] + arguments, in: scratch)
    #expect(ending.status == status, "\(ending.errors)")
    #expect(ending.errors.contains(words), "\(ending.errors)")
    #expect(ending.output.isEmpty)
  }
}
