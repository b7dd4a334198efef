// SPDX-License-Identifier: Apache-2.0
package import CommandOutput
import Simulation
import ArgumentParser
package import Boards
import Otolith
package import MotionSources

/// The options for the simulated world and its faults.
package struct SimulationOptions: ParsableArguments {
  @Flag(help: "Replace the chips by models, so that any board file runs without its hardware.")
  var simulate = false

  @Option(
    help: ArgumentHelp(
      "Hold the simulated world at these values, without noise: "
        + "\(SimulationDescription.Motion.keysOfHeld).",
      discussion: "Such as 'acceleration=0.1,-0.2,-0.97;pressure=98.7'.", valueName: "values"))
  var hold: String?

  @Option(
    help: ArgumentHelp(
      "Inject a fault, such as 'nack probability=0.01 chip=imu'. Can be repeated.",
      valueName: "fault"))
  var fault: [String] = []

  /// True if no simulation option is given.
  var isEmpty: Bool { !simulate && hold == nil && fault.isEmpty }

  /// Applies the options to the board's simulation, and adds them to the selection's description.
  package func apply(
    to selection: inout BoardSelection, moving motion: SimulationDescription.Motion = .sway
  ) throws(Failure) {
    let wasMadeUp = selection.board.isAllSimulated
    try apply(to: &selection.board, moving: motion)
    selection.isSimulatedInstead = simulate && !wasMadeUp
  }

  /// Applies the options to `board`. With `--simulate` alone, the simulated board moves by `motion`
  /// unless the board's file sets another motion.
  func apply(
    to board: inout Board, moving motion: SimulationDescription.Motion = .sway
  ) throws(Failure) {
    if simulate { board = try board.modelled(moving: motion) }
    guard hold != nil || !fault.isEmpty else { return }
    guard var simulation = board.simulation else {
      throw Failure(
        "\(hold != nil ? "--hold" : "--fault") needs a simulated bus, and \(board.file) has none; "
          + "--simulate makes models of all its chips", Failure.usage)
    }
    if let hold {
      do throws(HeldError) { simulation.motion = try .held(hold) } catch {
        throw Failure("--hold: \(error)", Failure.usage)
      }
      simulation.noise = .off
    }
    do throws(BoardErrors) {
      for text in fault {
        simulation.faults.append(try BoardFile.fault(text, for: board, option: "--fault"))
      }
    } catch { throw Failure(error.description, Failure.usage) }
    board.simulation = simulation
  }
}

extension Board {
  /// Returns the board with models in place of its chips. Throws if it has a sensor of the kernel.
  func modelled(
    moving motion: SimulationDescription.Motion = .sway
  ) throws(Failure) -> Board {
    guard let chip = chips.first(where: { $0.kernelSensor != nil }) else {
      return simulated(moving: motion)
    }
    throw Failure(
      "chip '\(chip.name)' of \(file) is read by the kernel, of which there is no model: write a "
        + "board file that names its part by 'chip' and its bus by 'on'", Failure.usage)
  }
}
