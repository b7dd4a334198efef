// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Foundation
import Quantities
import Registers
import Sensors

/// Catalogue rows typed by hand from the data sheets, so that an error in the catalogue cannot
/// agree with itself.
enum Fixtures {
  static let degree = Double.pi / 180

  static let mpu6050 = ChipDescription(
    name: "invensense,mpu6050", title: "MPU-6050", family: "MPU-6050",
    summary: "accelerometer and gyroscope",
    wires: [.i2c], addresses: [0x68, 0x69], strap: "AD0", wireFormat: WireFormat(),
    channels: [
      ChannelDescription(.acceleration, ranges: [2, 4, 8, 16]),
      ChannelDescription(
        .rotationRate, ranges: [250, 500, 1000, 2000].map { $0 * degree }),
      ChannelDescription(.temperature, resolution: 1.0 / 340),
    ],
    rates: (0...255).map { 1000 / Double(1 + $0) }, acquisitions: [.fifo, .dataReady, .polling],
    identity: IdentityDescription(register: 0x75, parts: [0x68: "MPU-6050"], supported: [0x68]),
    detections: [.motion], hasAuxiliaryBus: true)

  static let lis3mdl = ChipDescription(
    name: "st,lis3mdl", title: "LIS3MDL", family: "LIS3MDL", summary: "magnetometer",
    wires: [.i2c, .spi], addresses: [0x1C, 0x1E], strap: "SDO/SA1",
    wireFormat: WireFormat(i2cIncrement: 0x80, spiMultiple: 0x40),
    channels: [
      ChannelDescription(.magneticField, ranges: [400, 800, 1200, 1600]),
      ChannelDescription(.temperature, resolution: 1.0 / 8),
    ],
    rates: [1000, 560, 300, 155, 80, 40, 20, 10, 5, 2.5, 1.25, 0.625],
    acquisitions: [.dataReady, .polling],
    identity: IdentityDescription(register: 0x0F, parts: [0x3D: "LIS3MDL"], supported: [0x3D]))

  static let bmi160 = ChipDescription(
    name: "bosch,bmi160", title: "BMI160", family: "BMI160", summary: "accelerometer and gyroscope",
    wires: [.i2c, .spi], addresses: [0x68, 0x69], strap: "SDO", wireFormat: WireFormat(),
    channels: [
      ChannelDescription(.acceleration, ranges: [2, 4, 8, 16]),
      ChannelDescription(
        .rotationRate, ranges: [125, 250, 500, 1000, 2000].map { $0 * degree }),
      ChannelDescription(.temperature, resolution: 1.0 / 512),
    ],
    rates: [1600, 800, 400, 200, 100, 50, 25], acquisitions: [.fifo, .dataReady, .polling],
    identity: IdentityDescription(register: 0x00, parts: [0xD1: "BMI160"], supported: [0xD1]))

  static let catalogue = [mpu6050, lis3mdl]
  /// The catalogue for the shipped boards. The texts of `Snapshots` name every chip of the other
  /// catalogue.
  static let shippedCatalogue = catalogue + [bmi160]

  /// The path of this test folder.
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().path()
  /// The path of the package.
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path()

  /// True if the committed texts are written instead of compared.
  static var isRecording: Bool { ProcessInfo.processInfo.environment["OTOLITH_RECORD"] == "1" }

  static func text(_ path: String) throws -> String {
    try String(contentsOf: URL(filePath: path), encoding: .utf8)
  }

  static func write(_ text: String, to path: String) throws {
    try text.write(to: URL(filePath: path), atomically: true, encoding: .utf8)
  }

  /// Returns the names of the YAML files in `folder`, sorted.
  static func yamlFiles(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".yaml") }.sorted()
  }
}
