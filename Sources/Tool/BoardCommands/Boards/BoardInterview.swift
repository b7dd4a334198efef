// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import Boards
import ChipCatalog
import Foundation
import Otolith
import Text

/// An interview about facts that a board's buses cannot show. Each answer comes from an option,
/// from a question on a terminal, or from a proposed value.
struct BoardInterview {
  private var draft: BoardDraft
  private let isTalk: Bool
  /// False if the user named the chips, so that none are detected.
  private let choosesChips: Bool

  init(_ proposal: BoardDraft, isTalk: Bool, choosesChips: Bool) {
    draft = proposal
    self.isTalk = isTalk
    self.choosesChips = choosesChips
  }

  mutating func draft(
    name: String?, rate: Double?, interrupts: [WantedInterrupt]
  ) throws -> BoardDraft {
    if isTalk { Terminal.complain("Enter accepts the value in brackets.") }
    chooseChips()
    guard !draft.chips.isEmpty else {
      throw Failure("a board needs at least one chip: nothing was written", Failure.usage)
    }
    draft.name = try ask("Name of the board", name, proposed: proposedName) { .success($0) }
    try setInterrupts(interrupts)
    try setRates(rate)
    return draft
  }

  /// Returns the file name for a board called `name`.
  func file(for name: String) throws -> String {
    let words = name.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let proposed = (words.isEmpty ? "board" : words.joined(separator: "-")) + ".yaml"
    return try ask("File", nil, proposed: proposed) { .success($0) }
  }

  /// Asks a yes-no question; returns true for yes and for an empty answer.
  func agrees(_ question: String) -> Bool {
    Terminal.write("\(question) [Y/n] ", to: 2)
    guard let answer = readLine() else {
      Terminal.complain("")
      return false
    }
    return !answer.trimmingCharacters(in: .whitespaces).lowercased().hasPrefix("n")
  }

  // MARK: - Chips

  private mutating func chooseChips() {
    guard isTalk, choosesChips, draft.chips.count > 1 else { return }
    draft.chips = draft.chips.filter { chip in
      agrees("Use \(Self.title(chip))?")
    }
    let used = Set(draft.chips.map(\.bus))
    draft.buses.removeAll { !used.contains($0.name) }
  }

  private static func title(_ chip: BoardDraft.Chip) -> String {
    let place = chip.address.map { " at 0x" + String($0, radix: 16, uppercase: true) } ?? ""
    return "'\(chip.name)', \(chip.description.title)\(place) on \(chip.bus)"
  }

  private var proposedName: String {
    let titles = draft.chips.map { chip in
      chip.description.title.split(separator: " ").first.map(String.init) ?? chip.name
    }
    return titles.joined(separator: ", ")
  }

  // MARK: - Interrupts

  private mutating func setInterrupts(_ options: [WantedInterrupt]) throws {
    for wanted in options {
      let wired = draft.chips.indices.filter { draft.chips[$0].description.interruptPins > 0 }
      let names = wired.map { draft.chips[$0].name }
      let meant = wired.first { wanted.chip == nil || draft.chips[$0].name == wanted.chip }
      guard let index = meant else {
        let guess = wanted.chip.flatMap { NearestWord.to($0, among: names) }
        throw Failure(
          "\(wanted.option): no such chip with an interrupt pin; "
            + (guess.map { "did you mean '\($0)'?" }
              ?? (names.isEmpty
                ? "this board has none" : "there is \(names.joined(separator: ", "))")),
          Failure.usage)
      }
      switch line(wanted.line, of: draft.chips[index]) {
      case .success(let line): draft.chips[index].interrupt = line
      case .failure(let problem):
        throw Failure("\(wanted.option): \(problem.text)", Failure.usage)
      }
    }
    guard isTalk, options.isEmpty else { return }
    for index in draft.chips.indices where draft.chips[index].description.interruptPins > 0 {
      let chip = draft.chips[index]
      let isSimulated = draft.buses.first { $0.name == chip.bus }?.path == nil
      let answer = try ask(
        "Where is the interrupt of '\(chip.name)' wired "
          + (isSimulated ? "('simulated')" : "(a line such as GPIO4, or 'pin 7')"),
        nil, proposed: "none"
      ) { answer in line(answer, of: chip) }
      draft.chips[index].interrupt = answer == "none" ? nil : answer
    }
  }

  /// The reason why an answer from the user is invalid.
  private struct Problem: Error {
    var text: String
  }

  /// Returns the GPIO line in `answer`, which is the name of a line or of a header pin.
  private func line(_ answer: String, of chip: BoardDraft.Chip) -> Result<String, Problem> {
    let word = answer.lowercased().filter { $0 != " " }
    if word == "none" { return .success("none") }
    if draft.buses.first(where: { $0.name == chip.bus })?.path == nil {
      return word == "simulated" || word == "y"
        ? .success("simulated")
        : .failure(Problem(text: "'\(chip.name)' is simulated: say simulated, or none"))
    }
    var pin = RaspberryPiHeader.pin(named: word.uppercased())
    if word.hasPrefix("pin"), let number = Int(word.dropFirst(3)) {
      pin = RaspberryPiHeader.pin(number)
      if pin?.kind != .line {
        return .failure(Problem(text: "pin \(number) of the header is not a GPIO"))
      }
    } else if Int(word) != nil {
      return .failure(
        Problem(text: "'\(answer)' is ambiguous: write 'pin \(word)' or GPIO\(word)"))
    }
    // Accept any name, because other computers have other line names.
    let line = pin?.name ?? answer
    if let other = draft.chips.first(where: { $0.interrupt == line && $0.name != chip.name }) {
      return .failure(Problem(text: "\(line) is the line of '\(other.name)' already"))
    }
    return .success(line)
  }

  // MARK: - Rates

  private mutating func setRates(_ option: Double?) throws {
    for index in draft.chips.indices {
      let chip = draft.chips[index]
      guard chip.description.channels.contains(where: { $0.channel == .acceleration }) else {
        continue
      }
      let rates = chip.description.rates
      let (slowest, fastest) = (rates.min() ?? 1, rates.max() ?? 1000)
      draft.chips[index].rate = try ask(
        "Samples a second of '\(chip.name)': 50 for steps, 200 for attitude, more for vibration",
        option.map { "\($0)" }, proposed: String(format: "%g", chip.rate)
      ) { answer in
        guard let rate = Double(answer), rate >= slowest, rate <= fastest else {
          return .failure(
            Problem(
              text: "'\(answer)': expected a number between \(String(format: "%g", slowest)) and "
                + "\(String(format: "%g", fastest)), which \(chip.description.name) can do"))
        }
        return .success(rate)
      }
    }
  }

  // MARK: - Asking

  /// Returns the value of `option` if it is given. Otherwise returns the user's answer, asking
  /// until it is valid, or the proposed value.
  private func ask<Value>(
    _ question: String, _ option: String?, proposed: String,
    _ read: (String) -> Result<Value, Problem>
  ) throws -> Value {
    if let option {
      switch read(option) {
      case .success(let value): return value
      case .failure(let problem): throw Failure(problem.text, Failure.usage)
      }
    }
    var answer = proposed
    while true {
      if isTalk {
        Terminal.write("\(question) [\(proposed)]: ", to: 2)
        // Ctrl-D means that the user gives no more answers, so nothing is written.
        guard let line = readLine() else {
          Terminal.complain("")
          throw Failure("no answer: nothing was written", Failure.usage)
        }
        let words = line.trimmingCharacters(in: .whitespaces)
        answer = words.isEmpty ? proposed : words
      }
      switch read(answer) {
      case .success(let value): return value
      case .failure(let problem):
        guard isTalk else { throw Failure(problem.text, Failure.usage) }
        Terminal.complain("  \(problem.text)")
      }
    }
  }
}

/// An interrupt line requested by `--interrupt`.
struct WantedInterrupt {
  /// The option's text, for error messages.
  var option: String
  /// The name of the chip; `nil` for the first chip with an interrupt pin.
  var chip: String?
  var line: String
}

extension WantedInterrupt {
  /// Parses `--interrupt imu=GPIO4` or `--interrupt GPIO4`.
  init(_ text: String) {
    let halves = text.split(separator: "=", maxSplits: 1).map(String.init)
    self.init(
      option: "--interrupt \(text)", chip: halves.count == 2 ? halves[0] : nil,
      line: halves.last ?? text)
  }
}
