// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import Boards
import ChipCatalog
import Otolith
import Registers
import Text

/// A chip and its location in the notation of the command line, such as
/// `mpu6050@/dev/i2c-1:0x69,interrupt=GPIO17` or `lis3mdl@/dev/spidev0.0`.
struct ChipSpecification {
  let text: String
  let chip: ChipDescription
  /// The device node of the bus.
  let bus: String
  let wire: Wire
  /// The I2C address; `nil` if none is given.
  private(set) var address: UInt8?
  private(set) var name: String?
  private(set) var interrupt: String?
  private(set) var rate: Double?

  init(_ text: String) throws(Failure) {
    self.text = text
    // The kind of chip may contain a comma. The first part with an `=` begins the other values.
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let place = parts.prefix { !$0.contains("=") }.joined(separator: ",")
    let halves = place.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    chip = try Self.kind(String(halves.first ?? ""), text)
    guard halves.count == 2 else {
      let node = chip.wires.contains(.i2c) ? "/dev/i2c-1" : "/dev/spidev0.0"
      throw Self.failure(text, "names no bus; such as \(chip.shortName)@\(node)")
    }
    let node = halves[1].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    bus = try Self.path(String(node.first ?? ""), text)
    wire = bus.contains("spi") ? .spi : .i2c
    guard chip.wires.contains(wire) else {
      throw Self.failure(
        text,
        "\(chip.shortName) has no \(wire == .spi ? "SPI" : "I2C") interface, and \(bus) is one")
    }
    if node.count == 2 { address = try address(String(node[1])) }
    for part in parts.dropFirst(parts.prefix { !$0.contains("=") }.count) { try take(part) }
  }

  private static func failure(_ text: String, _ reason: String) -> Failure {
    Failure("--chip \(text): \(reason)", Failure.usage)
  }

  private func failure(_ reason: String) -> Failure { Self.failure(text, reason) }

  private static func kind(_ word: String, _ text: String) throws(Failure) -> ChipDescription {
    let chips = ChipCatalog.descriptions
    if let chip = chips.meant(by: word) { return chip }
    if let known = KnownChips.chip(meantBy: word) {
      throw failure(text, "\(known.title) is not supported yet; \(known.instead)")
    }
    let names = chips.map(\.shortName)
    let advice =
      NearestWord.to(word, among: names + chips.map(\.name)).map { "did you mean '\($0)'?" }
      ?? "there are: \(names.joined(separator: ", "))"
    throw failure(text, "there is no chip '\(word)'; \(advice)")
  }

  /// Returns the path of a device node that the user named with or without `/dev/`.
  private static func path(_ word: String, _ text: String) throws(Failure) -> String {
    if word.hasPrefix("/"), word.count > 1 { return word }
    if word.hasPrefix("i2c-") || word.hasPrefix("spidev") { return "/dev/" + word }
    throw failure(text, "'\(word)' is not a bus such as /dev/i2c-1 or /dev/spidev0.0")
  }

  private func address(_ word: String) throws(Failure) -> UInt8 {
    guard wire == .i2c else { throw failure("a chip on SPI has no address: leave :\(word) out") }
    let lower = word.lowercased()
    let number = lower.hasPrefix("0x") ? UInt8(lower.dropFirst(2), radix: 16) : UInt8(lower)
    guard let number, chip.addresses.contains(number) else {
      let able = chip.addresses.map { "0x" + hexadecimal($0) }.joined(separator: " or ")
      throw failure("'\(word)' is not an address of \(chip.shortName), which can have \(able)")
    }
    return number
  }

  /// Parses one part of the notation, such as `interrupt=GPIO17`.
  private mutating func take(_ part: Substring) throws(Failure) {
    let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let (key, value) = (String(halves[0]), halves.count == 2 ? String(halves[1]) : "")
    guard !value.isEmpty else { throw failure("'\(key)' has no value; such as interrupt=GPIO17") }
    switch key {
    case "interrupt": interrupt = value
    case "name": name = value
    case "rate":
      let (slowest, fastest) = (chip.rates.min() ?? 1, chip.rates.max() ?? 1000)
      guard let hertz = Double(value), hertz >= slowest, hertz <= fastest else {
        throw failure(
          "'\(value)' is not a rate of \(chip.shortName), which supports \(slowest) to \(fastest) "
            + "Hz")
      }
      rate = hertz
    default:
      let guess = NearestWord.to(key, among: ["interrupt", "name", "rate"])
      throw failure(
        "there is no '\(key)'; "
          + (guess.map { "did you mean '\($0)'?" } ?? "there are: interrupt, name, rate"))
    }
  }
}

extension BoardDraft {
  /// Adds the chip described by `said`, and the chip's bus if the board lacks this bus.
  mutating func add(_ said: ChipSpecification) throws(Failure) {
    func failure(_ reason: String) -> Failure {
      Failure("--chip \(said.text): \(reason)", Failure.usage)
    }
    let bus = bus(said.bus, said.wire, isSimulated: false)
    let neighbours = chips.filter { $0.bus == bus }
    var address: UInt8?
    if said.wire == .spi, let other = neighbours.first {
      throw failure("\(said.bus) is already the chip select of '\(other.name)'")
    }
    if said.wire == .i2c {
      let taken = neighbours.compactMap(\.address)
      address = said.address ?? said.chip.addresses.first { !taken.contains($0) }
      if let other = neighbours.first(where: { $0.address == address ?? $0.address }) {
        let place = address.map { "0x" + hexadecimal($0) } ?? "each of its addresses"
        throw failure("\(place) on \(said.bus) is already used by '\(other.name)'")
      }
    }
    if let name = said.name, chips.contains(where: { $0.name == name }) {
      throw failure("'\(name)' is the name of another chip already")
    }
    chips.append(
      Chip(
        name: said.name ?? Self.name(of: said.chip, besides: chips.map(\.name)),
        description: said.chip, bus: bus, address: address,
        rate: said.rate ?? Self.rate(of: said.chip)))
  }
}
