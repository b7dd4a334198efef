// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `--simulate` with a hardware board that this machine lacks, in every command that runs a board.
@Suite(.serialized, .timeLimit(.minutes(2))) struct SimulateOptionTests {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try scratch.write(
      """
      otolith-board: 1
      name: Far
      buses:
        i2c9: { i2c: /dev/i2c-99 }
        spi9: { spi: /dev/spidev9.0 }
      chips:
        imu:
          chip: mpu6050
          on: i2c9
          address: 0x68
          interrupt: { line: GPIO17 }
          read-by: data-ready
          rate-hz: 100
        compass: { chip: lis3mdl, on: spi9, rate-hz: 20 }
      calibration: far.calibration.yaml

      """, to: "far.yaml")
    try scratch.write(Self.calibration, to: "far.calibration.yaml")
  }

  /// A calibration that took days on a turntable, which a simulated chip must not overwrite.
  static let calibration = """
    otolith-calibration: 1
    chips:
      imu:
        chip: invensense,mpu6050
        gyro-bias-rad-s: [0.1, 0.2, 0.3]

    """

  /// Without the option every command names what is missing.
  @Test(arguments: [
    "run far.yaml -d 0.2 -f csv", "buses far.yaml", "scan -b far.yaml", "detect far.yaml",
    "selftest far.yaml", "interrupt far.yaml -d 1", "bus-errors far.yaml --count 200",
    "noise far.yaml -d 4", "registers dump --chip imu -b far.yaml",
    "registers read --chip lis3mdl whoAmI -b far.yaml",
    "calibrate gyroscope far.yaml -d 3 --dry-run", "bringup far.yaml -d 0.5 --no-report",
    "trace record far.yaml -d 0.2 -o -", "steps far.yaml -d 0.2", "activity far.yaml -d 0.2",
    "monitor far.yaml -d 0.2 --snapshot 80x24",
  ])
  func `a board of one's own is simulated in each command`(_ line: String) throws {
    let ending = try Tool.shell("\"$OTOLITH\" \(line) --simulate", in: scratch)
    #expect(ending.status == 0, "\(ending.errors)\(ending.output)")
    let hardware = try Tool.shell("\"$OTOLITH\" \(line)", in: scratch)
    #expect(hardware.status != 0, "\(line) needs no --simulate")
    #expect(try scratch.text("far.calibration.yaml") == Self.calibration)
  }

  @Test func `a calibration of models is not written over that of the board`() throws {
    let ending = try Tool.run(
      "calibrate", "gyroscope", "far.yaml", "-d", "3", "--simulate", in: scratch)
    #expect(ending.status == 64 && ending.output.isEmpty)
    #expect(
      ending.errors == """
        board: Far, far.yaml, requested
        simulated: models replace its chips
        far.yaml is simulated, and values found with models do not calibrate its chips: add \
        --dry-run

        """)
    #expect(try scratch.text("far.calibration.yaml") == Self.calibration)
  }

  @Test func `the chips of any board are served to others`() throws {
    let ending = try Tool.shell(
      """
      "$OTOLITH" simulate far.yaml --listen ./sock 2> ready & server=$!
      for i in $(seq 200); do [ -s ready ] && break; sleep 0.05; done
      kill -INT $server; wait $server; cat ready
      """, in: scratch)
    #expect(
      ending.output
        == "Far, far.yaml, on ./sock: I2C 0x68 invensense,mpu6050; SPI 0 st,lis3mdl\n")
  }
}
