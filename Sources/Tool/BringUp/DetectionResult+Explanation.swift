// SPDX-License-Identifier: Apache-2.0
internal import Boards
package import MotionSources
internal import ChipCatalog
internal import KernelSensors
internal import LinuxBus
internal import Quantities
internal import Recordings
internal import Registers

extension DetectionResult {
  /// The detection result as text: each bus and each address that responds, the possible chips, the
  /// chosen chip with the reason for the choice, and what to change in the wiring or the file.
  package var explanation: [String] {
    var lines: [String] = []
    if let hat {
      lines.append(
        "HAT: '\(hat)', "
          + (hatBoard.map { "board \($0.shipped.name)" }
            ?? "for which no board file comes with otolith"))
    }
    for bus in buses where !unopened.contains(where: { $0.path == bus }) {
      lines.append(header(bus))
      let here = findings.filter { $0.bus == bus }
      if !here.isEmpty, here.allSatisfy({ $0.error == .timeout }) {
        lines.append(
          "  every transfer times out: SDA or SCL is held low, or a chip holds the clock")
        continue
      }
      var places: [UInt8?] = []
      for finding in findings where finding.bus == bus && !places.contains(finding.address) {
        places.append(finding.address)
      }
      for place in places {
        if known.contains(where: { $0.bus == bus && $0.address == place }) { continue }
        lines += Self.explain(findings.filter { $0.bus == bus && $0.address == place })
      }
      let known = known.filter { $0.bus == bus }
      for finding in known { lines += Self.explain(finding) }
      for address in strangers[bus] ?? [] { lines.append(Self.explainStranger(address)) }
      if places.isEmpty, known.isEmpty, strangers[bus] == nil {
        lines.append("  nothing answers: check power, wiring and, on I2C, pull-ups")
      }
    }
    return lines + kernelLines
  }

  /// The sensors that drivers of the kernel read, and what they offer.
  private var kernelLines: [String] {
    guard !kernelSensors.isEmpty else { return [] }
    let isUsed = chips.isEmpty
    return ["the kernel's own sensors:"]
      + kernelSensors.flatMap { sensor in
        let isUnique = kernelSensors.count { $0.isCalled(sensor.name) } == 1
        let name = ControlCharacters.visible(isUnique ? sensor.name : sensor.place)
        let use =
          !usableKernelSensors.contains(sensor)
          ? "not used" : isUsed ? "used as 'iio: \(name)'" : "a board file names it 'iio: \(name)'"
        return ["  \(name): \(sensor.quantities); \(use)", "    \(sensor.place)"]
          + (sensor.obstacle.map { ["    \($0)"] } ?? [])
      }
  }

  /// Returns the heading of a bus: its clock, or the setting that determines it.
  private func header(_ bus: String) -> String {
    let isI2C = findings.contains { $0.bus == bus && $0.address != nil } || bus.contains("i2c")
    guard isI2C else { return "\(bus):" }
    if let clock = clocks[bus] { return "\(bus), \(clock / 1000) kHz:" }
    // Source: Raspberry Pi firmware, overlays/README; i2c_arm is bus 1, i2c_vc bus 0.
    let parameter = bus.hasSuffix("-0") ? "i2c_vc_baudrate" : "i2c_arm_baudrate"
    return
      "\(bus), clock unknown (on a Raspberry Pi dtparam=\(parameter)=400000 in config.txt sets it):"
  }

  /// Explains the response of one address, with every chip that is possible.
  private static func explain(_ findings: [ChipFinding]) -> [String] {
    guard let first = findings.first else { return [] }
    let place = first.address.map { "  0x" + hexadecimal($0) } ?? "  this chip select"
    if let owner = first.owner {
      return [
        "\(place): taken by the kernel's driver \(owner)",
        "    to use otolith instead: \(unbinding(first, owner))",
      ]
    }
    if let half = findings.first(where: { $0.wholeChip != nil }), let chip = half.wholeChip {
      return [
        "\(place): one half of the \(chip.title), not supported yet (a \(half.candidate.title) reports "
          + "0x\(hexadecimal(half.identity ?? 0)) in register "
          + "0x\(hexadecimal(half.candidate.identity.register)) as well)"
      ]
    }
    if let chip = findings.first(where: \.isSupported) {
      return ["\(place): \(reason(chip)), used as \(chip.candidate.name)"] + others(chip, findings)
    }
    return explainUnknown(place, findings)
  }

  /// Explains a chip that otolith knows but does not support.
  private static func explain(_ finding: KnownFinding) -> [String] {
    [
      "  0x\(hexadecimal(finding.address)): \(finding.chip.title), for register "
        + "0x\(hexadecimal(finding.register)) holds 0x\(hexadecimal(finding.identity)); not supported yet",
      "    \(finding.chip.summary); \(finding.chip.instead)",
    ]
  }

  private static func explainStranger(_ address: UInt8) -> String {
    let start = "  0x\(hexadecimal(address)): answers; "
    let silent = KnownChips.identities(at: address).filter { $0.identity.register == nil }
    guard let chip = silent.first?.chip else {
      return start + "no chip that otolith drives has this address"
    }
    return start + "a \(chip.title) has this address, and is not supported yet: \(chip.instead)"
  }

  private static func unbinding(_ finding: ChipFinding, _ owner: String) -> String {
    guard let address = finding.address, let number = finding.bus.split(separator: "-").last else {
      return "unbind it"
    }
    return
      "echo \(number)-00\(hexadecimal(address).lowercased()) | sudo tee /sys/bus/i2c/drivers/\(owner)/unbind"
  }

  /// Returns a message with the value of the identity register, and the part that has it.
  private static func reason(_ finding: ChipFinding) -> String {
    let identity = finding.identity ?? 0
    let part = finding.candidate.identity.parts[identity] ?? "an unknown part"
    return
      "\(part), for register 0x\(hexadecimal(finding.candidate.identity.register)) holds 0x\(hexadecimal(identity))"
  }

  /// Returns the reason why the other chip families at this address are excluded, and the addresses
  /// that the address pin can select.
  private static func others(_ chip: ChipFinding, _ findings: [ChipFinding]) -> [String] {
    var lines: [String] = []
    var families = [chip.candidate.family]
    for other in findings where !families.contains(other.candidate.family) {
      families.append(other.candidate.family)
      let register = other.candidate.identity.register
      if other.isSupported {
        lines.append(
          "    it also answers like \(other.candidate.name) (0x\(hexadecimal(other.identity ?? 0)) in register "
            + "0x\(hexadecimal(register))): two chips at one address? change one's strap")
      } else if register != chip.candidate.identity.register, let identity = other.identity {
        lines.append(
          "    no \(other.candidate.title): register 0x\(hexadecimal(register)) holds 0x\(hexadecimal(identity))"
        )
      }
    }
    if let address = chip.address {
      let straps = chip.candidate.addresses.filter { $0 != address }.map { "0x" + hexadecimal($0) }
      if !straps.isEmpty {
        lines.append("    its strap can also select \(straps.joined(separator: " or "))")
      }
    }
    return lines
  }

  /// Returns the title with its spoken article, such as "an ICM-20948" or "a BMI160".
  private static func article(_ title: String) -> String {
    (title.first.map { "AEFHILMNORSX".contains($0) } ?? false ? "an " : "a ") + title
  }

  private static func explainUnknown(_ place: String, _ findings: [ChipFinding]) -> [String] {
    var lines: [String] = []
    var registers: [UInt8] = []
    if let left = findings.first(where: { $0.bank != nil }), let bank = left.bank {
      return [
        "\(place): perhaps \(article(left.candidate.title)) that another program left with its bank \(bank) shown: "
          + "register 0x\(hexadecimal(left.candidate.identity.register)) holds "
          + "0x\(hexadecimal(left.identity ?? 0)) there, and its identity is in bank 0",
        "    otolith run and otolith bringup select it; a board file may say chip: \"\(left.candidate.name)\"",
      ]
    }
    for finding in findings where !registers.contains(finding.candidate.identity.register) {
      registers.append(finding.candidate.identity.register)
      guard let identity = finding.identity else {
        lines.append(
          "\(place): answers, but register 0x\(hexadecimal(finding.candidate.identity.register)) could not be read "
            + "(\(finding.error.map { "\($0)" } ?? "no answer"))")
        continue
      }
      // 0x00 and 0xFF are not identities: all bits are equal if no chip drives the line.
      if identity == 0x00 || identity == 0xFF { continue }
      let known =
        finding.candidate.identity.parts[identity]
        ?? ChipCatalog.part(
          register: finding.candidate.identity.register, holds: identity, at: finding.address)
      if let original = findings.lazy.compactMap({ $0.candidate.identity.copies[identity] }).first {
        lines.append(
          "\(place): register 0x\(hexadecimal(finding.candidate.identity.register)) holds "
            + "0x\(hexadecimal(identity)), the identity of \(known ?? "a copy"): a board file may "
            + "say chip: \"\(original)\" and treat-as: \"\(original)\"")
        continue
      }
      lines.append(
        "\(place): register 0x\(hexadecimal(finding.candidate.identity.register)) holds 0x\(hexadecimal(identity)), "
          + (known.map { "the identity of \($0): not supported" } ?? "the identity of no known "
            + "part"))
      if known == nil {
        lines.append(
          "    nearest is \(finding.candidate.title), which has this register; if it is a clone of one, a board file may say "
            + "chip: \"\(finding.candidate.name)\" and treat-as: \"\(finding.candidate.name)\"")
      }
    }
    if lines.isEmpty {
      lines.append(
        "\(place): answers, and its identity registers hold 0x00 or 0xFF, which is not a chip's "
          + "identity: the chip is asleep or resetting, or two chips answer; switch the power off "
          + "and on"
      )
    }
    return lines
  }
}

extension KernelSensor {
  /// The quantities with their ranges, the rates, and what is known of the mounting.
  fileprivate var quantities: String {
    var parts = Channel.allCases.filter(measures.contains).map { channel in
      let factor = channel == .rotationRate ? 180 / Double.pi : 1
      let unit = channel == .rotationRate ? "degrees/s" : "\(channel.row.unitWords)"
      // The kernel's scales have few digits, so that 250 degrees/s may be 249.8.
      let offered = (ranges[channel] ?? []).map { range in
        let value = range.range * factor
        let step = value < 100 ? 1.0 : 5
        return "\(Int(saturating: (value / step).rounded() * step))"
      }
      return "\(channel.row.words)"
        + (offered.isEmpty ? "" : " to \(offered.joined(separator: ", ")) \(unit)")
    }
    if let fastest = rates.first, let slowest = rates.last {
      parts.append(fastest == slowest ? "\(fastest) Hz" : "\(slowest) to \(fastest) Hz")
    }
    parts.append(node == nil ? "polled, as it has no buffer" : "through its buffer")
    if mounting != nil { parts.append("its mounting is known") }
    return parts.joined(separator: ", ")
  }

  /// The reason why the sensor cannot be opened, and what to do; `nil` if it can.
  fileprivate var obstacle: String? {
    do throws(OpenError) {
      _ = try KernelSensorDriver(self)
      return nil
    } catch { return "\(error)" }
  }
}
