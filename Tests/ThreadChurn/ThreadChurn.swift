// SPDX-License-Identifier: Apache-2.0
import Boards
import ChipCatalog
import CoreMotion
import Otolith

/// Eight threads that do to managers and streams what programs do, all at once, under Thread
/// Sanitizer: `ThreadChurn SECONDS [--plant]`, built and run by `make test KIND=threads`.
///
/// Half of them use a simulated board, and half a script that pauses now and then. With `--plant`,
/// the handlers also count in a variable that nothing guards: the sanitizer must find that race, or
/// it would not find others either. The exit status is 1 if there is still a listener at the end,
/// and 66, which is Thread Sanitizer's, if the sanitizer has reported a race.
@main
struct ThreadChurn {
  static let threads = 8

  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard let seconds = arguments.first.flatMap(Double.init), seconds > 0 else {
      return end("usage: ThreadChurn SECONDS [--plant]", 64)
    }
    do {
      let board = try BoardFile.parse(
        boardText, file: "churn.yaml", catalogue: ChipCatalog.descriptions)
      try churn(over: board, for: seconds, plants: arguments.contains("--plant"))
    } catch { end("\(error)", 70) }
  }

  private static func churn(over board: Board, for seconds: Double, plants: Bool) throws {
    let boardHub = MotionHub()
    try boardHub.use(board)
    let script = ScriptedSource()
    let scriptHub = MotionHub()
    try scriptHub.use(script)
    let field = Field(hubs: [boardHub, scriptHub], plants: plants)
    let start = ProcessInfo.processInfo.systemUptime
    let end = start + seconds

    let player = DispatchGroup()
    run(in: player) { play(script, until: end) }
    let churners = DispatchGroup()
    for index in 0..<threads { run(in: churners) { Churner(index, field, until: end).run() } }
    guard churners.wait(timeout: .now() + seconds + 120) == .success else {
      return self.end("somebody hangs", 1)
    }
    player.wait()
    field.empty()

    print("\(threads) threads, \(Int(ProcessInfo.processInfo.systemUptime - start)) s:")
    print(field.tally)
    // All listeners have been stopped or released, so that within seconds there are none.
    let deadline = ProcessInfo.processInfo.systemUptime + 30
    while !(boardHub.reset() && scriptHub.reset()) {
      if ProcessInfo.processInfo.systemUptime > deadline {
        return self.end("somebody still listens", 1)
      }
      Thread.sleep(forTimeInterval: 0.01)
    }
  }

  private static func run(in group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
    group.enter()
    Thread.detachNewThread {
      body()
      group.leave()
    }
  }

  private static func end(_ text: String, _ status: Int32) {
    FileHandle.standardError.write(Data("ThreadChurn: \(text)\n".utf8))
    exit(status)
  }

  /// Sends samples at 500 Hz; for a tenth of each second the sensors give none.
  private static func play(_ script: ScriptedSource, until end: TimeInterval) {
    var count = 0
    while ProcessInfo.processInfo.systemUptime < end {
      Thread.sleep(forTimeInterval: 0.002)
      count += 1
      switch count % 500 {
      case 450: script.fail()
      case 499: script.recover()
      case 451..<499: break
      default:
        var sample = Sample(timestamp: .now, channels: [.acceleration, .rotationRate])
        sample.acceleration = Vector3(0, 0, -1)
        sample.rotationRate = Vector3(0, 0, 0.1)
        if count % 5 == 0 {
          sample.channels.formUnion(.magneticField)
          sample.magneticField = Vector3(20, 0, -43)
        }
        script.send(sample)
      }
    }
  }

  private static let boardText = """
    otolith-board: 1
    name: Churned board
    buses:
      i2c1: { simulated: i2c }
      i2c2: { simulated: i2c }
    chips:
      imu: { chip: "invensense,mpu6050", on: i2c1, address: 0x68, interrupt: simulated, rate-hz: 500 }
      compass: { chip: "st,lis3mdl", on: i2c2, address: 0x1C, rate-hz: 80 }
    location: { latitude-deg: 52.5, longitude-deg: 13.4, height-m: 40 }
    simulation: { motion: sway, noise: true }

    """
}
