// SPDX-License-Identifier: Apache-2.0
internal import Simulation
internal import Quantities
internal import Text

extension BoardReader {
  mutating func faults(_ simulation: Fields, buses: [String], chips: [String]) -> [Fault] {
    guard let field = simulation["faults"] else { return [] }
    guard case .sequence(let items) = field.value.content else {
      refuse(field, hint: "begin each fault with a '-'")
      return []
    }
    var faults: [Fault] = []
    for item in items {
      if let fault = fault(item, buses: buses, chips: chips) { faults.append(fault) }
    }
    return faults
  }

  mutating func fault(_ tree: YAMLTree, buses: [String], chips: [String]) -> Fault? {
    guard
      let fields = fields(tree, BoardFormat.fault, owner: "a fault", at: tree.position),
      let word = choice(fields, "fault"), let kind = FaultKind(rawValue: word)
    else { return nil }
    let times = ["probability", "every-s", "at-s"].filter { fields[$0] != nil }
    if times.count > 1 {
      report(
        fields.position,
        "a fault has \(times.map { "'\($0)'" }.joined(separator: " and "))",
        expected: "one of them: they exclude each other")
      return nil
    }
    if let field = fields["probability"], case .time = kind.opportunity {
      report(
        field.keyPosition, "'probability' of '\(word)', which comes with no transaction or edge",
        hint: "say 'at-s' or 'every-s'")
      return nil
    }
    if kind == .brownOut || kind == .fifoOverflow, times.isEmpty {
      report(
        fields.position, "'\(word)' without a time", expected: "'at-s' or 'every-s'")
      return nil
    }
    if kind == .wrongAddress, let time = times.first, let field = fields[time] {
      report(
        field.keyPosition, "'\(time)' of 'wrong-address', which is how the chip is strapped",
        hint: "remove it")
      return nil
    }
    if let field = fields["for-s"], fields["at-s"] == nil, fields["every-s"] == nil {
      report(
        field.keyPosition, "'for-s' of a fault without a start time",
        hint: "add 'at-s' or 'every-s', or remove 'for-s'")
    }
    if let field = fields["chip"], kind == .stuckBus {
      report(
        field.keyPosition, "'chip' of 'stuck-bus', which affects all chips of a bus",
        hint: "add 'on' and the name of the bus")
    }
    if let field = fields["identity"], kind != .wrongChip {
      report(field.keyPosition, "'identity' of '\(word)'", hint: "remove it")
    }
    let occurrence: Fault.Occurrence
    if fields["probability"] != nil {
      guard let value = number(fields, "probability") else { return nil }
      occurrence = .probability(value)
    } else if fields["every-s"] != nil {
      guard let value = number(fields, "every-s") else { return nil }
      occurrence = .every(TimeSpan(seconds: value))
    } else if fields["at-s"] != nil {
      guard let value = number(fields, "at-s") else { return nil }
      occurrence = .at(TimeSpan(seconds: value))
    } else {
      occurrence = .always
    }
    return Fault(
      kind, chip: known(fields, "chip", among: chips), bus: known(fields, "on", among: buses),
      occurrence, duration: number(fields, "for-s").map { TimeSpan(seconds: $0) },
      identity: integer(fields, "identity").map { UInt8(clamping: $0) } ?? 0x55)
  }

  /// Reads the name of a chip or bus, which must be among `names`.
  mutating func known(_ fields: Fields, _ key: String, among names: [String]) -> String? {
    guard let field = fields[key], let name = text(fields, key) else { return nil }
    if names.contains(name) { return name }
    let guess = NearestWord.to(name, among: names)
    refuse(
      field, expected: names.isEmpty ? nil : NearestWord.list(names),
      hint: guess.map { "did you mean '\($0)'?" })
    return nil
  }
}
