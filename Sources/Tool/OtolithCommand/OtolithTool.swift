// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import BoardCommands
import ArgumentParser
import Logging

// Each command sets its name explicitly. Otherwise the parser would derive the name from the type
// by searching all protocol conformances, which takes a third of a command's start-up time.
@main
struct OtolithTool: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "otolith",
    abstract: "Motion sensing on Linux: find, read and replay inertial sensors.",
    version: Release.version,
    groupedSubcommands: [
      CommandGroup(
        name: "Motion",
        subcommands: [
          Run.self, Monitor.self, ServeCommand.self, Record.self, Steps.self, Activity.self,
          HistoryCommand.self, Replay.self,
        ]),
      CommandGroup(
        name: "Bring-up",
        subcommands: [
          BringUpCommand.self,
          Buses.self,
          Scan.self,
          Detect.self,
          SelfTest.self,
          InterruptCommand.self,
          QueueCommand.self,
          BusErrors.self,
          NoiseCommand.self,
          RegistersCommand.self,
          Calibrate.self,
          Boards.self,
          TraceCommand.self,
          Simulate.self,
        ]),
      CommandGroup(
        name: "Services",
        subcommands: [
          Service.self, Install.self, Publish.self, SensorProxyCommand.self,
        ]),
    ])

  static func main() {
    // Check memory first, because the parser alone allocates megabytes and a failed allocation is a
    // trap.
    do throws(Failure) { try MemoryRoom.check() } catch {
      Terminal.complain(error.message)
      Terminal.exit(withStatus: error.status)
    }
    if let line = MistypedCommand.lineOfForeignBytes() { refuse(line) }
    let arguments = CommandLine.arguments.dropFirst()
    if let line = MistypedCommand.line(arguments) { refuse(line) }
    var command: any ParsableCommand
    do { command = try parseAsRoot() } catch {
      // The parser also throws help, version and shell completions. Print these as normal output.
      if exitCode(for: error) == .success { show(error) }
      refuse(UsageMistake.line(error, arguments))
    }
    do {
      // The log system must be set before any logger is created.
      let isService = command is Service.Serve
      LoggingSystem.bootstrap { label in
        guard isService else { return CommandLog() }
        var handler = StreamLogHandler.standardError(label: label)
        handler.logLevel = .notice
        return handler
      }
      try DescriptorRoom.check()
      try command.run()
    } catch let failure as Failure {
      Terminal.complain(failure.message)
      Terminal.exit(withStatus: failure.status)
    } catch {
      guard exitCode(for: error) == .success else { exit(withError: error) }
      show(error)
    }
  }

  /// Prints the parser's output (help, version or completions) and exits. The parser's own print
  /// function does not detect write errors.
  private static func show(_ error: any Error) -> Never {
    let text = fullMessage(for: error)
    if !text.isEmpty { Terminal.write(text + "\n", to: 1) }
    Terminal.exit(withStatus: 0)
  }

  private static func refuse(_ line: String) -> Never {
    Terminal.complain(line)
    Terminal.exit(withStatus: Failure.usage)
  }
}
