// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

// The AK8963 inside an MPU-9250.
extension MPU6050Chip: NineAxisChip {
  public static func magnetometer(of codes: MPU6050Configuration) -> AK8963Configuration? {
    codes.magnetometer
  }

  /// Its x is the chip's y, its y the chip's x, and its z points the other way (PS-MPU-9250A-01,
  /// section 9.1).
  public static func turned(_ field: Vector3) -> Vector3 { Vector3(field.y, field.x, -field.z) }

  public static func begin<Bus: RegisterBus & ~Copyable>(
    _ transfer: AuxiliaryTransfer, of driver: inout MPU6050<Bus>
  ) throws(ChipError) {
    let map = MPU6050Map()
    try driver.bus.write(driver.userControl(queue: false))
    try driver.bus.set(map.slave4Address) {
      $0.isRead(transfer.value == nil) | $0.address(AK8963Configuration.auxiliaryAddress)
    }
    try driver.bus.set(map.slave4Register) { $0.value(transfer.register) }
    try driver.bus.set(map.slave4Out) { $0.value(transfer.value ?? 0) }
    try driver.bus.set(map.slave4Control) { $0.enable(true) }
  }

  public static func status<Bus: RegisterBus & ~Copyable>(of driver: inout MPU6050<Bus>)
    throws(ChipError) -> Contents<MPU6050Map.AuxiliaryStatus>
  { try driver.bus.read(MPU6050Map().auxiliaryStatus) }

  public static func answer<Bus: RegisterBus & ~Copyable>(of driver: inout MPU6050<Bus>)
    throws(ChipError) -> UInt8
  { try driver.bus.read(MPU6050Map().slave4In).raw }
}
