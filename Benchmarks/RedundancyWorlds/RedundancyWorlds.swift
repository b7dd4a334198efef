// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Quantities
internal import Redundancy

/// Simulates boards with several unlike chips and prints what the virtual sensor makes of them:
/// `RedundancyWorlds noise|worlds|faults|cost [RUNS] [SEED] [FAULT [CHIPS RUN]]`. With VERBOSE in
/// the environment each run that fails is printed, with EVENTS each change of a condition.
/// `RedundancyWorlds cost CHIPS` is for a profiler, and `RedundancyWorlds recording FILE` is called
/// by second_imu.py.
@main
struct RedundancyWorlds {
  static func main() {
    let arguments = CommandLine.arguments
    let runs = arguments.count > 2 ? Int(arguments[2]) ?? 100 : 100
    let seed = arguments.count > 3 ? UInt64(arguments[3]) ?? 1 : 1
    let only = arguments.count > 4 ? Fault(rawValue: arguments[4]) : nil
    var chosen: (chips: Int, run: Int)?
    if arguments.count > 6, let chips = Int(arguments[5]), let run = Int(arguments[6]) {
      chosen = (chips, run)
    }
    switch arguments.count > 1 ? arguments[1] : "" {
    case "noise": NoiseReport.print(seed: seed)
    case "worlds": WorldReport.print(runs: runs, seed: seed)
    case "faults": FaultReport.print(runs: runs, seed: seed, only: only, run: chosen)
    case "cost": CostReport.print(seed: seed, only: arguments.count > 2 ? runs : nil)
    case "recording" where arguments.count > 2:
      do {
        try RecordingReport.print(arguments[2], seed: 1)
      } catch {
        FileHandle.standardError.write(
          Data("RedundancyWorlds: \(arguments[2]) cannot be read: \(error)\n".utf8))
        exit(66)  // EX_NOINPUT
      }
    default:
      FileHandle.standardError.write(
        Data(
          "usage: RedundancyWorlds noise|worlds|faults|cost [RUNS] [SEED] [FAULT [CHIPS RUN]]\n"
            .utf8))
      exit(64)  // EX_USAGE
    }
  }

  /// Draws chips of different sheets at different rates.
  static func chips(
    _ number: Int, rates: [Double] = [100, 200, 200, 400], batch: Int = 1, on track: Track,
    _ draws: inout Draws
  ) -> [SimulatedChip] {
    var sheets = ChipSheet.all
    let largest = track.largestRate(after: 4)
    return (0..<number).map { _ in
      let sheet = sheets.remove(at: draws.index(below: sheets.count))
      return SimulatedChip(
        sheet, rate: rates[draws.index(below: rates.count)], batch: batch, largestRate: largest,
        &draws)
    }
  }
}

func text(_ value: Double, _ digits: Int = 2) -> String {
  String(format: "%.\(digits)f", value)
}
