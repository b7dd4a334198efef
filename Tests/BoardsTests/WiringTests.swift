// SPDX-License-Identifier: Apache-2.0
import BringUp
import Boards
import ChipCatalog
import Foundation
#if canImport(FoundationXML)
  import FoundationXML
#endif
import Sensors
import Testing

@Suite struct WiringTests {
  /// The header is typed from the Raspberry Pi's documentation.
  @Test func `the header has the pins that the Raspberry Pi's page draws`() {
    let odd = [
      "3V3", "GPIO2", "GPIO3", "GPIO4", "GND", "GPIO17", "GPIO27", "GPIO22", "3V3", "GPIO10",
      "GPIO9", "GPIO11", "GND", "GPIO0", "GPIO5", "GPIO6", "GPIO13", "GPIO19", "GPIO26", "GND",
    ]
    let even = [
      "5V", "5V", "GND", "GPIO14", "GPIO15", "GPIO18", "GND", "GPIO23", "GPIO24", "GND", "GPIO25",
      "GPIO8", "GPIO7", "GPIO1", "GND", "GPIO12", "GND", "GPIO16", "GPIO20", "GPIO21",
    ]
    for (index, name) in odd.enumerated() {
      #expect(RaspberryPiHeader.pin(2 * index + 1)?.name == name)
      #expect(RaspberryPiHeader.pin(2 * index + 2)?.name == even[index])
    }
    #expect(RaspberryPiHeader.pins.map(\.number) == Array(1...40))
    #expect(RaspberryPiHeader.pin(0) == nil && RaspberryPiHeader.pin(41) == nil)
    #expect(RaspberryPiHeader.pin(named: "GPIO25")?.number == 22)
    #expect(RaspberryPiHeader.pin(named: "GND") == nil)
    let functions = RaspberryPiHeader.pins.filter { $0.function?.hasPrefix("SPI0") ?? false }
    #expect(functions.map(\.number) == [19, 21, 23, 24, 26])
  }

  /// The inferred wiring is written into a file, and checked like any other wiring.
  @Test func `the wiring of a board that says none is that of its buses`() throws {
    let text = """
      otolith-board: 1
      name: Own
      buses:
        i2c1: { i2c: /dev/i2c-1 }
        spi0: { spi: /dev/spidev0.1 }
        other: { i2c: /dev/i2c-3 }
      chips:
        imu: { chip: mpu6050, on: i2c1, address: 0x68, interrupt: { line: GPIO17 } }
        twin: { chip: mpu6050, on: i2c1, address: 0x69 }
        compass: { chip: lis3mdl, on: spi0, interrupt: { chip: pinctrl-bcm2711, offset: 25 } }
        far: { chip: lis3mdl, on: other, address: 0x1C }

      """
    let board = try BoardFile.parse(
      text, file: "own.yaml", catalogue: ChipCatalog.descriptions)
    #expect(board.wiring == nil)
    let wiring = try #require(board.inferredWiring)
    let pins = wiring.modules.map { module in
      module.name + module.pins.map { " \($0.name) \($0.header ?? 0)" }.joined()
    }
    // The pin numbers are typed from the Raspberry Pi's page.
    #expect(
      pins == [
        "imu VCC 1 GND 6 SCL 5 SDA 3 INT 11", "twin VCC 17 GND 9 SCL 5 SDA 3",
        "compass VCC 1 GND 14 SCK 23 MOSI 19 MISO 21 CS 26 INT 22",
      ])
    let modules = wiring.modules.map { module in
      let pins = module.pins.map { "\($0.name): \($0.header ?? 0)" }.joined(separator: ", ")
      return
        "\(module.name): { chips: [\(module.chips.joined(separator: ", "))], pins: { \(pins) } }"
    }
    let said = try BoardFile.parse(
      text + "wiring: { modules: { \(modules.joined(separator: ", ")) } }\n", file: "own.yaml",
      catalogue: ChipCatalog.descriptions)
    #expect(said.wiring?.modules.count == 3)
    #expect(WiringTable(said).lines.count > 40)
    // Simulated buses have no wires.
    #expect(try BoardFile.simulated(catalogue: ChipCatalog.descriptions).inferredWiring == nil)
  }

  @Test func `a pin's name and its bus tell its role`() {
    #expect(PinRole("SCL", on: .i2c) == .i2cClock && PinRole("SCL", on: .spi) == .spiClock)
    #expect(PinRole("SA0", on: .i2c) == .strap && PinRole("SA0", on: .spi) == .spiOutput)
    #expect(PinRole("cs", on: .i2c) == .strap && PinRole("CS", on: .spi) == .chipSelect)
    #expect(PinRole("INT2", on: .i2c) == .interrupt(2) && PinRole("3Vo", on: .i2c) == .output)
    #expect(PinRole("XDA", on: .i2c) == .other)
  }

  static func board(_ wiring: String, chip: String = "") throws(BoardErrors) -> Board {
    try BoardFileTests.parse(BoardFileTests.imu(chip, "wiring: { modules: { \(wiring) } }"))
  }

  @Test func `a module says its pins, which of them are optional, and why`() throws {
    let text =
      "m: { title: GY-521, chips: [imu], optional: [INT], takes-5v: true, "
      + "remarks: { AD0: low }, pins: { VCC: 2, GND: 9, SCL: 5, SDA: 3, AD0: open, INT: 7 } }"
    let module = try #require(try Self.board(text).wiring?.modules.first)
    #expect(module.title == "GY-521" && module.chips == ["imu"] && module.bears5V)
    #expect(module.pins.map(\.name) == ["VCC", "GND", "SCL", "SDA", "AD0", "INT"])
    #expect(module.pins.map(\.header) == [2, 9, 5, 3, nil, 7])
    #expect(module.pins.map(\.isOptional) == [false, false, false, false, false, true])
    #expect(module.pins[4].remark == "low")
    #expect(try BoardFileTests.parse(BoardFileTests.imu()).wiring == nil)
  }

  /// The wiring must lead to the interrupt line of the chip, whichever way the line is named.
  @Test(arguments: [
    ("{ line: GPIO4 }", 7, true), ("{ line: GPIO17 }", 7, false), ("{ line: GPIO17 }", 11, true),
    ("{ chip: pinctrl-bcm2711, offset: 4 }", 7, true),
    ("{ chip: pinctrl-rp1, offset: 4 }", 11, false), ("{ chip: other, offset: 4 }", 11, true),
    ("{ line: PA6 }", 11, true),
  ])
  func `the wire of an interrupt goes to the line that is listened on`(
    _ line: String, _ pin: Int, _ isGood: Bool
  ) {
    let module = "m: { chips: [imu], pins: { VCC: 1, GND: 9, SCL: 5, SDA: 3, INT: \(pin) } }"
    let board = try? Self.board(module, chip: "interrupt: \(line)")
    #expect((board != nil) == isGood)
  }

  @Test func `two modules on one bus share its wires and nothing else`() throws {
    let first = "a: { chips: [imu], pins: { VCC: 1, GND: 9, SCL: 5, SDA: 3, INT: 7 } }"
    let second = "b: { chips: [imu], pins: { VCC: 1, GND: 9, SCL: 5, SDA: 3, AD0: 9 } }"
    #expect(try Self.board("\(first), \(second)").wiring?.modules.count == 2)
    let third = second.replacing("AD0: 9", with: "INT: 7")
    #expect(throws: BoardErrors.self) { try Self.board("\(first), \(third)") }
  }

  // MARK: - Pictures

  /// Vertical wires do not overlap, and none is outside of the picture.
  @Test(arguments: ShippedBoard.all.filter { !$0.name.hasPrefix("simulated") }.map(\.name))
  func `no two wires overlap`(_ name: String) throws {
    let board = try BoardFile.load(
      path: name, catalogue: ChipCatalog.descriptions, drivenOnly: false)
    let svg = try #require(WiringPicture(board)).svg
    // Parsing fails if the SVG is not well formed.
    _ = try XMLDocument(xmlString: svg)
    let width = try #require(svg.firstMatch(of: #/viewBox="0 0 (\d+) /#).flatMap { Int($0.1) })
    let paths = svg.matches(of: /<path class="halo" d="([^"]+)"/).map { String($0.1) }
    var upright: [(x: Int, from: Int, to: Int, wire: Int)] = []
    for (wire, path) in paths.enumerated() {
      for match in path.matches(of: /M(\d+) (\d+)V(\d+)/) {
        let numbers = [match.1, match.2, match.3].compactMap { Int($0) }
        upright.append((numbers[0], min(numbers[1], numbers[2]), max(numbers[1], numbers[2]), wire))
        #expect((20...(width - 20)).contains(numbers[0]))
      }
    }
    #expect(name.hasPrefix("raspberry-pi-sense-hat") || upright.count >= 8)
    for (index, a) in upright.enumerated() {
      for b in upright[(index + 1)...] where a.wire != b.wire {
        let isBeside = min(a.to, b.to) > max(a.from, b.from)
        #expect(!isBeside || abs(a.x - b.x) >= 8, "\(name): \(a) and \(b)")
      }
    }
    // The list of pins names every wired pin too.
    for pin in board.wiring?.modules.flatMap(\.pins) ?? [] {
      guard let header = pin.header else { continue }
      #expect(svg.contains(">\(pin.name)</tspan> to pin \(header), "))
    }
  }

  // MARK: - Drafts

  @Test func `every chip makes a draft that reads as what it was made of`() throws {
    for chip in ChipCatalog.descriptions {
      for wire in chip.wires {
        let address = wire == .i2c ? chip.addresses.last : nil
        let path = wire == .i2c ? "/dev/i2c-1" : "/dev/spidev0.0"
        var draft = BoardDraft(
          name: "A \"name\": it's one", buses: [.init(name: "b", wire: wire, path: path)],
          chips: [])
        draft.chips = [
          .init(
            name: BoardDraft.name(of: chip, besides: []), description: chip, bus: "b",
            address: address, interrupt: chip.interruptPins > 0 ? "GPIO4" : nil,
            rate: BoardDraft.rate(of: chip))
        ]
        let board = try BoardFile.parse(
          draft.text, file: chip.name, catalogue: ChipCatalog.descriptions)
        #expect(board.name == draft.name && board.buses.map(\.path) == [path])
        let placed = try #require(board.chips.first)
        #expect(placed.chip == chip.name && placed.address == address)
        #expect(placed.settings.rate == draft.chips[0].rate)
        #expect(
          placed.interrupt?.line == (chip.interruptPins > 0 ? .named("GPIO4") : nil))
        // With the suggestions in its comments enabled, the draft is still a valid board.
        let spi = draft.text.replacing("    # speed-hz:", with: "    speed-hz:")
          .replacing("# location:", with: "location:").replacing("# record-h", with: "record-h")
        #expect(
          throws: Never.self, "\(chip.name)",
          performing: {
            try BoardFile.parse(spi, file: "t", catalogue: ChipCatalog.descriptions)
          })
      }
    }
    let imu = try #require(ChipCatalog.entry(named: "bosch,bmi160")).description
    #expect(BoardDraft.name(of: imu, besides: ["imu", "imu2"]) == "imu3")
    #expect(BoardDraft.rate(of: imu) == 200)
  }
}
