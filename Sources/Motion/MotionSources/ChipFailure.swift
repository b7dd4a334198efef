// SPDX-License-Identifier: Apache-2.0
internal import Runtime
internal import BusTraces
public import Boards
internal import ChipCatalog
public import Registers
internal import Sensors

extension ChipPlacement {
  /// Returns a one-sentence message for users: the meaning of `error` for this chip on its bus, and
  /// the first thing to check.
  public func sentence(for error: ChipError, on bus: BusDescription?) -> String {
    if let kernelSensor { return "\(name): " + kernelSensor.sentence(for: error) }
    let path =
      bus?.path ?? bus.map { "\($0.isTrace ? "recorded" : "simulated") bus \($0.name)" } ?? self.bus
    let place = address.map { "0x" + hexadecimal($0) + " on \(path)" } ?? path
    let entry = ChipCatalog.entry(named: chip)?.description
    let title = entry?.title ?? chip
    switch error {
    case .bus(let error, let register):
      return "\(name): " + sentence(for: error, at: place, register, entry)
    case .identity(let found, let register) where address != nil && found.isNoIdentity:
      let fault = IdentityDescription.fault(reading: found)
      return
        "\(name): register 0x\(hexadecimal(register)) at \(place) reads 0x\(hexadecimal(found)): "
        + [fault?.reason, fault?.steps.first].compactMap { $0 }.joined(separator: "; ")
    case .identity(let found, let register):
      let known =
        ChipCatalog.part(register: register, holds: found, at: address)
        .map { ", the identity of \($0)" } ?? ""
      if let original = entry?.identity.copies[found] {
        return
          "\(name): register 0x\(hexadecimal(register)) at \(place) holds 0x\(hexadecimal(found))\(known): "
          + "it needs 'treat-as: \"\(original)\"' in the board file"
      }
      // SPI has no acknowledgement, so a missing chip reads as all zeros or all ones.
      let step =
        address == nil
        ? "wiring and power, the board file's chip and chip select"
        : "board file's chip and address"
      return
        "\(name): register 0x\(hexadecimal(register)) at \(place) holds 0x\(hexadecimal(found))"
        + "\(known); \(title) was expected: check the \(step)"
    case .resetTimedOut:
      return "\(name): \(title) at \(place) does not complete its reset: check its supply"
    case .rejected(let register, _, _) where isOfAnother(register),
      .unexpected(let register, _, _) where isOfAnother(register):
      return
        "\(name): the chip at \(place) identifies as another part than the \(title) of the board "
        + "file, and does not keep register 0x\(hexadecimal(register)) as that one would: see what "
        + "it is with 'otolith bringup'; a copy of a \(title) needs 'treat-as: \"\(chip)\"'"
    case .rejected(let register, let wrote, let readBack):
      return "\(name): register 0x\(hexadecimal(register)) at \(place) was set to "
        + "0x\(hexadecimal(wrote)) and holds 0x\(hexadecimal(readBack)): \(error.lostPower)"
    case .unexpected(let register, let wanted, let found):
      return "\(name): register 0x\(hexadecimal(register)) at \(place) holds "
        + "0x\(hexadecimal(found)) and not 0x\(hexadecimal(wanted)): \(error.unexpectedState)"
    case .rejectedWord(let word):
      let row = ChipCatalog.entry(named: chip)?.registers().first { $0.place == word.place }
      let label = row?.label ?? "\(word.place.bank):0x\(hexadecimal(word.place.register))"
      let text = { (value: UInt16) in
        row?.text(value)
          ?? "0x" + hexadecimal(UInt8(value >> 8)) + hexadecimal(UInt8(truncatingIfNeeded: value))
      }
      return "\(name): register \(label) at \(place) was set to \(text(word.wrote)) and holds "
        + "\(text(word.readBack)): \(error.lostPower)"
    case .unsupportedSetting where settings.usesMagnetometer:
      return
        "\(name): no magnetometer answers inside the \(title) at \(place): many are sold that have none; "
        + "remove 'magnetometer' from the board file"
    case .unsupportedSetting:
      return "\(name): \(title) does not support this rate, range or read mode"
    case .firmware:
      let firmware = entry?.firmware
      return
        "\(name): the \(title) at \(place) has no firmware that it accepts: save the "
        + "\(firmware?.size ?? 0) bytes of \(firmware?.source ?? "its manufacturer's firmware") as "
        + "/lib/firmware/\(firmware?.file ?? ""), or name the file by 'firmware' in the board file"
    }
  }

  /// Returns true if the part in the board file lacks the register. The chip is then another part
  /// of the family, because the driver chooses registers by the identity that it read.
  private func isOfAnother(_ register: UInt8) -> Bool {
    guard let entry = ChipCatalog.entry(named: chip) else { return false }
    return !entry.registers().contains { $0.place == FlatAddress(register) }
  }

  private func sentence(
    for error: BusError, at place: String, _ register: UInt8, _ entry: ChipDescription?
  ) -> String {
    switch error {
    case .noAcknowledge:
      let others = (entry?.addresses ?? []).filter { $0 != address }
        .map { "0x" + hexadecimal($0) + "?" }.joined(separator: " ")
      return "no answer at \(place): check the address strap"
        + (others.isEmpty ? "" : " (\(others))") + ", power, SDA and SCL, pull-ups"
    case .timeout: return "\(place) \(error)"
    case .arbitrationLost, .adapterGone, .busy, .unsupported, .tooLong:
      return "\(place): \(error)"
    case ChipTrace.notInTrace:
      return "\(place): the trace has no more of register 0x\(hexadecimal(register)) to play"
    case .system(let errno):
      return "\(place): transfer at register 0x\(hexadecimal(register)) failed with errno \(errno)"
    }
  }
}
