// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import Simulation
import Boards
import BringUp
import ArgumentParser
import ChipCatalog
import Foundation
import LinuxBus
import Otolith
import Registers
import MotionSources
import Runtime
import Text

struct RegisterChipOptions: ParsableArguments {
  @Option(
    help: "The chip, by its name in the board file or its kind.", completion: .chips)
  var chip: String

  @OptionGroup var board: BoardOption

  /// Opens the chip for this program only. Prints a warning on standard error if the chip's
  /// identity is unknown, and a notice if the board is simulated. With `isReport` the notice goes
  /// to standard output.
  func open(isReport: Bool = false, for registers: [String] = []) throws -> OpenedChip {
    if board.path == nil, let word = registers.first(where: BoardOption.isBoard) {
      throw Failure(
        "'\(word)' is a board, but this command takes registers: name the board with --board "
          + "\(word)",
        Failure.usage)
    }
    let board = try board.select().board
    board.sayNotice(onErrors: !isReport)
    let chip = try board.chip(named: chip).name
    let clock = LiveClock()
    let opened: Result<ChipAccess, BusError>?
    do throws(SessionError) {
      opened = try BoardBuilder(board, clock: clock.outside).open(chip)
    } catch { throw Failure(error) }
    guard let opened else {
      throw Failure("\(board.file): '\(chip)' is not on an open bus", Failure.unavailable)
    }
    switch opened {
    case .success(let access):
      if !access.isKnown {
        Terminal.complain(
          "\(chip): its identity 0x\(hexadecimal(access.identity)) is not known; shown with the registers of "
            + "\(access.entry.description.name)")
      }
      return OpenedChip(access, board, clock)
    case .failure(let error):
      throw OpenedChip.failure(.bus(error, register: 0), chip, board)
    }
  }
}

/// A chip that was opened to access its registers.
struct OpenedChip {
  let access: ChipAccess
  let board: Board
  let rows: [RegisterRow]
  private let clock: LiveClock

  init(_ access: ChipAccess, _ board: Board, _ clock: LiveClock) {
    self.access = access
    self.board = board
    self.clock = clock
    rows = access.entry.registers()
  }

  var name: String { access.placement.name }

  /// Starts the chip's driver with the settings of the board file.
  func start() throws(Failure) {
    do throws(ChipError) { try access.startDriver(wait: clock.wait) } catch {
      try? access.stopDriver()
      throw Self.failure(error, name, board)
    }
  }

  func wait(_ span: TimeSpan) { clock.wait(span) }

  func read(_ row: RegisterRow) throws(Failure) -> UInt16 {
    do throws(BusError) { return try access.read(row) } catch {
      throw Self.failure(.bus(error, register: row.address), name, board)
    }
  }

  func write(_ value: UInt16, to row: RegisterRow) throws(Failure) {
    do throws(BusError) { try access.write(value, to: row) } catch {
      throw Self.failure(.bus(error, register: row.address), name, board)
    }
  }

  /// Returns the contents of all registers that can be read without side effects.
  func snapshot(isForced: Bool = false) throws(Failure) -> [FlatAddress: UInt16] {
    let dump = RegisterDump(rows, isForced: isForced) { try? access.read($0) }
    var values: [FlatAddress: UInt16] = [:]
    for line in dump.lines { values[line.row.place] = line.value }
    guard !values.isEmpty else {
      throw Self.failure(.bus(.noAcknowledge, register: 0), name, board)
    }
    return values
  }

  func queries(_ texts: [String]) throws(Failure) -> [RegisterQuery] {
    var queries: [RegisterQuery] = []
    for text in texts {
      do throws(RegisterQueryError) { queries.append(try RegisterQuery(text, among: rows)) } catch {
        let isFar =
          error.kind == .register && NearestWord.several(to: error.text, among: error.known).isEmpty
        throw Failure(
          "\(name): \(error.localizedDescription)"
            + (isFar ? "; otolith registers dump lists all" : ""), Failure.usage)
      }
    }
    return queries
  }

  /// Returns the queries for registers to read. Throws for a register whose reading has a side
  /// effect, unless the user forces the read.
  func queries(toRead texts: [String], isForced: Bool) throws(Failure) -> [RegisterQuery] {
    let queries = try queries(texts)
    for query in queries where !isForced {
      if let refusal = query.refusalOfReading {
        throw Failure("\(name): \(refusal)", Failure.usage)
      }
    }
    return queries
  }

  static func failure(_ error: ChipError, _ chip: String, _ board: Board) -> Failure {
    let placement = board.chips.first { $0.name == chip }
    if let host = placement?.behind {
      return Failure(
        "\(chip): is behind '\(host)' and reachable only while that chip runs and connects its "
          + "auxiliary bus",
        Failure.unavailable)
    }
    let sentence = placement.map { $0.sentence(for: error, on: board.bus($0.bus)) }
    return Failure(sentence ?? "\(error)", Failure.unavailable)
  }
}

/// The machine's clock, and a function that waits.
struct LiveClock {
  let outside = OutsideClock { .now }

  func wait(_ span: TimeSpan) {
    if span > .zero { Thread.sleep(forTimeInterval: span.seconds) }
  }
}
