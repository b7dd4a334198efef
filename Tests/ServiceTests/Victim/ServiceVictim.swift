// SPDX-License-Identifier: Apache-2.0
import Boards
import ChipCatalog
import CoreMotion
import Glibc
import Runtime
import LinuxSystem
import MotionServer
import Otolith
import MotionSources
import ServedSources
import Service
import SystemPackage

/// The separate process in the tests of the service: they stop and kill it, or let it run as another
/// user.
///
///     ServiceVictim follow SOCKET          keeps account of the numbered stream there, and writes the
///                                          account down again and again
///     ServiceVictim serve SOCKET RATE      serves a simulated board
///     ServiceVictim start                  starts an accelerometer as any program does, and says what
///                                          its handler receives
///     ServiceVictim open SOCKET COUNT      connects COUNT times at once
///     ServiceVictim ask SOCKET ORDER...    sends the commands to restart the board (`reload`) or to
///                                          forget what was learned (`forget`)
///     ServiceVictim read PATH COUNT        reads a ring in the memory there until COUNT elements were
///                                          written to it
///     ServiceVictim as USER GROUP MODE...  does any of these as another user, without further groups
@main
enum ServiceVictim {
  static func main() throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.count > 3, arguments[0] == "as", let user = UInt32(arguments[1]),
      let group = UInt32(arguments[2])
    {
      // The process is then in no group except this one.
      guard setgroups(0, nil) == 0, setgid(group) == 0, setuid(user) == 0 else {
        return say("cannot be \(user): errno \(errno)")
      }
      arguments.removeFirst(3)
    }
    let place = arguments.count > 1 ? arguments[1] : ""
    let number = arguments.count > 2 ? Int(arguments[2]) ?? 0 : 0
    switch arguments.first {
    case "follow": try follow(place)
    case "serve": try serve(place, rate: number)
    case "start": start()
    case "open": open(place, count: number)
    case "ask": try ask(place, arguments.dropFirst(2))
    case "read": try read(place, count: UInt64(number))
    default: say("what shall it do?")
    }
  }

  /// Writes a line with a system call, without a buffer: what is in a buffer is lost when the
  /// process is killed.
  static func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = unsafe Glibc.write(1, bytes, bytes.count)  // the array lives for the call
  }

  private static func follow(_ path: String) throws {
    let hub = MotionHub()
    try hub.use(ServiceSource(path: path))
    let ledger = Ledger()
    let listening = try hub.listen(ledger)
    while true {
      Thread.sleep(forTimeInterval: 0.02)
      say("\(ledger.account)")
      withExtendedLifetime(listening) {}
    }
  }

  private static func serve(_ path: String, rate: Int) throws {
    let board = try BoardFile.parse(
      """
      otolith-board: 1
      name: Served board
      buses: { bus: { simulated: i2c } }
      chips: { imu: { chip: "invensense,mpu6050", on: bus, address: 0x68, rate-hz: \(rate) } }
      simulation: { motion: still, noise: false }

      """, file: "served.yaml", catalogue: ChipCatalog.descriptions)
    let socket = try ListeningSocket(path: path, kind: .packets)
    let server = try MotionServer(
      BoardSession(board), policy: ServicePolicy(group: nil, owner: geteuid()))
    say("ready")
    _ = server.serve(socket, until: try WakeEvent())
  }

  private static func start() {
    let manager = CMMotionManager()
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let isReported = DispatchSemaphore(value: 0)
    manager.startAccelerometerUpdates(to: queue) { data, error in
      let error = error as NSError?
      say(data == nil ? "error \(error?.code ?? 0): \(error?.localizedDescription ?? "")" : "data")
      isReported.signal()
    }
    _ = isReported.wait(timeout: .now() + 20)
    manager.stopAccelerometerUpdates()
    say("access: \(MotionHub.shared.access)")
    say("status: \(CMAltimeter.authorizationStatus().rawValue)")
    say("done")
  }

  private static func open(_ path: String, count: Int) {
    var sources: [ServiceSource] = []
    for _ in 0..<count {
      do throws(SessionError) {
        sources.append(try ServiceSource(path: path))
        say("open")
      } catch { say("\(error.description)") }
    }
    withExtendedLifetime(sources) { say("done") }
  }

  private static func ask(_ path: String, _ orders: ArraySlice<String>) throws {
    let socket = try PacketSocket(connectingTo: path)
    _ = socket.send(ServiceRequest.hello(newest: 1, oldest: 1, program: "victim").bytes)
    let questions = orders.map { $0 == "reload" ? ServiceQuestion.reload : .forget } + [.fence]
    for (serial, question) in questions.enumerated() {
      _ = socket.send(ServiceRequest.ask(question, serial: UInt32(serial)).bytes)
    }
    var buffer = [UInt8](repeating: 0, count: ServiceReply.mostBytes)
    for _ in 0..<2000 {
      switch socket.receive(into: &buffer) {
      case .packet(let count, _):
        guard case .answer(let answer, let serial) = try ServiceReply(buffer[..<count]) else {
          continue
        }
        if case .refused(let refusal) = answer {
          say("\(serial): \(refusal.reason): \(refusal.description)")
        } else {
          say("\(serial): \(answer)")
        }
        if serial == orders.count { return say("done") }
      case .nothing: Thread.sleep(forTimeInterval: 0.005)
      default: return say("closed")
      }
    }
  }

  private static func read(_ path: String, count: UInt64) throws {
    let descriptor = OwnedDescriptor(
      owning: try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec))
    let memory = try SharedMemory(mapping: descriptor)
    // The ring keeps the memory alive.
    let words = unsafe RingMemory(at: memory.address, count: memory.count / 8, of: memory)
    guard let ring = BroadcastRing<Checked>(following: words) else { return say("no ring") }
    say("ready")
    var reader = ring.reader(from: 0)
    var (got, torn, disordered) = (UInt64(0), 0, 0)
    while true {
      let missed = reader.missed
      guard let element = reader.read() else {
        if ring.count >= count, !reader.isBehind { break }
        continue
      }
      if !element.isWhole { torn += 1 }
      // Each element has the number of its place in the stream, and skipped elements are counted,
      // so that the two must agree.
      if element.number != got + reader.missed { disordered += 1 }
      if reader.missed < missed { disordered += 1 }
      got += 1
    }
    say("\(got) \(reader.missed) \(torn) \(disordered)")
  }
}
