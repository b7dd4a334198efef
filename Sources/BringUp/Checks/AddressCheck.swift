// SPDX-License-Identifier: Apache-2.0
public import Boards
internal import Registers
internal import ChipCatalog
public import MotionSources

/// Asks every address of an I2C bus whether a device is there.
public enum AddressCheck {
  /// The answer of an address.
  public enum Answer: String, Codable, Sendable {
    case silent
    case answers
    /// A driver of the kernel owns it; it was not asked.
    case owned
    case timeout
    case failed
    /// The bus is stuck, so that asking is of no use.
    case unasked
  }

  /// The comparison with the board file.
  public enum Verdict: String, Codable, Sendable {
    case right
    case missing
    case unexpected
  }

  /// One address.
  public struct Place: Equatable, Codable, Sendable {
    public var address: UInt8
    public var answer: Answer
    /// The kernel's driver.
    public var owner: String?
    /// The chip that the board file has there.
    public var chip: String?
    /// `nil` where the board file says nothing, or there is none.
    public var verdict: Verdict?
    /// Chips of the catalogue that can be there.
    public var candidates: [String]
  }

  /// The findings of a look at a bus.
  public struct Result: Equatable, Codable, Sendable {
    public var bus: String
    /// Hz; `nil` where it is not known.
    public var clockHz: Int?
    /// 0x08 to 0x77: the addresses that are not reserved (I2C specification, UM10204 section
    /// 3.1.12).
    public var places: [Place]
    public var findings: [Finding]

    /// True where a line of the bus is held low, or no device is there: then nothing can be said of
    /// one chip.
    public var isBusDead: Bool { !findings.isEmpty }

    /// The addresses that acknowledged.
    public var answering: [UInt8] { places.filter { $0.answer == .answers }.map(\.address) }
  }

  /// Looks at the bus of `probe`, on which `expected` should be; `nil`: no board says. Findings
  /// have `name` as their subject, the bus's name in the board file.
  public static func run(
    _ probe: BusProbe, name: String? = nil, expecting expected: [ChipPlacement]? = nil
  ) -> Result {
    var places: [Place] = []
    var timeouts = 0
    for address in UInt8(0x08)...0x77 {
      let chip = expected?.first { $0.address == address }
      var place = Place(
        address: address, answer: .unasked, chip: chip?.name,
        candidates: ChipCatalog.descriptions.filter {
          $0.wires.contains(.i2c) && $0.addresses.contains(address)
        }.map(\.title))
      // An adapter may take a second to give up: eight in a row say enough.
      if timeouts < 8 {
        place.owner = probe.owner(address)
        place.answer = place.owner != nil ? .owned : ask(probe, address, isExpected: chip != nil)
        timeouts = place.answer == .timeout ? timeouts + 1 : 0
      }
      if expected != nil {
        switch (place.answer, chip) {
        case (.answers, .some): place.verdict = .right
        // A chip behind another is reached only while that runs.
        case (.answers, nil): place.verdict = .unexpected
        case (.silent, let chip?) where chip.behind == nil: place.verdict = .missing
        default: break
        }
      }
      places.append(place)
    }
    var result = Result(bus: probe.name, clockHz: probe.clock, places: places, findings: [])
    let subject = name ?? probe.name
    if timeouts >= 8 || !places.contains(where: { $0.answer != .timeout && $0.answer != .unasked })
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

  /// An address where a chip should be is asked again: one answer is enough.
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
