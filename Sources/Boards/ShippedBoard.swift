// SPDX-License-Identifier: Apache-2.0

/// A board file of the folder `boards`, built in for a program that is far from it.
public struct ShippedBoard: Sendable, Equatable {
  /// Its name in `boards`: `simulated.yaml`.
  public let file: String
  /// Its text. A test keeps it equal to the file's.
  public let text: String

  init(_ file: String, _ text: String) {
    self.file = file
    self.text = text
  }

  /// Its file's name without the ending, by which it can be named in the place of a path:
  /// `raspberry-pi-gy521`.
  public var name: String { file.replacing(".yaml", with: "") }

  /// In the order of their names.
  public static let all = [
    tenDOF, adafruit4517, adafruit4554, adafruit5543, bmi160SPI, bmp280, gy271, gy521, gy87,
    gy9250, icm42688pSPI, minIMU9v5, senseHATV2, senseHAT, vcnl4040, simulatedAll, simulated,
  ]

  /// The board of that name; `nil` for a path.
  public static func named(_ name: String) -> ShippedBoard? { all.first { $0.name == name } }
}
