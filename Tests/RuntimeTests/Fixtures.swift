// SPDX-License-Identifier: Apache-2.0
import Boards
import ChipCatalog
import Foundation
import Testing

/// Boards that the tests use, written as text, and a wait with a time limit.
enum Fixtures {
  static func board(_ text: String) throws -> Board {
    try BoardFile.parse(text, file: "test.yaml", catalogue: ChipCatalog.descriptions)
  }

  /// A board with a simulated MPU-6050 and a simulated LIS3MDL, both at rest.
  static func still() throws -> Board {
    try board(
      """
      otolith-board: 1
      name: Still
      buses: { bus: { simulated: i2c } }
      chips:
        imu: { chip: "invensense,mpu6050", on: bus, address: 0x68, interrupt: simulated, rate-hz: 100 }
        compass: { chip: "st,lis3mdl", on: bus, address: 0x1C, interrupt: simulated, rate-hz: 80 }
      simulation: { motion: still, noise: false }

      """)
  }

  /// A board with the same chips on buses of a real machine.
  static func real() throws -> Board {
    try board(
      """
      otolith-board: 1
      name: Real
      buses: { i2c1: { i2c: /dev/i2c-1 }, spi0: { spi: /dev/spidev0.0 } }
      chips:
        imu: { chip: "invensense,mpu6050", on: i2c1, address: 0x68 }
        compass: { chip: "st,lis3mdl", on: i2c1, address: 0x1C }
        other: { chip: "st,lis3mdl", on: spi0 }

      """)
  }

  static func eventually(_ seconds: Double = 30, _ condition: () -> Bool) -> Bool {
    let end = ProcessInfo.processInfo.systemUptime + seconds
    while ProcessInfo.processInfo.systemUptime < end {
      if condition() { return true }
      Thread.sleep(forTimeInterval: 0.005)
    }
    return condition()
  }
}
