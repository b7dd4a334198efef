// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Registers
internal import Sensors

/// A byte that a chip's auxiliary master reads from the magnetometer or writes to it.
public struct AuxiliaryTransfer: Equatable, Sendable {
  public var register: UInt8
  /// The byte to write to the magnetometer's register; `nil` to read the register.
  public var value: UInt8?
  /// The byte that a read of the magnetometer's register must return; `nil` if any byte is valid.
  public var expected: UInt8?
}

// Access to the magnetometer through an IMU's auxiliary master.
extension AK8963Configuration {
  /// The I2C address of both parts inside an IMU (DS-000189 section 4.10; PS-MPU-9250A-01 section
  /// 7.5 with CAD0 and CAD1 low).
  public static var auxiliaryAddress: UInt8 { 0x0C }

  /// Returns the transfer at `index` of the magnetometer's start sequence, from power-up to
  /// continuous measurement; `nil` after the last transfer. The order is the same as in
  /// `AK8963Chip.start`.
  public func auxiliaryTransfer(_ index: Int) -> AuxiliaryTransfer? {
    let map = AK8963Map()
    let isFirst = part == .ak8963
    switch index {
    case 0:
      return AuxiliaryTransfer(
        register: isFirst ? map.whoAmI.address : AK09916Map().whoAmI.address,
        expected: part.rawValue)
    case 1:
      return AuxiliaryTransfer(
        register: isFirst ? map.control2.address : AK09916Map().control3.address, value: 1)
    case 2 where isFirst:
      return AuxiliaryTransfer(
        register: map.control1.address, value: AK8963Map.Mode.fuseROM.fieldBits)
    case 3...5 where isFirst:
      return AuxiliaryTransfer(register: map.adjustX.address + UInt8(index - 3))
    case 6 where isFirst:
      return AuxiliaryTransfer(
        register: map.control1.address, value: AK8963Map.Mode.powerDown.fieldBits)
    case 7 where isFirst, 2 where !isFirst:
      return AuxiliaryTransfer(register: mode.address, value: mode.value)
    default: return nil
    }
  }

}

extension AK8963Part {
  /// The first of the registers, from ST1 to ST2, that the auxiliary master reads with each sample
  /// of the IMU.
  public var auxiliaryRegister: UInt8 {
    self == .ak8963 ? AK8963Map().status1.address : AK09916Map().status1.address
  }

  /// The number of bytes in the magnetometer's registers from ST1 to ST2.
  public var auxiliaryBytes: Int { self == .ak8963 ? 8 : 9 }
}

extension AK8963Rate {
  /// Creates the code for the output rate of a magnetometer that is read `rate` times a second: the
  /// fastest output rate at which no samples are lost, or else the slowest output rate.
  init(of part: AK8963Part, behind rate: Scalar) {
    self = part == .ak8963 ? .hz8 : .hz10
    for next in Self.allCases
    where next.isOf(part) && next.hertz <= rate * 1.001 && next.hertz > hertz { self = next }
  }
}
