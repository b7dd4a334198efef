// SPDX-License-Identifier: Apache-2.0

/// A file of the folder `boards`, embedded in the program.
package struct ShippedFile: Sendable {
  /// The name of the file in the folder `boards`.
  package let name: String
  package let bytes: [UInt8]

  private init(_ name: String, _ bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  /// The board files, in the order of their names.
  package static let boards = [
    ("raspberry-pi-10dof.yaml", PackageResources.raspberry_pi_10dof_yaml),
    ("raspberry-pi-adafruit-4517.yaml", PackageResources.raspberry_pi_adafruit_4517_yaml),
    ("raspberry-pi-adafruit-4554.yaml", PackageResources.raspberry_pi_adafruit_4554_yaml),
    ("raspberry-pi-adafruit-5543.yaml", PackageResources.raspberry_pi_adafruit_5543_yaml),
    ("raspberry-pi-bmi160-spi.yaml", PackageResources.raspberry_pi_bmi160_spi_yaml),
    ("raspberry-pi-bmi270.yaml", PackageResources.raspberry_pi_bmi270_yaml),
    ("raspberry-pi-bmp280.yaml", PackageResources.raspberry_pi_bmp280_yaml),
    ("raspberry-pi-bmp581.yaml", PackageResources.raspberry_pi_bmp581_yaml),
    ("raspberry-pi-gy271.yaml", PackageResources.raspberry_pi_gy271_yaml),
    ("raspberry-pi-gy521.yaml", PackageResources.raspberry_pi_gy521_yaml),
    ("raspberry-pi-gy87.yaml", PackageResources.raspberry_pi_gy87_yaml),
    ("raspberry-pi-gy9250.yaml", PackageResources.raspberry_pi_gy9250_yaml),
    ("raspberry-pi-icm42688p-spi.yaml", PackageResources.raspberry_pi_icm42688p_spi_yaml),
    ("raspberry-pi-icm45686.yaml", PackageResources.raspberry_pi_icm45686_yaml),
    ("raspberry-pi-lis2mdl.yaml", PackageResources.raspberry_pi_lis2mdl_yaml),
    ("raspberry-pi-m5stack-imu.yaml", PackageResources.raspberry_pi_m5stack_imu_yaml),
    ("raspberry-pi-minimu9-v5.yaml", PackageResources.raspberry_pi_minimu9_v5_yaml),
    ("raspberry-pi-qmi8658.yaml", PackageResources.raspberry_pi_qmi8658_yaml),
    ("raspberry-pi-sense-hat-v2.yaml", PackageResources.raspberry_pi_sense_hat_v2_yaml),
    ("raspberry-pi-sense-hat.yaml", PackageResources.raspberry_pi_sense_hat_yaml),
    ("raspberry-pi-sparkfun-21325.yaml", PackageResources.raspberry_pi_sparkfun_21325_yaml),
    ("raspberry-pi-vcnl4040.yaml", PackageResources.raspberry_pi_vcnl4040_yaml),
    ("simulated-all.yaml", PackageResources.simulated_all_yaml),
    ("simulated.yaml", PackageResources.simulated_yaml),
  ].map { ShippedFile($0, $1) }

  package static let simulatedBoard = ShippedFile("simulated.yaml", PackageResources.simulated_yaml)
}
