// SPDX-License-Identifier: Apache-2.0
#if Tool
  public import ChipCatalog
  internal import Quantities
  internal import Sensors
  internal import Text

  /// A board file to be written: the text for a detected or described board, with comments that
  /// explain every key.
  public struct BoardDraft: Sendable {
    /// A bus, with the name by which chips refer to it.
    public struct Bus: Sendable, Equatable {
      public var name: String
      public var wire: Wire
      /// The path of the bus's device node; `nil` for a simulated bus.
      public var path: String?

      public init(name: String, wire: Wire, path: String?) {
        self.name = name
        self.wire = wire
        self.path = path
      }
    }

    public struct Chip: Sendable {
      public var name: String
      public var description: ChipDescription
      /// The name of the chip's bus.
      public var bus: String
      /// The chip's 7-bit I2C address; `nil` on SPI.
      public var address: UInt8?
      /// The name of the interrupt line, such as GPIO4, or `simulated`; `nil` without an interrupt.
      public var interrupt: String?
      /// The chip's output data rate in Hz.
      public var rate: Double

      public init(
        name: String, description: ChipDescription, bus: String, address: UInt8?,
        interrupt: String? = nil, rate: Double
      ) {
        self.name = name
        self.description = description
        self.bus = bus
        self.address = address
        self.interrupt = interrupt
        self.rate = rate
      }
    }

    public var name: String
    public var buses: [Bus]
    public var chips: [Chip]

    public init(name: String, buses: [Bus], chips: [Chip]) {
      self.name = name
      self.buses = buses
      self.chips = chips
    }

    /// Returns a default name for a chip: `imu`, `compass` or `barometer`. A second IMU is `imu2`.
    public static func name(of chip: ChipDescription, besides names: [String]) -> String {
      let measures = chip.channels.map(\.channel)
      let usual =
        measures.contains(.rotationRate) || measures.contains(.acceleration)
        ? "imu"
        : measures.contains(.magneticField)
          ? "compass" : measures.contains(.pressure) ? "barometer" : "chip"
      guard names.contains(usual) else { return usual }
      var number = 2
      while names.contains("\(usual)\(number)") { number += 1 }
      return "\(usual)\(number)"
    }

    /// Returns a default rate in Hz for a chip. This rate is sufficient for usual purposes and low
    /// enough for every bus.
    public static func rate(of chip: ChipDescription) -> Double {
      let measures = chip.channels.map(\.channel)
      let wanted: Double =
        measures.contains(.rotationRate) ? 200 : measures.contains(.magneticField) ? 80 : 25
      return min(wanted, chip.rates.max() ?? wanted)
    }

    /// The text of the board file. `BoardFile` parses this text as the described board.
    public var text: String {
      var lines = [
        "# A board file for otolith. Lines that begin with '#' are comments; keys in comments are",
        "# optional. All keys: docs/reference/board-files.md",
        "otolith-board: 1", "",
      ]
      lines += comment("name", BoardFormat.board, 0)
      lines += ["name: \(YAMLText.quoted(name))", ""]
      lines += comment("buses", BoardFormat.board, 0) + ["buses:"]
      for bus in buses { lines += text(of: bus) }
      lines += [""] + comment("chips", BoardFormat.board, 0) + ["chips:"]
      for (index, chip) in chips.enumerated() { lines += text(of: chip, isFirst: index == 0) }
      for key in ["moves", "location", "pedometer", "wiring", "record-history"] {
        lines += [""] + suggestion(key, BoardFormat.board, 0)
      }
      return lines.joined(separator: "\n") + "\n"
    }

    private func text(of bus: Bus) -> [String] {
      guard let path = bus.path else {
        return ["  \(bus.name):"] + comment("simulated", BoardFormat.bus, 4) + [
          "    simulated: \(bus.wire.rawValue)"
        ]
      }
      var lines =
        ["  \(bus.name):"] + comment(bus.wire.rawValue, BoardFormat.bus, 4)
        + ["    \(bus.wire.rawValue): \(path)"]
      if bus.wire == .spi {
        lines += suggestion("speed-hz", BoardFormat.bus, 4) + suggestion("mode", BoardFormat.bus, 4)
      }
      return lines
    }

    /// Returns the lines with a chip's keys. Each key is explained by a comment at the first chip
    /// that has it.
    private func text(of chip: Chip, isFirst: Bool) -> [String] {
      let description = chip.description
      func says(_ key: String) -> [String] { isFirst ? comment(key, BoardFormat.chip, 4) : [] }
      var lines = ["  \(chip.name): # \(description.title): \(description.summary)"]
      lines +=
        says("chip") + ["    chip: \(description.name)"] + says("on") + ["    on: \(chip.bus)"]
      if let address = chip.address {
        let others = description.addresses.filter { $0 != address }.map(\.hexadecimal)
        lines += says("address")
        lines.append(
          "    address: \(address.hexadecimal)"
            + (others.isEmpty ? "" : " # \(NearestWord.list(others)) with its strap the other way"))
      }
      if description.interruptPins > 0 { lines += interrupt(chip, says) }
      if description.acquisitions.count > 1 {
        let isWired = chip.interrupt != nil && description.acquisitions.contains(.dataReady)
        let way: Acquisition =
          isWired ? .dataReady : description.acquisitions.contains(.fifo) ? .fifo : .polling
        let others = description.acquisitions.filter { $0 != way && $0 != .detections }
        lines += says("read-by")
        lines.append(
          "    read-by: \(way.boardName) # or \(NearestWord.list(others.map(\.boardName)))")
      }
      lines += says("rate-hz")
      lines.append(
        "    rate-hz: \(chip.rate.short) # \((description.rates.min() ?? 0).short) to \((description.rates.max() ?? 0).short)"
      )
      for row in Self.ranges {
        guard let channel = description.channels.first(where: { $0.channel == row.channel }),
          !channel.ranges.isEmpty
        else { continue }
        let ranges = channel.ranges.map { ($0 / row.unit).short }
        let usual = channel.ranges.first { $0 / row.unit >= row.usual * 0.995 }
        lines += comment(row.key, BoardFormat.chip, 4)
        lines.append(
          "    \(row.key): \(((usual ?? channel.ranges[0]) / row.unit).short) # \(NearestWord.list(ranges))"
        )
      }
      if description.channels.contains(where: { $0.channel.isVector }) {
        lines += says("mounting") + ["    mounting: [x, y, z]"]
      }
      return lines
    }

    private func interrupt(_ chip: Chip, _ says: (String) -> [String]) -> [String] {
      switch chip.interrupt {
      case "simulated": says("interrupt") + ["    interrupt: simulated"]
      case let line?: says("interrupt") + ["    interrupt: { line: \(YAMLText.quoted(line)) }"]
      case nil:
        says("interrupt")
          + [
            buses.first { $0.name == chip.bus }?.path == nil
              ? "    # interrupt: simulated" : "    # interrupt: { line: GPIO4 }"
          ]
      }
    }

    private static let ranges: [(key: String, channel: Channel, unit: Double, usual: Double)] = [
      ("acceleration-range-g", .acceleration, 1, 4),
      ("rotation-rate-range-dps", .rotationRate, .pi / 180, 500),
      ("magnetic-field-range-ut", .magneticField, 1, 400),
    ]

    /// Returns the lines of a comment that explains a key of a board file.
    private func comment(_ key: String, _ section: BoardSection, _ indent: Int) -> [String] {
      guard let row = section[key] else { return [] }
      let summary = row.summary.replacing("`", with: "'")
      let fallback = row.isRequired ? nil : row.fallback.map { " Left out: \($0)." }
      return Self.wrapped(summary + (fallback ?? "").replacing("`", with: "'"), indent)
    }

    /// Returns the lines of a comment that explains a key and contains the key itself, commented
    /// out.
    private func suggestion(_ key: String, _ section: BoardSection, _ indent: Int) -> [String] {
      guard let row = section[key] else { return [] }
      let spaces = String(repeating: " ", count: indent)
      return comment(key, section, indent) + ["\(spaces)# \(key): \(row.example)"]
    }

    private static func wrapped(_ text: String, _ indent: Int) -> [String] {
      let start = String(repeating: " ", count: indent) + "#"
      var lines = [start]
      for word in text.split(separator: " ") {
        if lines[lines.count - 1].count + 1 + word.count > 100 { lines.append(start) }
        lines[lines.count - 1] += " " + word
      }
      return lines
    }
  }
#endif
