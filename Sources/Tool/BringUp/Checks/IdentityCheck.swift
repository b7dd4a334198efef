// SPDX-License-Identifier: Apache-2.0
package import Boards
internal import ChipCatalog
internal import Registers
package import MotionSources
internal import Runtime

/// A check of a chip's identity. If the identity is wrong, the check searches for the chip at other
/// addresses, and for the part that is in the chip's place.
package enum IdentityCheck {
  /// A different part in place of the expected one, or the expected part at another address.
  package struct Relative: Equatable, Codable, Sendable {
    package var address: UInt8?
    package var identity: UInt8
    package var part: String?
  }

  /// The result of the identity check for one chip.
  package struct Result: CheckResult {
    /// The chip's name in the board file, and the catalogue's name for the expected part.
    package var chip: String
    package var type: String
    package var bus: String
    package var address: UInt8?
    package var register: UInt8
    /// The value of the identity register; `nil` if every read failed.
    package var identity: UInt8?
    /// The name of the part with this identity; `nil` if unknown.
    package var part: String?
    package var isRight: Bool
    /// The error of the reads; `nil` if the identity was read.
    package var failure: String?
    /// The reason why the check was skipped; `nil` if it ran.
    package var skipped: String?
    package var elsewhere: [Relative] = []
    package var findings: [Finding] = []
  }

  /// Checks the identity of `chip`, using `probe` for other addresses on its bus. `scan` is the
  /// result of the address check: if the bus is dead, the finding concerns the bus, not the chip.
  package static func run(
    _ chip: ExaminedChip, on probe: BusProbe, of board: Board, scan: AddressCheck.Result? = nil
  ) -> Result {
    let entry = chip.entry.description
    var result = Result(
      chip: chip.placement.name, type: entry.name, bus: chip.bus.name,
      address: chip.placement.address, register: entry.identity.register, isRight: false)
    var seen: [UInt8: Int] = [:]
    var failure: BusError?
    // Read the identity several times, so that a flipped bit or a missing acknowledgement does not
    // misidentify the chip.
    for attempt in 0..<5 where attempt < 3 || seen.count != 1 {
      do throws(BusError) { seen[try chip.identity(), default: 0] += 1 } catch { failure = error }
      if failure == .timeout, attempt > 0, seen.isEmpty { break }
    }
    result.identity = seen.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    guard let identity = result.identity else {
      result.failure = failure?.word
      if let host = chip.placement.behind {
        result.skipped = "sits behind '\(host)' and answers only while that runs"
      } else {
        search(chip, probe, board, scan, failure ?? .noAcknowledge, &result)
      }
      return result
    }
    result.part =
      entry.identity.parts[identity]
      ?? ChipCatalog.part(
        register: entry.identity.register, holds: identity, at: chip.placement.address)
    if chip.isKnown(identity) {
      result.isRight = true
    } else if chip.bus.wire == .spi, identity.isNoIdentity {
      explainSilence(chip, probe, identity, &result)
    } else if let fault = IdentityDescription.fault(reading: identity), result.part == nil {
      result.findings.append(
        Finding(
          .noAnswer, of: chip.placement.name,
          "register \(entry.identity.register.hexadecimal) at \(chip.place) reads "
            + identity.hexadecimal, explanation: fault.reason, steps: fault.steps))
    } else {
      explain(chip, probe, identity, &result)
    }
    return result
  }

  // MARK: Silence

  private static func search(
    _ chip: ExaminedChip, _ probe: BusProbe, _ board: Board, _ scan: AddressCheck.Result?,
    _ error: BusError, _ result: inout Result
  ) {
    if scan?.isBusDead == true { return }
    let name = chip.placement.name
    if error == .timeout {
      // If another address responds, the bus works, so only this chip fails to complete its
      // transfers.
      if let other = scan?.answering.first(where: { $0 != chip.placement.address }) {
        result.findings.append(
          Finding(
            .noAnswer, of: name,
            "each transfer at \(chip.place) times out, and \(other.hexadecimal) answers",
            explanation:
              "the bus works, but this chip does not complete a transfer: it stretches the clock, "
              + "or hangs",
            steps: [
              "switch its power off and on; a reset by register cannot reach it",
              "try a slower bus, and shorter wires to this module",
              "unplug it: where the rest of the bus goes on, replace it",
            ]))
        return
      }
      result.findings.append(
        Finding(.stuckBus, of: chip.bus.name, "each transfer at \(chip.place) times out"))
      return
    }
    let entry = chip.entry.description
    let taken = board.chips(on: chip.bus.name).compactMap(\.address)
    for address in entry.addresses where !taken.contains(address) && chip.bus.wire == .i2c {
      let read = (0..<3).lazy.map { _ in
        probe.read(entry.identity.register, address, entry.wireFormat)
      }
      guard case .success(let identity)? = read.first(where: { (try? $0.get()) != nil }) else {
        continue
      }
      result.elsewhere.append(
        Relative(address: address, identity: identity, part: entry.identity.parts[identity]))
    }
    if let found = result.elsewhere.first(where: { isFamily($0.identity, chip) }),
      let address = found.address, let own = chip.placement.address, let strap = entry.strap
    {
      let level = entry.addresses.last == address ? "high" : "low"
      result.findings.append(
        Finding(
          .wrongAddress, of: name,
          "no answer at \(own.hexadecimal), but \(found.part ?? entry.title) at "
            + "\(address.hexadecimal) on \(chip.bus.path ?? chip.bus.name)",
          explanation:
            "the chip's address strap \(strap) is \(level), which selects \(address.hexadecimal)",
          steps: [
            "write 'address: \(address.hexadecimal)' for '\(name)' into \(board.file)",
            "or tie \(strap) \(level == "high" ? "low (ground)" : "high (supply)")",
          ]))
      return
    }
    let scan = scan ?? AddressCheck.run(probe, name: chip.bus.name)
    if scan.isBusDead {
      result.findings += scan.findings
      return
    }
    let others = scan.answering.filter { !taken.contains($0) }.map(\.hexadecimal)
    result.findings.append(
      Finding(
        .noAnswer, of: name,
        "no answer at \(chip.place)"
          + (others.isEmpty
            ? ""
            : "; on that bus \(others.joined(separator: ", ")) "
              + "\(others.count == 1 ? "answers" : "answer"), which the board file has not")
      ))
  }

  /// Explains why a chip on SPI does not respond: MISO is not driven, or no chip is selected.
  private static func explainSilence(
    _ chip: ExaminedChip, _ probe: BusProbe, _ identity: UInt8, _ result: inout Result
  ) {
    let entry = chip.entry.description
    let evidence =
      "every read of \(chip.place) gives \(identity.hexadecimal): "
      + (identity == 0 ? "MISO stays low" : "MISO stays high")
    if case .spi(_, let mode, let speed) = chip.bus.connection,
      case .success(let other) = probe.read(entry.identity.register, 0, entry.wireFormat),
      isFamily(other, chip)
    {
      result.findings.append(
        Finding(
          .unreliableBus, of: chip.bus.name,
          evidence + "; at 1 MHz in mode 3 it answers \(other.hexadecimal)",
          explanation: "mode \(mode) at \(speed) Hz is not what reaches the chip",
          steps: [
            "write 'mode: 3' and 'speed-hz: 1000000' for '\(chip.bus.name)' into the board file"
          ]
        ))
      return
    }
    result.findings.append(
      Finding(
        .noAnswer, of: chip.placement.name, evidence,
        explanation:
          "no chip answers on SPI: MISO or chip select is not connected, or the chip has no power",
        steps: [
          "check MISO (the chip's SDO), MOSI (SDI), SCLK and chip select, each on its own",
          "check that the chip select is that of the board file's device node",
          "check the mode (0 or 3), and pins that choose the interface",
        ]))
  }

  // MARK: Another part

  private static func explain(
    _ chip: ExaminedChip, _ probe: BusProbe, _ identity: UInt8, _ result: inout Result
  ) {
    let entry = chip.entry.description
    let name = chip.placement.name
    let evidence =
      "register \(entry.identity.register.hexadecimal) at \(chip.place) holds "
      + "\(identity.hexadecimal) instead of "
      + entry.identity.supported.prefix(3).map(\.hexadecimal).joined(separator: " or ")
    // Look for a part of the same family first, then for parts with a different identity register.
    let relatives = ChipCatalog.descriptions.filter {
      $0.family == entry.family && $0.identity.supported.contains(identity)
    }
    let strangers = ChipCatalog.descriptions.filter { other in
      guard other.family != entry.family, other.wires.contains(chip.bus.wire),
        chip.placement.address.map({ other.addresses.contains($0) }) ?? true,
        case .success(let theirs) = probe.read(
          other.identity.register, chip.placement.address ?? 0, other.wireFormat)
      else { return false }
      return other.identity.supported.contains(theirs)
    }
    if let row = relatives.first ?? strangers.first {
      result.part = result.part ?? row.title
      result.findings.append(
        Finding(
          .wrongChip, of: name, evidence,
          explanation: "it is \(result.part ?? row.title), but the board file has \(entry.title)",
          steps: ["write 'chip: \"\(row.name)\"' for '\(name)' into the board file"]))
    } else if let original = entry.identity.copies[identity] {
      result.findings.append(
        Finding(
          .wrongChip, of: name, evidence,
          explanation:
            "it is \(result.part ?? "a copy"), which runs as the original if the board file has "
            + "'treat-as'",
          steps: [
            "add 'treat-as: \"\(original)\"' for '\(name)' to the board file",
            "then test it: otolith selftest --chip \(name)",
          ]))
    } else if let part = result.part {
      result.findings.append(
        Finding(
          .unsupportedChip, of: name, evidence,
          explanation:
            "it is \(part), which otolith has no driver for; \(entry.title) was expected",
          steps: [
            "take a part that is driven (otolith boards, docs/reference/chips.md), such as \(entry.title)",
            "see docs/adding-a-chip.md for writing a driver",
          ]))
    } else if let bank = chip.selectedBank, bank != 0 {
      result.findings.append(
        Finding(
          .wrongChip, of: name, evidence,
          explanation:
            "another program left register bank \(bank) of \(entry.title) selected, and its identity is in bank 0",
          steps: ["run 'otolith bringup' on the board itself: it selects bank 0 first"]))
    } else {
      result.findings.append(
        Finding(
          .wrongChip, of: name, evidence,
          explanation: "no part is known to have this identity: perhaps a clone of \(entry.title)",
          steps: [
            "if it is a clone, add 'treat-as: \"\(entry.name)\"' for '\(name)' to the board file"
          ]))
    }
  }

  /// Returns true if a driver for the chip's family accepts `identity`.
  private static func isFamily(_ identity: UInt8, _ chip: ExaminedChip) -> Bool {
    chip.isKnown(identity)
      || ChipCatalog.descriptions.contains {
        $0.family == chip.entry.description.family && $0.identity.supported.contains(identity)
      }
  }
}
