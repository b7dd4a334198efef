// SPDX-License-Identifier: Apache-2.0
internal import Boards
internal import ChipCatalog
internal import Foundation
internal import Runtime
internal import LinuxSystem
internal import MotionServer
internal import Otolith
internal import MotionSources
import Sensors
internal import ServedSources
internal import Service

/// The processes of which Benchmarks/service.py makes its runs:
///
///     ServiceCost serve SOCKET fifo|data-ready
///         serves a simulated board at 1 kHz until it is killed
///     ServiceCost client WHERE acceleration|motion RATE
///         is a program until its input ends, and then prints its counts;
///         WHERE: a socket, or `fifo` or `data-ready`: its own board
///     ServiceCost garbage SOCKET COUNT
/// sends N messages of all kinds
@main
struct ServiceCost {
  static func main() async throws {
    let arguments = CommandLine.arguments
    switch arguments.dropFirst().first {
    case "serve" where arguments.count == 4: try serve(arguments[2], arguments[3])
    case "client" where arguments.count == 5:
      guard let rate = Double(arguments[4]), rate > 0 else { break }
      return try await client(arguments[2], arguments[3], rate)
    case "garbage" where arguments.count == 4:
      guard let count = Int(arguments[3]) else { break }
      return try garbage(arguments[2], count)
    default: break
    }
    FileHandle.standardError.write(
      Data("usage: ServiceCost serve|client|garbage ...: see Benchmarks/service.py\n".utf8))
    exit(64)  // EX_USAGE
  }

  private static func board(readBy: String) throws -> Board {
    try BoardFile.parse(
      """
      otolith-board: 1
      name: A fast board
      buses: { bus: { simulated: i2c } }
      chips:
        imu: { chip: "invensense,mpu6050", on: bus, address: 0x68, interrupt: simulated, rate-hz: 1000, read-by: \(readBy) }
      simulation: { motion: sway, noise: true }

      """, file: "fast.yaml", catalogue: ChipCatalog.descriptions)
  }

  private static func serve(_ path: String, _ readBy: String) throws {
    let session = BoardSession(try board(readBy: readBy))
    let socket = try ListeningSocket(path: path, kind: .packets)
    let server = try MotionServer(session, policy: ServicePolicy(group: nil, owner: geteuid()))
    FileHandle.standardOutput.write(Data("ready\n".utf8))
    _ = server.serve(socket, until: try WakeEvent())
  }

  private static func client(_ place: String, _ kind: String, _ rate: Double) async throws {
    let source: any MotionSource =
      place.hasPrefix("/")
      ? try ServiceSource(path: place) : BoardSession(try board(readBy: place))
    let hub = MotionHub()
    try hub.use(source)
    let interval = Duration.seconds(1 / rate)
    let witness = Witness()
    let listening = try hub.listen(witness)
    let loop = Task {
      if kind == "motion" {
        for try await motion in hub.deviceMotions(every: interval, buffering: .unbounded) {
          witness.take(motion.timestamp)
        }
      } else {
        for try await sample in hub.accelerations(every: interval, buffering: .unbounded) {
          witness.take(sample.timestamp)
        }
      }
    }
    // Two seconds to start and to warm up.
    try await Task.sleep(for: .seconds(2))
    let missing = lost(source)
    witness.begin()
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        while readLine() != nil {}
        continuation.resume()
      }
    }
    loop.cancel()
    _ = try? await loop.value
    listening.stop()
    // After a restart the count restarts.
    let chips = lost(source)
    print(
      witness.report(
        period: max(1 / rate, 0.001), missing: Int(chips > missing ? chips - missing : 0)))
  }

  /// Returns the number of samples that the chips took and that were not read.
  private static func lost(_ source: any MotionSource) -> UInt64 {
    source.report.reduce(0) { $0 + $1.health.missing }
  }

  private static func garbage(_ path: String, _ count: Int) throws {
    let greeting = ServiceRequest.hello(newest: 1, oldest: 1, program: "garbage").bytes
    let questions: [ServiceQuestion] = [.want(.everything), .fence, .calibration, .report, .status]
    let valid = [greeting] + questions.map { ServiceRequest.ask($0, serial: 7).bytes }
    var random = Garbage(seed: 99)
    var sent = 0
    var connections = 0
    var refusals = 0
    while sent < count, refusals < 5000 {
      guard let socket = try? PacketSocket(connectingTo: path) else {
        refusals += 1
        Thread.sleep(forTimeInterval: 0.001)
        continue
      }
      connections += 1
      refusals = 0
      if random.number(below: 2) == 0 { _ = socket.send(greeting) }
      sending: for _ in 0...random.number(below: 400) {
        var bytes = random.packet(like: valid, most: 1200)
        // What root or the owner would mean.
        if case .ask(let question, _)? = try? ServiceRequest(bytes[...]), question.isPrivileged {
          bytes.append(0)
        }
        let others = random.number(below: 64) == 0 ? [Int32](repeating: 0, count: 2) : []
        switch socket.send(bytes, descriptors: others) {
        case .sent: sent += 1
        case .full, .over: break sending
        }
      }
    }
    print("sent \(sent) connections \(connections)")
  }
}
