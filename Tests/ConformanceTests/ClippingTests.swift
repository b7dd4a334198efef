// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Foundation
import Quantities
import Sensors
import Simulation
import Testing

/// The counts of readings at the end of a chip's range, against the codes of a planted motion.
@Suite struct ClippingTests {
  /// Counts per g at 4 g: MPU-6000/6050 RM-MPU-6000A-00 section 4.17, BMI160 BST-BMI160-DS000 table
  /// 1, LSM6DSO DS12140 table 2 (0.122 mg), ICM-42688-P DS-000347 table 2,
  /// and, for its lowest code, section 14.34.
  static let parts: [(String, Double, Double)] = [
    ("invensense,mpu6050", 8192, -32768), ("bosch,bmi160", 8192, -32768),
    ("st,lsm6dso", 1 / 0.000122, -32768), ("invensense,icm42688p", 8192, -32766),
  ]

  /// From 1 to 3 s the x axis swings by 6 g, three times a second. The chip measures at times that
  /// the test does not choose, so that the test converts each measured value to a code.
  @Test(arguments: parts) func `samples at the end of the range are counted exactly`(
    _ part: String, _ countsPerG: Double, _ lowest: Double
  ) throws {
    let ways = Way.normal.filter { $0.row.description.name == part && $0.row.wire == .i2c }
    try #require(!ways.isEmpty || ProcessInfo.processInfo.environment["OTOLITH_CHIP"] != nil)
    for way in ways {
      let rig = Rig(way.row)
      var settings = way.settings()
      settings.accelerationRange = 4
      var measured: [Timestamp: Double] = [:]
      let begin = rig.clock.now
      rig.input.script = { time in
        let seconds = (time - begin).seconds
        let x = seconds > 1 && seconds < 3 ? 6 * sin(2 * .pi * 3 * seconds) : 0.5
        measured[time] = x
        return Vector3(x, -x / 2, 0.9)
      }
      _ = try rig.start(settings)
      rig.run(for: .seconds(4))
      let codes = measured.values.map { ($0 * countsPerG).rounded() }
      let high = codes.count { $0 >= 32767 }
      let low = codes.count { $0 <= lowest }
      #expect(high > 20 && low > 20)
      let pinned = rig.quality.pinned
      let place: Comment = "\(way)"
      #expect(pinned.end(at: 0)?.count == high, place)
      #expect(pinned.end(at: 1)?.count == low, place)
      #expect((2..<PinnedAxes.places).allSatisfy { pinned.end(at: $0) == nil }, place)
    }
  }
}
