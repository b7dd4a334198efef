// SPDX-License-Identifier: Apache-2.0
internal import Runtime
internal import Boards
internal import ChipCatalog
internal import CoreMotion
internal import Otolith
internal import MotionSources
import Sensors

/// Measures what device motion at 1 kHz costs on its way to three managers:
/// `DeliveryCost managers|board data-ready|registers|fifo SECONDS`
///
/// The board is simulated, read by data-ready edges at 1 kHz (`registers`: late samples are lost)
/// or from its FIFO; the managers have intervals of 0.001, 0.01 and 0.1 s and a queue each. `board`
/// is the same board with its fusion and without a listener. Prints lines of a name and numbers:
/// `cpu` nanoseconds of processor time a second, `samples` a second, `lost`; for each manager its
/// `rate` in Hz and, of the first, `latency` p50 and p99 from a sample's time stamp to its handler
/// in nanoseconds.
@main
struct DeliveryCost {
  static let intervals = [0.001, 0.01, 0.1]

  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, ["managers", "board"].contains(arguments[1]),
      ["data-ready", "registers", "fifo"].contains(arguments[2]),
      let seconds = Double(arguments[3]), seconds > 0
    else {
      FileHandle.standardError.write(
        Data("usage: DeliveryCost managers|board data-ready|registers|fifo SECONDS\n".utf8))
      exit(64)  // EX_USAGE
    }
    let board = try BoardFile.parse(
      text(
        readBy: arguments[2] == "registers" ? "data-ready, late-samples: lost" : arguments[2]),
      file: "fast.yaml", catalogue: ChipCatalog.descriptions)
    let session = BoardSession(board)
    if arguments[1] == "board" {
      try session.start()
      measure(session, for: seconds) {}
      return session.stop()
    }
    let hub = MotionHub()
    try hub.use(session)
    var runs: [Run] = []
    for interval in intervals { runs.append(Run(hub, interval, seconds)) }
    measure(session, for: seconds) { for run in runs { run.begin() } }
    for run in runs { run.end() }
    for run in runs { print("rate", run.rate) }
    print("latency", runs[0].latency(0.5), runs[0].latency(0.99))
  }

  /// Two seconds to start and to warm up, then `begin`, then what `seconds` cost.
  private static func measure(_ session: BoardSession, for seconds: Double, _ begin: () -> Void) {
    Thread.sleep(forTimeInterval: 2)
    begin()
    let (time, count, cost) = (now(), session.pipeline.samples.count, processorTime())
    let missing = session.report.reduce(0) { $0 + $1.health.missing }
    Thread.sleep(forTimeInterval: seconds)
    let span = now() - time
    print("cpu", (processorTime() - cost) / span * 1e9)
    print("samples", Double(session.pipeline.samples.count - count) / span)
    print("lost", session.report.reduce(0) { $0 + $1.health.missing } - missing)
  }

  fileprivate static func now() -> Double { ProcessInfo.processInfo.systemUptime }

  /// Of all threads, in user mode and in the kernel, seconds.
  private static func processorTime() -> Double {
    var time = timespec()
    // The pointer is used within the call only.
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  private static func text(readBy: String) -> String {
    """
    otolith-board: 1
    name: A fast board
    buses: { bus: { simulated: i2c } }
    chips:
      imu: { chip: "invensense,mpu6050", on: bus, address: 0x68, interrupt: simulated, rate-hz: 1000, read-by: \(readBy) }
    simulation: { motion: sway, noise: true }

    """
  }
}

/// One manager at work, and when its items came. Unchecked: its handler runs on a queue that does
/// one thing at a time, and the rest is read after the last.
private final class Run: @unchecked Sendable {
  private let manager: CMMotionManager
  private let queue = OperationQueue()
  private let begun = NSLock()
  private var isMeasured = false
  private var stamps: [Double] = []
  private var latencies: [Double] = []

  init(_ hub: MotionHub, _ interval: Double, _ seconds: Double) {
    manager = CMMotionManager(hub: hub)
    manager.deviceMotionUpdateInterval = interval
    queue.maxConcurrentOperationCount = 1
    let count = Int((seconds + 3) / interval)
    stamps.reserveCapacity(count)
    latencies.reserveCapacity(count)
    manager.startDeviceMotionUpdates(to: queue) { [unowned self] motion, _ in
      guard let motion else { return }
      let now = DeliveryCost.now()
      guard begun.withLock({ isMeasured }) else { return }
      stamps.append(motion.timestamp)
      latencies.append(now - motion.timestamp)
    }
  }

  func begin() { begun.withLock { isMeasured = true } }

  func end() {
    manager.stopDeviceMotionUpdates()
    queue.waitUntilAllOperationsAreFinished()
  }

  /// Items a second of the sensor's own time, and the longest time between two.
  var rate: String {
    guard let first = stamps.first, let last = stamps.last, last > first else { return "0 0" }
    let gap = zip(stamps, stamps.dropFirst()).map { $1 - $0 }.max() ?? 0
    return "\(Double(stamps.count - 1) / (last - first)) \(gap)"
  }

  /// Nanoseconds that this part of the items did not take.
  func latency(_ part: Double) -> Double {
    let sorted = latencies.sorted()
    return sorted.isEmpty ? 0 : sorted[Int(Double(sorted.count - 1) * part)] * 1e9
  }
}
