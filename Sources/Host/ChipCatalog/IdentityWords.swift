// SPDX-License-Identifier: Apache-2.0

extension UInt8 {
  /// True for the bytes that a host reads while no chip drives the data line: on SPI, which has no
  /// acknowledgement, or from a chip that acknowledges its I2C address but sends no data.
  public var isNoIdentity: Bool { self == 0x00 || self == 0xFF }
}

extension IdentityDescription {
  /// Returns why `byte` in the identity register cannot be an identity, with advice; `nil` if the
  /// byte can be an identity.
  public static func fault(reading byte: UInt8) -> (reason: String, steps: [String])? {
    switch byte {
    case 0xFF:
      (
        "it acknowledges its address, but does not drive the data line: no chip's identity is 0xFF",
        [
          "switch the power off and on: a chip that hangs, or is held in reset, does so",
          "check the module's supply, and pins that choose the interface or hold it in reset",
          "check that no second chip has the same address",
        ]
      )
    case 0x00:
      (
        "it acknowledges its address, but the data line stays low: no chip's identity is 0x00",
        [
          "switch the power off and on: a chip that is resetting, asleep or hangs does so",
          "unplug the other modules: one of them may hold SDA low, or have the same address",
          "check the pull-ups: SDA and SCL idle at 3.3 V",
        ]
      )
    default: nil
    }
  }
}

extension ChipCatalog {
  /// Returns the name of the part with `identity` in `register`, in any family; `nil` if the part
  /// is unknown. With `address`, unsupported parts at that address are included.
  public static func part(register: UInt8, holds identity: UInt8, at address: UInt8?) -> String? {
    let sameRegister = descriptions.filter { $0.identity.register == register }
    let own = sameRegister.first {
      $0.identity.supported.contains(identity) && $0.identity.parts[identity] != nil
    }
    if let part = (own ?? sameRegister.first { $0.identity.parts[identity] != nil })?
      .identity.parts[identity]
    {
      return part
    }
    return address.flatMap { KnownChips.chip(at: $0, register: register, value: identity)?.title }
  }
}
