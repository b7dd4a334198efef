// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import Simulation
import Boards
import BringUp
import ArgumentParser
import ChipCatalog
import KernelSensors
import Otolith
import Quantities
import MotionSources
import Runtime

package struct Detect: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "detect",
    abstract: "Look for known chips on this machine's buses, and for the kernel's sensors.",
    discussion: """
      Reads the identity registers of known chips at all addresses they can have, on every I2C \
      adapter and SPI chip select, and probes the other addresses for a chip; nothing is written. \
      Lists for each address the possible chips, the chosen one and the reason; known but \
      unsupported chips are named too. Then come the sensors that drivers of the kernel read (IIO), \
      with what they offer; they are used if no chip is found on a bus. Exit status: 69 if no \
      supported chip or sensor was found. 'otolith boards new' writes a board file from the result.
      """)

  @OptionGroup var board: BoardOptions

  @Flag(help: "Print a board file for the chips found, instead of the list.")
  var yaml = false

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    if yaml, json {
      throw ValidationError("--yaml and --json exclude each other")
    }
  }

  func run() throws {
    let named = try board.load()
    let detection = try Self.detect(on: named, named: board.path)
    if !json { named?.sayNotice(onErrors: yaml) }
    for error in detection.unopened { Terminal.complain("\(error)") }
    if json {
      try Terminal.say(json: DetectReport(detection), of: named)
    } else if yaml, let text = BoardSelection.boardText(of: detection) {
      return Terminal.write(text, to: 1)
    } else {
      // With `--yaml` standard output is a board file, so the explanation goes to standard error.
      for line in detection.explanation {
        if yaml { Terminal.complain(line) } else { Terminal.say(line) }
      }
    }
    guard detection.chips.isEmpty, detection.usableKernelSensors.isEmpty else { return }
    throw Self.nothing(in: detection)
  }

  /// Returns the failure for a search that found no supported chip, with advice on the next step.
  static func nothing(in detection: DetectionResult) -> Failure {
    if detection.buses.isEmpty {
      return Failure(
        "this machine shows no I2C or SPI bus (/dev/i2c-*, /dev/spidev*): on a Raspberry Pi turn "
          + "them on with: sudo raspi-config nonint do_i2c 0; sudo raspi-config nonint do_spi 0",
        Failure.unavailable)
    }
    let isDenied = !detection.unopened.isEmpty && detection.unopened.count == detection.buses.count
    return Failure(
      "no supported chip found on \(detection.buses.joined(separator: ", ")): check wiring and power; "
        + "a chip that i2cdetect shows at another address can be named in a board file",
      isDenied ? Failure.noPermission : Failure.unavailable)
  }

  /// Scans this machine's buses, or the simulated ones of a board file.
  static func detect(on board: Board?, named path: String?) throws -> DetectionResult {
    guard let board else { return Detector.detect() }
    guard board.isMadeUp else {
      throw Failure(
        "\(path ?? board.file): no bus of this board is simulated, or of a trace; for models of its "
          + "chips add --simulate, for this machine's own buses leave the board out", Failure.usage)
    }
    do throws(SessionError) {
      return try Detector.detect(on: board, clock: OutsideClock { .now })
    } catch { throw Failure(error) }
  }
}

/// The responding addresses as JSON.
private struct DetectReport: Encodable {
  struct Place: Encodable {
    var bus: String
    var address: Int?
    /// The kind of chip, as it is named in board files.
    var chip: String
    var title: String
    var identity: Int?
    var isSupported: Bool
  }

  struct Sensor: Encodable {
    var name: String
    var label: String?
    var place: String
    var node: String?
    var measures: [String]
    var rates: [Double]
    var isUsable: Bool
  }

  var buses: [String]
  /// The device nodes that could not be opened, with the reasons.
  var unopened: [String]
  var hat: String?
  var chips: [Place]
  /// The sensors that drivers of the kernel read.
  var kernelSensors: [Sensor]
  /// The explanations as printed for users, one line each.
  var explanation: [String]

  init(_ result: DetectionResult) {
    buses = result.buses
    unopened = result.unopened.map { "\($0)" }
    hat = result.hat
    chips = result.chips.map {
      Place(
        bus: $0.bus, address: $0.address.map(Int.init), chip: $0.candidate.name,
        title: $0.candidate.title,
        identity: $0.identity.map(Int.init), isSupported: true)
    }
    chips += result.known.map {
      Place(
        bus: $0.bus, address: Int($0.address), chip: $0.chip.name, title: $0.chip.title,
        identity: Int($0.identity), isSupported: false)
    }
    let usable = result.usableKernelSensors
    kernelSensors = result.kernelSensors.map { sensor in
      Sensor(
        name: sensor.name, label: sensor.label, place: sensor.place, node: sensor.node,
        measures: Channel.allCases.filter(sensor.measures.contains).map { "\($0.row.name)" },
        rates: sensor.rates, isUsable: usable.contains(sensor))
    }
    explanation = result.explanation
  }
}
