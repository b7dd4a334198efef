// SPDX-License-Identifier: Apache-2.0

extension BoardFormat {
  static let wiring = BoardSection(
    name: "wiring", title: "a wiring",
    summary:
      "Which pin goes to which. `otolith boards wiring` draws it; nothing runs by it, but it has to fit the buses and the "
      + "interrupts.",
    keys: [
      BoardKey(
        "header", .choice(["raspberry-pi"]), noun: "a header",
        "The header that the modules are wired to: the 40 pins of a Raspberry Pi.",
        fallback: "raspberry-pi", example: "raspberry-pi"),
      BoardKey(
        "modules", .entries("module"), required: true, noun: "a group of named modules",
        "The modules, by names of your choice.",
        example: "{ gy521: { chips: [imu], pins: { VCC: 1, GND: 6, SCL: 5, SDA: 3 } } }",
        alsoCalled: ["module", "boards"]),
    ])

  static let module = BoardSection(
    name: "module", title: "a module", summary: "An entry of `modules`.",
    keys: [
      BoardKey(
        "title", .text, noun: "a name in words", "The name printed on it, or used by shops.",
        fallback: "its name", example: "GY-521"),
      BoardKey(
        "chips", .names, required: true, noun: "a list of chips of this board, in brackets",
        "The chips that are on it.", example: "[imu]", alsoCalled: ["chip"]),
      BoardKey(
        "pins", .pins(1...40), required: true,
        noun:
          "a group of the module's pins, each with a pin of the header between 1 and 40, or open",
        "Its pins as they are printed, in their order, and the header's pin that each is wired to.",
        example: "{ VCC: 1, GND: 6, SCL: 5, SDA: 3, INT: 7 }", alsoCalled: ["pin", "wires"]),
      BoardKey(
        "optional", .names, noun: "a list of pins of the module, in brackets",
        "The pins that need not be wired.", fallback: "none", example: "[INT]"),
      BoardKey(
        "remarks", .texts, noun: "a group of the module's pins, each with a text",
        "A note on a pin, such as the effect of an open strap.", fallback: "none",
        example: "{ VCC: from 3 V on }", alsoCalled: ["notes", "remark"]),
      BoardKey(
        "takes-5v", .flag, noun: "true or false",
        "Whether its supply may be 5 V and its lines stay at 3.3 V then. (A regulator alone does not see to that.)",
        fallback: "false", example: "true", alsoCalled: ["5v", "takes-5-v", "bears-5v"]),
      BoardKey(
        "hat", .flag, noun: "true or false",
        "Whether it sits on the whole header, without wires.", fallback: "false",
        example: "false"),
    ])
}
