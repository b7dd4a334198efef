// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Quantities
import Registers
import Sensors

extension Rig {
  /// Creates a rig with a part of the family on a wire.
  static func mpu6050(_ identity: UInt8 = 0x68, isSPI: Bool = false, clockError: Double = 0) -> Rig
  {
    let rig = Rig(at: 0x68, WireFormat(), isSPI: isSPI) {
      MPU6050Model($0, identity: identity, clockError: clockError)
    }
    rig.world.held = .inertial(Vector3(0.5, -1, 1), Vector3(1, -2, 3), temperature: 25)
    return rig
  }
}
