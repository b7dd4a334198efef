// SPDX-License-Identifier: Apache-2.0
internal import Sensors

extension BoardReader {
  mutating func interrupt(_ chip: Fields, _ bus: BusDescription?) -> Interrupt? {
    guard let field = chip["interrupt"] else { return nil }
    if let bus, bus.isSimulated {
      if field.value.text == "simulated" { return Interrupt(.simulated) }
      guard case .mapping = field.value.content,
        let fields = fields(
          field.value, BoardFormat.interrupt, owner: "'interrupt'", at: field.keyPosition),
        text(fields, "line") == "simulated"
      else {
        report(
          field.position,
          "'interrupt' is \(field.value.shown) and bus '\(bus.name)' is simulated",
          expected: "'interrupt: simulated'")
        return nil
      }
      return interrupt(fields, on: .simulated)
    }
    if field.value.text == "simulated" {
      if let bus {
        report(
          field.position, "a simulated interrupt on bus '\(bus.name)', which is hardware",
          expected: field.key.noun)
      }
      return nil
    }
    guard case .mapping = field.value.content else {
      let name = field.value.text ?? ""
      var hint =
        name.contains(" ") || !name.contains(where: { $0.isNumber }) ? nil : Self.lineHint(name)
      if field.value.isNull { hint = "remove the line if none is wired" }
      refuse(field, expected: field.key.noun, hint: hint)
      return nil
    }
    guard
      let fields = fields(
        field.value, BoardFormat.interrupt, owner: "'interrupt'", at: field.keyPosition)
    else { return nil }
    var interrupt = interrupt(fields, on: .simulated)
    guard let line = line(fields) else { return nil }
    interrupt.line = line
    return interrupt
  }

  /// Reads the settings of the chip's interrupt on `line`: edge, pin and drive.
  private mutating func interrupt(_ fields: Fields, on line: Interrupt.Line) -> Interrupt {
    Interrupt(
      line, edge: choice(fields, "edge").flatMap(Interrupt.Edge.init(rawValue:)) ?? .rising,
      pin: integer(fields, "pin") ?? 1, isOpenDrain: choice(fields, "drive") == "open-drain")
  }

  private static func lineHint(_ name: String) -> String {
    let isNumber = name.allSatisfy { $0.isASCII && $0.isNumber }
    return "did you mean { line: \(isNumber ? "GPIO\(name)" : name) }?"
  }

  private mutating func line(_ fields: Fields) -> Interrupt.Line? {
    for key in ["line", "chip"] where fields[key]?.value.text?.contains("gpiochip") ?? false {
      fields[key].map {
        refuse(
          $0,
          hint: "gpiochip numbers differ between models and kernels; "
            + "'gpiodetect' prints the label in brackets"
        )
      }
      return nil
    }
    switch (fields["line"], fields["chip"], fields["offset"]) {
    case (let line?, nil, nil):
      if case .number(let value) = line.value.number, let number = Int(exactly: value) {
        refuse(
          line, hint: "did you mean GPIO\(number)? or give 'chip' and 'offset: \(number)'")
        return nil
      }
      return text(fields, "line").map { .named($0) }
    case (nil, .some, .some):
      guard let chip = text(fields, "chip"), let offset = integer(fields, "offset") else {
        return nil
      }
      return .offset(chip: chip, offset)
    case (.some, _, _):
      report(
        fields.position, "'interrupt' has both a 'line' and a 'chip' or 'offset'",
        expected: "either 'line', or 'chip' and 'offset'")
    case (nil, let chip?, nil):
      report(
        chip.keyPosition, "'interrupt' has a 'chip' and no 'offset'",
        expected: "the line's number on that chip, such as 'offset: 4'")
    case (nil, nil, let offset?):
      report(
        offset.keyPosition, "'interrupt' has an 'offset' and no 'chip'",
        expected: "the chip's label, such as 'chip: pinctrl-bcm2711'")
    case (nil, nil, nil):
      report(
        fields.position, "'interrupt' has no line",
        expected: "'line', or 'chip' and 'offset'", hint: "such as { line: GPIO4 }")
    }
    return nil
  }
}
