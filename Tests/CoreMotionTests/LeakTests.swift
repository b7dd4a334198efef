// SPDX-License-Identifier: Apache-2.0
import CAllocationCounter
import CoreMotion
import Otolith
import ServedSources
import Synchronization
import Testing

extension HubSuites {
  /// After ten thousand starts and stops no memory, descriptors, threads or objects are left. The
  /// counts are of the whole process, so this runs alone: `make test KIND=leaks`.
  @Suite(.enabled(if: ProcessInfo.processInfo.environment["OTOLITH_LEAKS"] != nil)) struct LeakTests
  {
    /// Each of four streams is used with a handler and with a property, and stopped or just
    /// released.
    @Test func `managers over a board leave nothing`() throws {
      let board = try Rig.board()
      try compare(
        "managers over a board", MotionHub(served(board)), cycles: 4000, Self.startManager)
    }

    @Test func `managers over a script leave nothing`() throws {
      try compare(
        "managers over a script", MotionHub(served(ScriptedSource())), cycles: 4000,
        Self.startManager)
    }

    /// Loops are cancelled before or after their first element, or left.
    @Test func `loops that are cancelled or left leave nothing`() async throws {
      let source = ScriptedSource()
      let hub = MotionHub(try served(source))
      let feeder = Task.detached {
        var sample = Sample(timestamp: .now, channels: [.acceleration, .rotationRate])
        sample.acceleration = Vector3(0, 0, -1)
        while !Task.isCancelled {
          sample.timestamp = .now
          source.send(sample)
          try? await Task.sleep(for: .microseconds(200))
        }
      }
      try await compareLoops("streams over a script", hub, cycles: 6000)
      feeder.cancel()
      await feeder.value
    }

    private static let queue = Rig.queue()

    /// Starts a manager, which is released here. Returns the objects that must then be released.
    private static func startManager(_ hub: MotionHub, _ index: Int) -> Gone {
      let manager = CMMotionManager(hub: hub)
      let token = Token()
      switch index % 5 {
      case 0: manager.startAccelerometerUpdates(to: queue) { _, _ in token.touch() }
      case 1: manager.startGyroUpdates(to: queue) { _, _ in token.touch() }
      case 2: manager.startMagnetometerUpdates(to: queue) { _, _ in token.touch() }
      case 3: manager.startDeviceMotionUpdates(to: queue) { _, _ in token.touch() }
      default:
        manager.startAccelerometerUpdates()
        manager.startDeviceMotionUpdates(using: .xMagneticNorthZVertical, to: queue) { _, _ in
          token.touch()
        }
      }
      // In some cycles a delivery is in progress.
      if index % 16 == 0 { Thread.sleep(forTimeInterval: 0.002) }
      if index % 2 == 0 {
        manager.stopAccelerometerUpdates()
        manager.stopGyroUpdates()
        manager.stopMagnetometerUpdates()
        manager.stopDeviceMotionUpdates()
      }
      return Gone(object: manager)
    }

    private func compare(
      _ name: String, _ hub: MotionHub, cycles: Int, _ start: (MotionHub, Int) -> Gone
    ) throws {
      // Run until every cache is filled.
      for index in 0..<500 { _ = start(hub, index) }
      let before = try Holdings.settled(hub, Self.queue)
      var alive = 0
      for index in 0..<cycles where start(hub, index).object != nil { alive += 1 }
      let after = try Holdings.settled(hub, Self.queue)
      // The hub's thread may hold the manager that it is calling for a moment.
      #expect(alive < cycles / 10)
      check(name, before, after, cycles)
    }

    private func compareLoops(_ name: String, _ hub: MotionHub, cycles: Int) async throws {
      func run(_ count: Int) async {
        for index in 0..<count {
          let token = Token()
          let loop = Task {
            var seen = 0
            for try await _ in hub.accelerations() {
              token.touch()
              seen += 1
              if index % 3 == 0, seen == 2 { break }
            }
          }
          if index % 3 == 1 { try? await Task.sleep(for: .milliseconds(1)) }
          if index % 3 != 0 { loop.cancel() }
          _ = await loop.result
        }
      }
      await run(1000)
      let before = try Holdings.settled(hub, Self.queue)
      await run(cycles)
      check(name, before, try Holdings.settled(hub, Self.queue), cycles)
    }

    private func check(_ name: String, _ before: Holdings, _ after: Holdings, _ cycles: Int) {
      print("\(name): \(cycles) cycles; before: \(before); after: \(after)")
      // One object of 32 bytes per cycle would be twice this limit; 64 kB are what malloc reserves
      // for a new thread.
      #expect(after.heap - before.heap < 16 * cycles + 65536)
      #expect(after.resident - before.resident < 4096)
      #expect(after.descriptors <= before.descriptors)
      // Dispatch starts and ends its own threads at any time.
      #expect(after.threads <= before.threads + 3)
      #expect(after.tokens == 0 && before.tokens == 0)
    }
  }
}

/// The objects that must be released at the end of a cycle.
private struct Gone {
  weak var object: AnyObject?
}

/// An object held by handlers and loops, so that these can be counted.
private final class Token: Sendable {
  static let alive = Atomic<Int>(0)
  init() { Self.alive.add(1, ordering: .relaxed) }
  deinit { Self.alive.subtract(1, ordering: .relaxed) }
  func touch() {}
}

/// The resources that the process holds.
private struct Holdings {
  /// The bytes that malloc has allocated (mallinfo(3): uordblks).
  var heap = 0
  /// The resident memory in kB (proc(5): VmRSS).
  var resident = 0
  var descriptors = 0
  var threads = 0
  /// The number of handlers and loops.
  var tokens = 0

  /// Returns the resources once `hub` has no listeners and `queue` is empty.
  static func settled(_ hub: MotionHub, _ queue: OperationQueue) throws -> Holdings {
    queue.waitUntilAllOperationsAreFinished()
    #expect(Rig.eventually { hub.isUnused }, "somebody still listens")
    #expect(Rig.eventually { Token.alive.load(ordering: .relaxed) == 0 }, "handlers are kept")
    Thread.sleep(forTimeInterval: 0.2)
    return try Holdings()
  }

  private init() throws {
    heap = Int(otolith_bytes_in_use())
    tokens = Token.alive.load(ordering: .relaxed)
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    for line in status.split(separator: "\n") {
      let words = line.split(whereSeparator: \.isWhitespace)
      guard words.count > 1, let number = Int(words[1]) else { continue }
      if words[0] == "VmRSS:" { resident = number }
      if words[0] == "Threads:" { threads = number }
    }
    descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
  }
}

extension MotionHub {
  /// True if the hub has no listeners.
  fileprivate var isUnused: Bool {
    guard let source else { return true }
    // `reset` is refused while there are listeners.
    defer { try? use(source) }
    return reset()
  }
}
