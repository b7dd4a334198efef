// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Foundation
import Quantities
import Registers
import Sensors
import Simulation
import Boards
import Testing

/// One fault of a simulated board, and a driver's reaction to it.
struct FaultCase: CustomTestStringConvertible, Sendable {
  let fault: Fault
  /// The fault in the notation of `--fault`.
  let spelled: String
  /// The fault for the board of the bring-up test, if it must occur more often there.
  let often: String

  var testDescription: String { spelled }

  /// The time of a fault that occurs once.
  static let moment = TimeSpan.seconds(2)

  /// The time after which a wrong address is corrected.
  static let rewiring = TimeSpan.milliseconds(1500)

  /// The time from the beginning of the fault to its end.
  var lasts: TimeSpan {
    fault.duration ?? (fault.kind == .wrongAddress ? Self.rewiring : .zero)
  }

  init(
    _ kind: FaultKind, _ occurrence: Fault.Occurrence, _ words: String,
    duration: TimeSpan? = nil, often: String
  ) {
    fault = Fault(kind, occurrence, duration: duration)
    spelled = "\(kind.rawValue)\(words.isEmpty ? "" : " \(words)")"
    self.often = "\(kind.rawValue)\(often.isEmpty ? "" : ", \(often)")"
  }

  static let all: [FaultCase] = [
    FaultCase(.noAcknowledge, .at(moment), "at-s=2", often: "probability: 0.02"),
    FaultCase(
      .noAcknowledge, .at(moment), "at-s=2 for-s=0.5", duration: .milliseconds(500),
      often: "probability: 1"),
    FaultCase(.timeout, .at(moment), "at-s=2", often: "probability: 0.02"),
    FaultCase(
      .stuckBus, .at(moment), "at-s=2 for-s=0.5", duration: .milliseconds(500), often: ""),
    FaultCase(.bitFlip, .at(moment), "at-s=2", often: "probability: 0.01"),
    FaultCase(.lostInterrupt, .at(moment), "at-s=2", often: "probability: 0.2"),
    FaultCase(.doubledInterrupt, .at(moment), "at-s=2", often: "probability: 0.2"),
    FaultCase(
      .stuckInterrupt, .at(moment), "at-s=2 for-s=0.5", duration: .milliseconds(500),
      often: ""),
    FaultCase(
      .wrongPin, .at(moment), "at-s=2 for-s=0.5", duration: .milliseconds(500), often: ""),
    FaultCase(
      .invertedInterrupt, .at(moment), "at-s=2 for-s=0.5", duration: .milliseconds(500),
      often: ""),
    FaultCase(.fifoOverflow, .at(moment), "at-s=2", often: "every-s: 0.7"),
    FaultCase(
      .brownOut, .at(moment), "at-s=2 for-s=0.02", duration: .milliseconds(20),
      often: "every-s: 0.9"),
    FaultCase(
      .wrongChip, .at(.zero), "at-s=0 for-s=1.5", duration: .milliseconds(1500),
      often: "identity: 0x55"),
    FaultCase(.wrongAddress, .always, "", often: ""),
    FaultCase(.swappedAxes, .always, "", often: ""),
    FaultCase(.noisySupply, .always, "", often: ""),
    FaultCase(.motorField, .always, "", often: ""),
    FaultCase(.draught, .always, "", often: ""),
  ]

  /// The faults that a driver can detect or recover from.
  static let seen = all.filter {
    ![.swappedAxes, .noisySupply, .motorField, .draught].contains($0.fault.kind)
  }

  /// The acquisitions that the fault affects.
  var ways: [Way] {
    Way.distinct.filter { way in
      guard way.power == .normal, !way.keepsLateSamples else { return false }
      return switch fault.kind {
      case .noAcknowledge, .wrongAddress: way.row.wire == .i2c
      case .lostInterrupt, .doubledInterrupt, .stuckInterrupt, .wrongPin, .invertedInterrupt:
        way.acquisition == .dataReady
      case .fifoOverflow: way.acquisition == .fifo
      default: true
      }
    }
  }
}

/// The outcome of one fault in one acquisition.
struct FaultOutcome: Sendable {
  let way: Way
  /// The driver's reports as words, in the order of the table.
  var reports: [String] = []
  var lost = 0
  /// The number of samples that are neither delivered nor counted as missing, or counted twice.
  var unaccounted = 0.0
  /// The time from the beginning of the fault to the first sample that was taken after its end.
  var recovery: TimeSpan?

  init(_ fault: FaultCase, _ way: Way) throws {
    self.way = way
    let isAway = fault.fault.kind == .wrongAddress
    let rig = Rig(way.row, faults: isAway ? [] : [fault.fault])
    rig.collector.keeps = false
    let begin: Timestamp
    if isAway { rig.port.failing = 0..<Int.max }
    _ = try rig.start(way.settings(), tellsTime: true)
    switch fault.fault.occurrence {
    case .at(let span): begin = rig.clock.now + span
    default: begin = rig.clock.now
    }
    let end = begin + fault.lasts
    if fault.fault.kind == .stuckBus {
      rig.bus.befall([fault.fault])
    }
    rig.run(for: begin - rig.clock.now)
    if isAway {
      rig.run(for: fault.lasts)
      rig.port.failing = 0..<0
    }
    rig.run(for: .seconds(20)) { (rig.collector.last?.timestamp ?? begin) > end }
    if (rig.collector.last?.timestamp ?? begin) > end { recovery = rig.clock.now - begin }
    rig.run(for: .seconds(3))
    lost = rig.collector.missing
    unaccounted = abs(rig.taken.rounded() - Double(rig.collector.count + rig.collector.missing))
    let health = rig.driver.health
    for error in rig.collector.errors {
      let word = Self.word(error)
      if !reports.contains(word) { reports.append(word) }
    }
    for (word, count) in [
      ("missing", UInt64(lost)), ("bus errors", health.busErrors), ("overflows", health.overflows),
      ("missed interrupts", health.missedInterrupts),
      ("misconfigurations", health.misconfigurations), ("restarts", health.restarts),
    ] where count > 0 { reports.append(word) }
  }

  private static func word(_ error: ChipError) -> String {
    switch error {
    case .bus(let error, _): "error: \(error)"
    case .identity: "error: identity"
    case .resetTimedOut: "error: reset"
    case .rejected, .rejectedWord: "error: rejected"
    case .unexpected: "error: unexpected register"
    case .unsupportedSetting: "error: setting"
    case .firmware: "error: firmware"
    }
  }
}

extension FaultCase {
  /// True if the table is written to the page.
  static let isRecording = ProcessInfo.processInfo.environment["OTOLITH_RECORD"] == "1"
  /// True if the table is computed: without optimisation it takes most of a minute.
  static let isAskedFor: Bool = {
    #if DEBUG
      isRecording || ProcessInfo.processInfo.environment["OTOLITH_FAULTS"] == "all"
    #else
      true
    #endif
  }()
}
