// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import CoreMotion
import Foundation
import Runtime
import Otolith
import ServedSources
import Service
import Synchronization
import Testing

/// Tests of programs and services in separate processes, which are stopped and killed.
@Suite(.serialized, .timeLimit(.minutes(5))) struct OtherProcessTests {
  private func account(_ victim: Victim) -> Ledger.Account? {
    victim.lines.last.flatMap { Ledger.Account($0) }
  }

  /// The ring holds 4096 samples for a program that does not read: at 2 kHz that is two seconds.
  @Test func `a program that was stopped learns what it missed`() async throws {
    let stream = try NumberedStream(rate: 2000)
    defer { stream.end() }
    let stopped = try Victim(["follow", stream.served.path])
    let other = try Victim(["follow", stream.served.path])
    #expect(try await eventually { account(stopped)?.got ?? 0 > 200 })
    #expect(try await eventually { account(other)?.got ?? 0 > 200 })
    stopped.signal(SIGSTOP)
    let begin = stream.count
    #expect(try await eventually { stream.count > begin + 8192 })
    stopped.signal(SIGCONT)
    #expect(try await eventually { account(stopped)?.missed ?? 0 > 0 })
    try await Task.sleep(for: .milliseconds(200))
    let last = stream.finish()
    #expect(
      try await eventually {
        account(stopped)?.ends(with: last) ?? false && account(other)?.ends(with: last) ?? false
      })
    let late = try #require(account(stopped))
    #expect(late.isComplete && late.failures == 0, "\(late)")
    // The program continues a quarter of the ring after the oldest sample that is left, and may
    // have read some samples before the count began.
    #expect((2 * 4096...2 * (8192 + 4096)).contains(late.missed), "\(late)")
    let prompt = try #require(account(other))
    #expect(prompt.isComplete && prompt.missed == 0, "\(prompt)")
    #expect(await stream.isComplete(to: last))
  }

  @Test func `a killed program harms no other`() async throws {
    let stream = try NumberedStream(rate: 1000)
    defer { stream.end() }
    let other = try Victim(["follow", stream.served.path])
    #expect(try await eventually { account(other)?.got ?? 0 > 100 })
    for _ in 0..<10 {
      let victim = try Victim(["follow", stream.served.path])
      #expect(try await eventually { account(victim)?.got ?? 0 > 10 })
      victim.kill()
    }
    let last = stream.finish()
    #expect(try await eventually { account(other)?.ends(with: last) ?? false })
    let prompt = try #require(account(other))
    #expect(prompt.isComplete && prompt.missed == 0, "\(prompt)")
    #expect(await stream.isComplete(to: last))
  }

  /// The service is killed without a warning and restarted three times. Each time there is one
  /// error, then data. Times go on, and nothing comes twice.
  @Test func `a manager whose service is killed has one error, then data`() async throws {
    let path = Served.path()
    var service = try Victim(["serve", path, "200"])
    #expect(try await service.says("ready"))
    let hub = MotionHub()
    try hub.use(ServiceSource(path: path))
    let manager = CMMotionManager(hub: hub)
    manager.accelerometerUpdateInterval = 0
    manager.deviceMotionUpdateInterval = 0
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let accelerations = Handled()
    let motions = Handled()
    manager.startAccelerometerUpdates(to: queue) { accelerations.add($0?.timestamp, $1) }
    manager.startDeviceMotionUpdates(to: queue) { motions.add($0?.timestamp, $1) }
    for round in 1...3 {
      let (a, m) = (accelerations.times.count, motions.times.count)
      #expect(
        try await eventually {
          accelerations.times.count > a + 100 && motions.times.count > m + 100
        })
      service.kill()
      #expect(
        try await eventually {
          accelerations.errors.count == round && motions.errors.count == round
        })
      // While there is no service nothing else comes, and the manager is still active.
      let silent = accelerations.times.count
      try await Task.sleep(for: .milliseconds(600))
      #expect(accelerations.times.count == silent && accelerations.errors.count == round)
      #expect(manager.isAccelerometerActive)
      service = try Victim(["serve", path, "200"])
      #expect(try await service.says("ready"))
    }
    let silent = accelerations.times.count
    #expect(try await eventually { accelerations.times.count > silent + 100 })
    manager.stopAccelerometerUpdates()
    manager.stopDeviceMotionUpdates()
    service.kill()
    for handled in [accelerations, motions] {
      #expect(handled.errors.map(\.code) == [109, 109, 109])
      #expect(
        handled.errors.allSatisfy {
          $0.domain == "CMErrorDomain" && $0.localizedDescription.contains("\(path) has stopped")
        })
      let times = handled.times
      for (before, after) in zip(times, times.dropFirst()) { #expect(after > before) }
    }
    #expect(try await eventually { hub.reset() })
    try? FileManager.default.removeItem(atPath: path)
  }

  /// A program that starts updates while the service is gone gets data when it is back.
  @Test func `a program that asks while the service is away begins when it is back`() async throws {
    let path = Served.path()
    var service = try Victim(["serve", path, "200"])
    #expect(try await service.says("ready"))
    let hub = MotionHub()
    try hub.use(ServiceSource(path: path))
    let manager = CMMotionManager(hub: hub)
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let first = Handled()
    manager.startGyroUpdates(to: queue) { first.add($0?.timestamp, $1) }
    #expect(try await eventually { first.times.count > 5 })
    service.kill()
    #expect(try await eventually { first.errors.count == 1 })
    manager.stopGyroUpdates()
    let second = Handled()
    manager.startGyroUpdates(to: queue) { second.add($0?.timestamp, $1) }
    #expect(try await eventually { second.errors.count == 1 })
    #expect(second.errors.map(\.code) == [109] && second.times.isEmpty)
    manager.stopGyroUpdates()
    service = try Victim(["serve", path, "200"])
    #expect(try await service.says("ready"))
    let third = Handled()
    manager.startGyroUpdates(to: queue) { third.add($0?.timestamp, $1) }
    #expect(try await eventually { third.times.count > 5 })
    #expect(third.errors.isEmpty)
    manager.stopGyroUpdates()
    service.kill()
    try? FileManager.default.removeItem(atPath: path)
  }

  // MARK: Rings

  /// A writer at full speed laps a reader in another process again and again. The reader never gets
  /// half an element, and the elements that it got and missed add up. As the reader may be faster
  /// than the writer on a busy machine, it is stopped ten times, at any point, while the ring goes
  /// round.
  @Test func `a ring across processes tears no element`() async throws {
    let most: UInt64 = 1_000_000
    // The memory has a header of 8 words, and 256 elements of 16 words and a sequence number each.
    // The ring keeps the memory alive.
    let memory = try SharedMemory("otolith test", count: 8 * (8 + 256 * 17), writers: .none)
    let words = unsafe RingMemory(at: memory.address, count: memory.count / 8, of: memory)
    let ring = BroadcastRing<Checked>(capacity: 256, in: { _ in words })
    #expect(ring.owner === memory)
    let path = "/proc/\(getpid())/fd/\(memory.fileDescriptor)"
    let victim = try Victim(["read", path, "\(most)"])
    #expect(try await victim.says("ready"))
    for number in 0..<most {
      switch number % 100_000 {
      case 50_000: victim.signal(SIGSTOP)
      case 60_000:
        victim.signal(SIGCONT)
        try await Task.sleep(for: .milliseconds(1))
      default: break
      }
      ring.publish(Checked(number))
    }
    #expect(try await eventually(within: .seconds(60)) { victim.lines.count == 2 })
    let numbers = try #require(victim.lines.last).split(separator: " ").compactMap { UInt64($0) }
    try #require(numbers.count == 4)
    #expect(numbers[0] + numbers[1] == most)
    #expect(numbers[0] > 256 && numbers[1] > 256, "lapped, and not only that: \(numbers)")
    #expect(numbers[2] == 0 && numbers[3] == 0, "torn, disordered: \(numbers)")
  }
}

/// The times and errors that a handler received.
private final class Handled: Sendable {
  private struct State: Sendable {
    var times: [TimeInterval] = []
    var errors: [NSError] = []
  }
  private let state = Mutex(State())

  func add(_ time: TimeInterval?, _ error: (any Error)?) {
    state.withLock { state in
      if let time { state.times.append(time) }
      if let error { state.errors.append(error as NSError) }
    }
  }

  var times: [TimeInterval] { state.withLock { $0.times } }
  var errors: [NSError] { state.withLock { $0.errors } }
}
