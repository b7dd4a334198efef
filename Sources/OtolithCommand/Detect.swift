// SPDX-License-Identifier: Apache-2.0
import Boards
import BringUp
import ArgumentParser
import ChipCatalog
import Otolith
import Runtime
import Simulation

struct Detect: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Look for known chips on this machine's buses.",
    discussion: """
      Reads the identity registers of known chips at the addresses that their straps allow, on \
      every I2C adapter and SPI chip select, and asks the other addresses whether anybody is there; \
      nothing is written. Says of each place what it may be, what it is taken for and why; a chip \
      that is known and not supported yet is named, too. Ends with 69 where no supported chip was \
      found. 'otolith boards new' makes a board file of what is found.
      """)

  @Flag(help: "Print a board file for what was found, instead of the list.")
  var board = false

  @Option(
    help: ArgumentHelp(
      "Look on the simulated buses of this board file, or on those of a trace, not on the machine's.",
      valueName: "file"))
  var simulated: String?

  func run() throws {
    let detection = try Self.look(simulated: simulated)
    for error in detection.unopened { Terminal.complain("\(error)") }
    if board, let text = BoardSelection.boardText(of: detection) {
      Terminal.write(text, to: 1)
      return
    }
    // What was asked for is a board file: words about why there is none go elsewhere.
    for line in detection.explanation {
      if board { Terminal.complain(line) } else { Terminal.say(line) }
    }
    guard detection.chips.isEmpty else { return }
    throw Self.nothing(in: detection)
  }

  /// Returns the failure that no supported chip was found, with advice.
  static func nothing(in detection: Survey) -> Failure {
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

  /// A look at this machine's buses, or at the simulated ones of a board file.
  static func look(simulated: String?) throws -> Survey {
    guard let simulated else { return Detector.look() }
    let board: Board
    do throws(BoardErrors) {
      board = try BoardFile.load(path: simulated, catalogue: ChipCatalog.descriptions)
    } catch { throw Failure(error) }
    guard board.isMadeUp else {
      throw Failure("\(simulated): no bus of this board is simulated, or of a trace", Failure.usage)
    }
    do throws(SessionError) {
      return try Detector.look(on: board, clock: OutsideClock { .now })
    } catch { throw Failure(error) }
  }
}
