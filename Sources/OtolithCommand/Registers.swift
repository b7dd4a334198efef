// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Buses
import Otolith
import RegisterTools
import Registers
import Simulation

struct RegistersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "registers", abstract: "Look into a chip's registers.",
    subcommands: [Dump.self])

  struct Dump: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print every register of a chip with its named fields.",
      discussion: """
        An asterisk marks what differs from the contents after a reset, which follow in brackets. \
        Registers that change by being read are left alone unless --force is given. The chip is read \
        as it is; with --start its driver starts it first, as the board file says.
        """)

    @Option(help: "The chip's name in the board file.")
    var chip: String

    @Option(help: "The board file.")
    var board: String?

    @Flag(help: "Start the chip as the board file says, and then dump.")
    var start = false

    @Flag(help: "Read also what changes by being read.")
    var force = false

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
      let board: Board
      do throws(BoardErrors) { board = try BoardSelection.choose(path: self.board).board } catch {
        throw Failure(error)
      }
      let clock = LiveClock()
      let opened: Result<ChipAccess, BusError>?
      do throws(SessionError) {
        opened = try BoardBuilder(board, clock: clock.outside).open(chip)
      } catch { throw Failure(error) }
      guard let opened else {
        let names = board.chips.map(\.name).joined(separator: ", ")
        throw Failure("\(board.file) has no chip '\(chip)'; it has \(names)", Failure.usage)
      }
      let access: ChipAccess
      switch opened {
      case .success(let found): access = found
      case .failure(let error): throw failure(.bus(error, register: 0), board)
      }
      if !access.isKnown {
        Terminal.complain(
          "\(chip): its identity 0x\(hexadecimal(access.identity)) is not known; shown with the registers of "
            + "\(access.entry.description.name)")
      }
      if start {
        do throws(ChipError) { try access.startDriver(wait: clock.wait) } catch {
          try? access.stopDriver()
          throw failure(error, board)
        }
      }
      let dump = RegisterDump(access.entry.registers(), isForced: force) { try? access.read($0) }
      if start { try? access.stopDriver() }
      guard dump.lines.contains(where: { $0.value != nil }) else {
        throw failure(.bus(.noAcknowledge, register: 0), board)
      }
      if json {
        Terminal.write(dump.json + "\n", to: 1)
      } else {
        Terminal.say(
          "\(chip): \(access.entry.description.title), identity 0x\(hexadecimal(access.identity))")
        Terminal.write(dump.text, to: 1)
      }
    }

    private func failure(_ error: ChipError, _ board: Board) -> Failure {
      let placement = board.chips.first { $0.name == chip }
      if let host = placement?.behind {
        return Failure(
          "\(chip): is behind '\(host)' and reached only while that runs and connects its auxiliary bus",
          Failure.unavailable)
      }
      let sentence = placement.map { $0.sentence(for: error, on: board.bus($0.bus)) }
      return Failure(sentence ?? "\(error)", Failure.unavailable)
    }
  }
}

/// The machine's clock, and waiting by it.
struct LiveClock {
  let outside = OutsideClock { .now }

  func wait(_ span: TimeSpan) {
    if span > .zero { Thread.sleep(forTimeInterval: span.seconds) }
  }
}

private func hexadecimal(_ byte: UInt8) -> String {
  let digits = String(byte, radix: 16, uppercase: true)
  return digits.count < 2 ? "0" + digits : digits
}
