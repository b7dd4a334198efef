// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

// The AK09916 inside.
extension ICM20948Chip: NineAxisChip {
  public static func magnetometer(of codes: ICM20948Configuration) -> AK8963Configuration? {
    codes.magnetometer
  }

  /// Its y and z point the other way (DS-000189, section 5.1, figures 12 and 13; TDK's driver).
  public static func turned(_ field: Vector3) -> Vector3 { Vector3(field.x, -field.y, -field.z) }

  public static func begin<Bus: RegisterBus & ~Copyable>(
    _ transfer: AuxiliaryTransfer, of driver: inout RegisterDriver<Self, Bus>
  ) throws(ChipError) {
    let map = ICM20948Map()
    try driver.bus.set(map.slave4Address) {
      $0.isRead(transfer.value == nil) | $0.address(AK8963Configuration.auxiliaryAddress)
    }
    try driver.bus.set(map.slave4Register) { $0.value(transfer.register) }
    try driver.bus.set(map.slave4Out) { $0.value(transfer.value ?? 0) }
    try driver.bus.set(map.slave4Control) { $0.enable(true) }
  }

  public static func status<Bus: RegisterBus & ~Copyable>(
    of driver: inout RegisterDriver<Self, Bus>
  ) throws(ChipError) -> Contents<MPU6050Map.AuxiliaryStatus> {
    try driver.bus.read(ICM20948Map().auxiliaryStatus)
  }

  public static func answer<Bus: RegisterBus & ~Copyable>(
    of driver: inout RegisterDriver<Self, Bus>
  ) throws(ChipError) -> UInt8 { try driver.bus.read(ICM20948Map().slave4In).raw }
}
