// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Registers
internal import Sensors

/// A byte that the master of a chip's auxiliary bus reads or writes.
public struct AuxiliaryTransfer: Equatable, Sendable {
  public var register: UInt8
  /// The byte to write; `nil`: the register is read.
  public var value: UInt8?
  /// The byte that must be read; `nil`: any.
  public var expected: UInt8?
}

// The family behind the master of an IMU's auxiliary bus.
extension AK8963Configuration {
  /// The address of both inside an IMU (DS-000189 section 4.10; PS-MPU-9250A-01 section 7.5 has it
  /// with CAD0 and CAD1 low).
  public static var auxiliaryAddress: UInt8 { 0x0C }

  /// Returns transfer `index` of those that lead from power-up to a chip that measures; `nil` past
  /// the last. As `AK8963Chip.start`.
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
  /// From the first status to the second: what the master reads with each sample of its own chip.
  public var auxiliaryRegister: UInt8 {
    self == .ak8963 ? AK8963Map().status1.address : AK09916Map().status1.address
  }

  /// The number of those bytes.
  public var auxiliaryBytes: Int { self == .ak8963 ? 8 : 9 }
}

extension AK8963Rate {
  /// The fastest that a chip which reads it `rate` times a second can follow, else the slowest.
  init(of part: AK8963Part, behind rate: Scalar) {
    self = part == .ak8963 ? .hz8 : .hz10
    for next in Self.allCases
    where next.isOf(part) && next.hertz <= rate * 1.001 && next.hertz > hertz { self = next }
  }
}
