// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import ArgumentParser
import Foundation
import Otolith
import Runtime
import Service

struct Service: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "service",
    abstract: "Run the board as a service for all programs on this machine.",
    discussion: """
      Programs find the service automatically, and each selects its own rate; the chips run while \
      at least one program needs samples. 'otolith service' without a subcommand serves; its \
      options: 'otolith service serve --help'. docs/service.md has the details.
      """,
    subcommands: [Serve.self, Status.self, Reload.self, Forget.self], defaultSubcommand: Serve.self)

  struct Reload: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "reload",
      abstract: "Reload the service's board file and restart the board.",
      discussion: "If the file has an error, it is printed and nothing changes. Only for root and "
        + "the service's user.")

    @OptionGroup var place: PlaceOption

    func run() throws {
      let control = try place.connect()
      do throws(ServiceFailure) { try control.reload() } catch { throw Failure(error) }
    }
  }

  struct Forget: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "forget",
      abstract: "Discard the sensor errors that the service has learned, and restart the board.",
      discussion: "These are gyroscope bias and magnetometer calibration, which fusion learns "
        + "again. Only for root and the service's user.")

    @OptionGroup var place: PlaceOption

    func run() throws {
      let control = try place.connect()
      do throws(ServiceFailure) { try control.forget() } catch { throw Failure(error) }
    }
  }
}

/// The option for the path of the service's socket.
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
