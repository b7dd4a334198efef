// SPDX-License-Identifier: Apache-2.0
internal import MotionSources
internal import Boards
internal import ChipCatalog
internal import Quantities
internal import Registers
internal import Runtime

/// Problems during a run that come from the bus, the supply or the part. They are reported first,
/// because they explain other failures.
enum RunTrouble {
  /// Returns the findings about the run; empty if there were no such problems.
  static func findings(_ run: ExaminedRun, _ chip: ExaminedChip) -> [Finding] {
    let name = chip.placement.name
    if run.brownOuts > 0 {
      return [
        Finding(
          .brownOut, of: name,
          "\(count(run.brownOuts, "time")) in \(run.seconds.text(1)) s the chip was found as after power-up"
        )
      ]
    }
    // Require three timeouts in a row, because a single timeout may be temporary.
    if run.timeoutsInARow >= 3 {
      return [
        Finding(
          .stuckBus, of: chip.bus.name,
          "\(run.timeoutsInARow) transfers in a row timed out at \(chip.place)")
      ]
    }
    if run.failuresInARow >= 3, run.isolatedFailures == 0, run.frames > 0 || run.selfTest != nil {
      return [
        Finding(
          .brownOut, of: name,
          "\(run.failuresInARow) transfers in a row failed at \(chip.place), and no others")
      ]
    }
    let isDead = run.frames == 0 && run.selfTest == nil
    if isDead, let first = run.errors.first?.error, run.errors.allSatisfy({ $0.error == first }) {
      return [finding(first, chip)]
    }
    let failed = run.traffic.failed
    if failed > 0 || run.misreadings > 0 {
      let kinds =
        run.traffic.failures.map { "\($0.count) \($0.error.word)" }
        + (run.misreadings > 0 ? ["\(run.misreadings) wrong when read, right when read again"] : [])
      return [
        Finding(
          .unreliableBus, of: chip.bus.name,
          "of \(run.traffic.transactions) transfers at \(chip.place): \(kinds.joined(separator: ", "))"
        )
      ]
    }
    if isDead, let first = run.errors.first?.error { return [finding(first, chip)] }
    return []
  }

  /// Returns the finding for a chip whose driver reports only `error`.
  static func finding(_ error: ChipError, _ chip: ExaminedChip) -> Finding {
    let name = chip.placement.name
    let evidence = chip.placement.sentence(for: error, on: chip.bus)
    switch error {
    case .bus(.timeout, _): return Finding(.stuckBus, of: chip.bus.name, evidence)
    case .bus: return Finding(.noAnswer, of: name, evidence)
    case .identity(let found, _) where found.isNoIdentity:
      return Finding(.noAnswer, of: name, evidence)
    case .identity: return Finding(.wrongChip, of: name, evidence)
    case .resetTimedOut, .unexpected: return Finding(.brownOut, of: name, evidence)
    case .rejected, .rejectedWord: return Finding(.wrongChip, of: name, evidence)
    case .unsupportedSetting: return Finding(.wrongChip, of: name, evidence)
    case .firmware: return Finding(.noFirmware, of: name, evidence)
    }
  }
}

extension ExaminedRun {
  var seconds: Double { (end - begin).seconds }
}

extension ExaminedChip {
  /// The reason why a check cannot run on a trace: the check needs requests that were not recorded.
  static let notOfTrace = "a trace has no answers to requests that were not recorded"

  /// The location of the chip for users, such as `0x68 on /dev/i2c-1`.
  var place: String {
    let bus = bus.path ?? "\(bus.isTrace ? "recorded" : "simulated") bus \(bus.name)"
    return placement.address.map { "\($0.hexadecimal) on \(bus)" } ?? bus
  }
}
