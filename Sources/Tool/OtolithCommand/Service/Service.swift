// SPDX-License-Identifier: Apache-2.0
import BoardCommands
import ArgumentParser
import Foundation
import Otolith
import Runtime
import Service

struct Service: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "service",
    abstract: "Own the board, and serve its motion to every program of the machine.",
    discussion: """
      Programs that are told nothing find the service by themselves, each at its own rate; the \
      chips run while one of them wants something. 'otolith service' alone serves; its options: \
      'otolith service serve --help'. docs/service.md tells the rest.
      """,
    subcommands: [Serve.self, Status.self, Reload.self, Forget.self], defaultSubcommand: Serve.self)

  struct Reload: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "reload",
      abstract: "Let the service read its board file again, and start the board anew.",
      discussion: "Where the file is wrong, the line says how, and everything stays as it is. "
        + "For root and the service's own user.")

    @OptionGroup var place: PlaceOption

    func run() throws {
      let control = try place.connect()
      do throws(ServiceFailure) { try control.reload() } catch { throw Failure(error) }
    }
  }

  struct Forget: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "forget",
      abstract: "Let the service forget what it learned of the board, and start it anew.",
      discussion: "That is gyroscope bias and magnetometer calibration, which it learns again. "
        + "For root and the service's own user.")

    @OptionGroup var place: PlaceOption

    func run() throws {
      let control = try place.connect()
      do throws(ServiceFailure) { try control.forget() } catch { throw Failure(error) }
    }
  }
}

/// The location of the service for a command.
struct PlaceOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The service's socket. (default: $OTOLITH_SOCKET, /run/otolith/otolith.sock or "
        + "$XDG_RUNTIME_DIR/otolith.sock)", valueName: "path"))
  var socket: String?

  func connect() throws(Failure) -> ServiceControl {
    let path = socket ?? ServicePlace.find()?.path ?? ServicePlace.systemPath
    do throws(ServiceFailure) { return try ServiceControl(path: path) } catch {
      throw Failure(error)
    }
  }
}
