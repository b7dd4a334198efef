// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import ArgumentParser
import Boards
import ChipCatalog
import SimulatedBuses
import Foundation
internal import Runtime
import LinuxBus
package import LinuxSystem
import Otolith

package struct Simulate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Serve a board's simulated buses to other programs.",
    discussion: """
      The models of the board's chips answer I2C and SPI transactions on a unix socket, or as the \
      virtual bench's /dev/i2c-N, /dev/spidevB.C and GPIO lines, so that other drivers can be \
      tested without hardware. docs/simulation.md has the details. Ctrl-C quits.
      """)

  @OptionGroup var board: BoardOptions

  @Option(
    help: ArgumentHelp("The path of the socket.", valueName: "path"), completion: .file())
  var listen: String?

  @Option(
    defaultAsFlag: KernelServer.usualPath,
    help: ArgumentHelp(
      "Serve the virtual bench's buses and drive its GPIO lines.", valueName: "device"))
  var kernel: String?

  @Option(
    help: ArgumentHelp(
      "Connect a chip's interrupt pin to a line of the virtual bench. Can be repeated.",
      discussion: "Such as 'mpu6050:1=GPIO4'. Otherwise pin 1 of chip k is on GPIO 2k, counted "
        + "from 0, and pin 2 on the next.", valueName: "chip:pin=line"))
  var interrupt: [String] = []

  func validate() throws {
    if board.path == nil {
      throw ValidationError("name the board whose chips are served, such as 'simulated'")
    }
    switch (listen, kernel) {
    case (nil, nil):
      throw ValidationError(
        "no place to serve; give --listen and the path of a socket, or --kernel")
    case (.some, .some):
      throw ValidationError("--listen and --kernel exclude each other")
    case ("", nil): throw ValidationError("--listen is the path of a socket")
    case (nil, ""): throw ValidationError("--kernel is the path of the virtual bench's device")
    default: break
    }
    if kernel == nil, !interrupt.isEmpty {
      throw ValidationError("--interrupt needs --kernel: a socket has no interrupt lines")
    }
  }

  func run() throws {
    guard var board = try self.board.load() else { return }
    // `simulate` replaces the chips of a hardware board by simulated ones even without an option.
    if !board.buses.contains(where: \.isSimulated) { board = try board.modelled() }
    let simulated: SimulatedBoard
    do throws(SessionError) { simulated = try SimulatedBoard(board) } catch { throw Failure(error) }
    // From here on, Ctrl-C and a service manager's stop end the loop, so that the socket is
    // removed.
    let signals = try EndSignals()
    defer { signals.cancel() }
    if let kernel {
      try serve(simulated, of: board, device: kernel, until: signals.wakeEvent)
    } else if let listen {
      try serve(simulated, of: board, socket: listen, until: signals.wakeEvent)
    }
  }

  private func serve(
    _ simulated: SimulatedBoard, of board: Board, socket: String, until wakeEvent: WakeEvent
  ) throws(Failure) {
    var server: SocketServer
    do throws(SocketError) { server = try SocketServer(path: socket) } catch {
      throw Failure(error)
    }
    Terminal.complain("\(board.name), \(board.file), on \(socket): \(Self.list(simulated))")
    server.serve(simulated, until: wakeEvent)
  }

  private func serve(
    _ simulated: SimulatedBoard, of board: Board, device: String, until wakeEvent: WakeEvent
  ) throws(Failure) {
    let wiring: Wiring
    do throws(WiringError) { wiring = try Wiring(simulated.places, interrupt) } catch {
      throw Failure("--interrupt \(error)", Failure.usage)
    }
    simulated.wire(wiring)
    var server: KernelServer
    do throws(BenchError) { server = try KernelServer(path: device) } catch {
      throw Failure(error)
    }
    Terminal.complain(
      "\(board.name), \(board.file), on \(device): \(Self.list(simulated, wiring))")
    defer { if let text = Self.list(server.shortfalls) { Terminal.complain(text) } }
    do throws(BenchError) { try server.serve(simulated, until: wakeEvent) } catch {
      throw Failure(error)
    }
  }

  /// Returns a list of the board's chips with their addresses.
  private static func list(_ board: SimulatedBoard, _ wiring: Wiring? = nil) -> String {
    let lists = Wire.allCases.compactMap { wire -> String? in
      let chips = board.places.filter { $0.wire == wire }.map { place in
        let select =
          wire == .i2c
          ? "0x" + String(place.select, radix: 16, uppercase: true) : "\(place.select)"
        let pins = wiring?.description(of: place.name) ?? []
        return "\(select) \(place.chip)"
          + (pins.isEmpty ? "" : " (\(pins.joined(separator: ", ")))")
      }
      guard !chips.isEmpty else { return nil }
      return "\(wire == .i2c ? "I2C" : "SPI") " + chips.joined(separator: ", ")
    }
    return lists.joined(separator: "; ")
  }

  /// Returns a list of the failures that occurred while buses were served; `nil` if there were
  /// none.
  private static func list(_ shortfalls: KernelServer.Shortfalls) -> String? {
    let counts = [
      ("changes of a line not taken", shortfalls.edges), ("answers too late", shortfalls.answers),
      ("unknown records", shortfalls.garbled),
    ].filter { $0.1 > 0 }
    guard !counts.isEmpty else { return nil }
    return counts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }
}

extension Failure {
  package init(_ error: SocketError) {
    switch error.cause {
    case .inUse: self.init(error.description, Self.unavailable)
    case .noPermission: self.init(error.description, Self.noPermission)
    case .inherited: self.init(error.description, Self.configuration)
    case .notASocket, .tooLong, .noFolder, .access, .system:
      self.init(error.description, Self.cannotCreate)
    }
  }
}

extension Failure {
  init(_ error: BenchError) {
    switch error.cause {
    case .missing, .busy: self.init(error.description, Self.unavailable)
    case .noPermission: self.init(error.description, Self.noPermission)
    case .notADevice: self.init(error.description, Self.usage)
    case .gone, .garbled, .system: self.init(error.description, Self.inputOutput)
    }
  }
}
