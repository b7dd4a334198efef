// SPDX-License-Identifier: Apache-2.0

/// A board file of the folder `boards`, built in for a program that is far from it.
public struct ShippedBoard: Sendable, Equatable {
  /// Its name in `boards`: `simulated.yaml`.
  public let file: String
  /// Its text.
  public let text: String

  init(_ file: String, _ text: String) {
    self.file = file
    self.text = text
  }

  /// Its file's name without the ending, by which it can be named in the place of a path:
  /// `raspberry-pi-gy521`.
  public var name: String { file.replacing(".yaml", with: "") }

  /// Each file of `boards` that is built in, in the order of their names.
  public static let all = [
    ("raspberry-pi-10dof.yaml", PackageResources.raspberry_pi_10dof_yaml),
    ("raspberry-pi-adafruit-4517.yaml", PackageResources.raspberry_pi_adafruit_4517_yaml),
    ("raspberry-pi-adafruit-4554.yaml", PackageResources.raspberry_pi_adafruit_4554_yaml),
    ("raspberry-pi-adafruit-5543.yaml", PackageResources.raspberry_pi_adafruit_5543_yaml),
    ("raspberry-pi-bmi160-spi.yaml", PackageResources.raspberry_pi_bmi160_spi_yaml),
    ("raspberry-pi-bmp280.yaml", PackageResources.raspberry_pi_bmp280_yaml),
    ("raspberry-pi-gy271.yaml", PackageResources.raspberry_pi_gy271_yaml),
    ("raspberry-pi-gy521.yaml", PackageResources.raspberry_pi_gy521_yaml),
    ("raspberry-pi-gy87.yaml", PackageResources.raspberry_pi_gy87_yaml),
    ("raspberry-pi-gy9250.yaml", PackageResources.raspberry_pi_gy9250_yaml),
    ("raspberry-pi-icm42688p-spi.yaml", PackageResources.raspberry_pi_icm42688p_spi_yaml),
    ("raspberry-pi-minimu9-v5.yaml", PackageResources.raspberry_pi_minimu9_v5_yaml),
    ("raspberry-pi-sense-hat-v2.yaml", PackageResources.raspberry_pi_sense_hat_v2_yaml),
    ("raspberry-pi-sense-hat.yaml", PackageResources.raspberry_pi_sense_hat_yaml),
    ("raspberry-pi-vcnl4040.yaml", PackageResources.raspberry_pi_vcnl4040_yaml),
    ("simulated-all.yaml", PackageResources.simulated_all_yaml),
    ("simulated.yaml", PackageResources.simulated_yaml),
  ].map { ShippedBoard($0, String(decoding: $1, as: UTF8.self)) }

  /// The board without hardware that stands in where no chip is found.
  public static let simulated = ShippedBoard(
    "simulated.yaml", String(decoding: PackageResources.simulated_yaml, as: UTF8.self))

  /// The board of that name; `nil` for a path.
  public static func named(_ name: String) -> ShippedBoard? { all.first { $0.name == name } }
}
