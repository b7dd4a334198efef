// SPDX-License-Identifier: Apache-2.0

/// The wiring of a simulated board's interrupt pins to the lines of the virtual bench.
package struct Wiring: Equatable, Sendable {
  /// A chip's interrupt pin, and the line to which it is wired.
  package struct Connection: Equatable, Sendable {
    /// The chip's name in the board file.
    package var chip: String
    /// The number of the chip's interrupt pin, 1 or 2.
    package var pin: Int
    /// The number of the line; 4 is GPIO4.
    package var line: Int
  }

  package private(set) var connections: [Connection]

  /// Wires the pins of `places` to lines in order, for as long as there are lines. For chip k,
  /// counted from 0, pin 1 is wired to GPIO 2k and pin 2 to GPIO 2k+1. An option such as
  /// `mpu6050:2=GPIO4` overrides this: the pin in the option gets the line, and the pin that had
  /// the line before gets none.
  package init(_ places: [SimulatedBoard.Place], _ options: [String] = []) throws(WiringError) {
    var chosen: [Connection] = []
    for option in options {
      let wire = try Self.wire(option, places)
      if chosen.contains(where: { $0.chip == wire.chip && $0.pin == wire.pin }) {
        throw WiringError(option, "pin \(wire.pin) of '\(wire.chip)' already has a line; keep one")
      }
      if let other = chosen.first(where: { $0.line == wire.line }) {
        throw WiringError(
          option,
          "GPIO\(wire.line) is wired to pin \(other.pin) of '\(other.chip)' already; "
            + "use another line")
      }
      chosen.append(wire)
    }
    let usual = places.enumerated().flatMap { index, place in
      (0..<place.pins).map { Connection(chip: place.name, pin: $0 + 1, line: 2 * index + $0) }
    }
    connections =
      chosen
      + usual.filter { wire in
        wire.line < KernelServer.lines
          && !chosen.contains { $0.line == wire.line || $0.chip == wire.chip && $0.pin == wire.pin }
      }
  }

  /// Returns the wiring of a chip's pins, such as `pin 1 GPIO4`.
  package func description(of chip: String) -> [String] {
    connections.filter { $0.chip == chip }.sorted { $0.pin < $1.pin }
      .map { "pin \($0.pin) GPIO\($0.line)" }
  }

  private static func wire(
    _ option: String, _ places: [SimulatedBoard.Place]
  ) throws(WiringError) -> Connection {
    let halves = option.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    let words = (halves.first ?? "").split(separator: ":", omittingEmptySubsequences: false)
      .map(String.init)
    guard halves.count == 2, (1...2).contains(words.count) else {
      throw WiringError(option, "expected a chip, its pin and a line, such as 'imu:1=GPIO4'")
    }
    guard let place = places.first(where: { $0.name == words[0] }) else {
      throw WiringError(
        option,
        "no simulated chip is called '\(words[0])'; expected "
          + places.filter { $0.pins > 0 }.map(\.name).joined(separator: ", "))
    }
    guard place.pins > 0 else {
      throw WiringError(option, "'\(place.name)' has no interrupt pin; remove the option")
    }
    let pin = words.count == 2 ? words[1] : "1"
    guard let number = Int(pin), (1...place.pins).contains(number) else {
      throw WiringError(
        option, "'\(place.name)' has no pin '\(pin)'; expected 1\(place.pins > 1 ? " or 2" : "")")
    }
    let last = KernelServer.lines - 1
    guard let line = (0...last).first(where: { "GPIO\($0)" == halves[1] }) else {
      throw WiringError(option, "'\(halves[1])' is not a line; expected GPIO0 to GPIO\(last)")
    }
    return Connection(chip: place.name, pin: number, line: line)
  }
}

/// A wiring option that is invalid.
package struct WiringError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The option, its error, and the valid form.
  package let description: String

  init(_ option: String, _ complaint: String) { description = "'\(option)': \(complaint)" }
}
