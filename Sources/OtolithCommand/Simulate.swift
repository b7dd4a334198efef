// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusService
import Dispatch
import Foundation
import LinuxBus
import Otolith

struct Simulate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serve a board's simulated buses to other programs.",
    discussion: """
      The models of the board's chips answer I2C and SPI transactions on a unix socket, so that \
      drivers written elsewhere can be run without hardware; docs/simulation.md tells how. Ctrl-C \
      ends it.
      """)

  @Option(help: "The board file; its simulated buses are served.")
  var board: String

  @Option(help: ArgumentHelp("Where the socket shall be.", valueName: "path"))
  var listen: String

  @OptionGroup var options: SimulationOptions

  func validate() throws {
    if listen.isEmpty { throw ValidationError("--listen is the path of a socket") }
  }

  func run() throws {
    var board: Board
    do throws(BoardErrors) {
      board = try BoardFile.load(path: self.board, catalogue: ChipCatalog.descriptions)
    } catch { throw Failure(error) }
    try options.apply(to: &board)
    let simulated: SimulatedBoard
    do throws(SessionError) { simulated = try SimulatedBoard(board) } catch { throw Failure(error) }
    let bell: Doorbell
    do throws(OpenError) { bell = try Doorbell() } catch { throw Failure(.open(error)) }
    // From here on Ctrl-C and a service manager's stop end the loop, and the socket goes.
    let signals = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { bell.ring() }
      source.resume()
      return source
    }
    defer { for source in signals { source.cancel() } }
    var server: SocketServer
    do throws(ServerError) { server = try SocketServer(path: listen) } catch {
      throw Failure(error)
    }
    Terminal.complain("\(board.name), \(board.file), on \(listen): \(Self.list(simulated))")
    server.serve(simulated, until: bell)
  }

  /// What is reached where.
  private static func list(_ board: SimulatedBoard) -> String {
    let lists = Wire.allCases.compactMap { wire -> String? in
      let chips = board.places.filter { $0.wire == wire }.map { place in
        let select =
          wire == .i2c
          ? "0x" + String(place.select, radix: 16, uppercase: true) : "\(place.select)"
        return "\(select) \(place.chip)"
      }
      guard !chips.isEmpty else { return nil }
      return "\(wire == .i2c ? "I2C" : "SPI") " + chips.joined(separator: ", ")
    }
    return lists.joined(separator: "; ")
  }
}

/// What the chips of simulated buses shall feel, and what shall befall them.
struct SimulationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Hold the world still at these values, without noise: acceleration, rotation-rate, "
        + "magnetic-field, pressure, temperature, humidity.",
      discussion: "Such as 'acceleration=0.1,-0.2,-0.97;pressure=98.7'.", valueName: "values"))
  var hold: String?

  @Option(
    help: ArgumentHelp(
      "Let something go wrong, such as 'nack probability=0.01 chip=imu'. Can be repeated.",
      valueName: "fault"))
  var fault: [String] = []

  /// Changes what `board` says of its simulation.
  func apply(to board: inout Board) throws(Failure) {
    guard hold != nil || !fault.isEmpty else { return }
    guard var simulation = board.simulation else {
      throw Failure(
        "\(hold != nil ? "--hold" : "--fault") needs a simulated bus, and \(board.file) has none",
        Failure.usage)
    }
    if let hold {
      do throws(HeldError) { simulation.motion = try .held(hold) } catch {
        throw Failure("--hold: \(error)", Failure.usage)
      }
      simulation.noise = false
    }
    do throws(BoardErrors) {
      for text in fault {
        simulation.faults.append(try BoardFile.fault(text, for: board, option: "--fault"))
      }
    } catch { throw Failure(error.description, Failure.usage) }
    board.simulation = simulation
  }
}

extension Failure {
  init(_ error: ServerError) {
    switch error.cause {
    case .inUse: self.init(error.description, Self.unavailable)
    case .noPermission: self.init(error.description, Self.noPermission)
    case .notASocket, .tooLong, .noFolder, .system:
      self.init(error.description, Self.cannotCreate)
    }
  }
}
