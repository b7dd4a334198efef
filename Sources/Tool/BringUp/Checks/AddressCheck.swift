// SPDX-License-Identifier: Apache-2.0
package import Boards
internal import Registers
internal import ChipCatalog
package import MotionSources
internal import Runtime

/// A check that probes every address of an I2C bus.
package enum AddressCheck {
  /// The response to a probe of an address.
  package enum Answer: String, Codable, Sendable {
    case silent
    case answers
    /// A kernel driver owns the address, so it was not probed.
    case owned
    case timeout
    case failed
    /// The bus is stuck, so the address was not probed.
    case notProbed = "unasked"
  }

  /// The comparison of the response with the board file.
  package enum Verdict: String, Codable, Sendable {
    case right
    case missing
    case unexpected
  }

  /// The result for one address.
  package struct Place: Equatable, Codable, Sendable {
    package var address: UInt8
    package var answer: Answer
    /// The kernel driver that owns the address; `nil` if no driver owns it.
    package var owner: String?
    /// The chip at this address in the board file.
    package var chip: String?
    /// The comparison with the board file; `nil` if there is no file, or it has no chip at this
    /// address.
    package var verdict: Verdict?
    /// The chips in the catalogue that can have this address.
    package var candidates: [String]
  }

  /// The findings for one bus.
  package struct Result: Equatable, Codable, Sendable {
    package var bus: String
    /// The clock of the bus in Hz; `nil` if unknown.
    package var clockHz: Int?
    /// The addresses from 0x08 to 0x77; all others are reserved (I2C specification, UM10204 section
    /// 3.1.12).
    package var places: [Place]
    package var findings: [Finding]

    /// True if a line of the bus is held low or no device responds. Checks of the bus's chips are
    /// then meaningless.
    package var isBusDead: Bool { !findings.isEmpty }

    /// The addresses that acknowledged.
    package var answering: [UInt8] { places.filter { $0.answer == .answers }.map(\.address) }
  }

  /// Scans the bus of `probe` and compares the result with the chips in `expected`, which is `nil`
  /// if there is no board file. The subject of the findings is `name`, the bus's name in the board
  /// file.
  package static func run(
    _ probe: BusProbe, name: String? = nil, expecting expected: [ChipPlacement]? = nil
  ) -> Result {
    var places: [Place] = []
    var timeouts = 0
    for address in UInt8(0x08)...0x77 {
      let chip = expected?.first { $0.address == address }
      var place = Place(
        address: address, answer: .notProbed, chip: chip?.name,
        candidates: ChipCatalog.descriptions.filter {
          $0.wires.contains(.i2c) && $0.addresses.contains(address)
        }.map(\.title))
      // Stop after eight timeouts in a row, because an adapter's timeout can be as long as a
      // second.
      if timeouts < 8 {
        place.owner = probe.owner(address)
        place.answer = place.owner != nil ? .owned : ask(probe, address, isExpected: chip != nil)
        timeouts = place.answer == .timeout ? timeouts + 1 : 0
      }
      if expected != nil {
        switch (place.answer, chip) {
        case (.answers, .some): place.verdict = .right
        // A chip on an auxiliary bus responds only while its host chip runs.
        case (.answers, nil): place.verdict = .unexpected
        case (.silent, let chip?) where chip.behind == nil: place.verdict = .missing
        default: break
        }
      }
      places.append(place)
    }
    var result = Result(bus: probe.name, clockHz: probe.clock, places: places, findings: [])
    let subject = name ?? probe.name
    if timeouts >= 8
      || !places.contains(where: { $0.answer != .timeout && $0.answer != .notProbed })
    {
      result.findings.append(
        Finding(
          .stuckBus, of: subject,
          "\(places.count { $0.answer == .timeout }) addresses of \(probe.name) in a row time out"))
    } else if !places.contains(where: { $0.answer == .answers || $0.answer == .owned }) {
      result.findings.append(
        Finding(
          .silentBus, of: subject, "none of \(places.count) addresses of \(probe.name) answers"))
    }
    return result
  }

  /// Probes an address. If a chip is expected there, the address is probed up to five times,
  /// because one acknowledgement is enough.
  private static func ask(_ probe: BusProbe, _ address: UInt8, isExpected: Bool) -> Answer {
    var answer = Answer.silent
    for _ in 0..<(isExpected ? 5 : 1) {
      switch probe.answers(address) {
      case .success(true): return .answers
      case .success(false): break
      case .failure(.timeout): answer = .timeout
      case .failure(.busy): return .owned
      case .failure: answer = answer == .timeout ? .timeout : .failed
      }
      if answer == .timeout { break }
    }
    return answer
  }
}
