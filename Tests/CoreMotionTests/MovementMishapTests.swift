// SPDX-License-Identifier: Apache-2.0
import CoreMotion
import Foundation
import MotionServer
import Otolith
import ServedSources
import Service
import Synchronization
import Testing

/// Disturbances while counting: a disk mounted late, another writer, a service that cannot read,
/// short pauses.
@Suite(.timeLimit(.minutes(1))) struct MovementMishapTests {
  /// Movement that could not be written for ten minutes keeps the time when it happened.
  @Test func `movement before a disk is mounted keeps its times`() async throws {
    let walker = try Walker()
    // A link to a disk that is not mounted yet.
    try FileManager.default.createSymbolicLink(
      atPath: walker.folder, withDestinationPath: walker.folder + "-disk")
    let start = walker.date
    let (pedometer, got) = live(walker.hub, from: start)
    await walker.walk(10)
    #expect(Rig.eventually { got.values.last?.steps == 10 })
    walker.pass(600)
    #expect(steps(walker.hub, start, start + 60) == 10)
    try FileManager.default.createDirectory(
      atPath: walker.folder + "-disk", withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: walker.folder + "-disk") }
    pedometer.stopUpdates()
    PedometerStore(walker.hub).finish()
    walker.rest()
    walker.begin()
    #expect(steps(walker.hub, start, start + 60) == 10)
    #expect(steps(walker.hub, start, walker.date + 60) == 10)
  }

  /// While another process writes, a query never includes this process's last seconds and then
  /// omits them.
  @Test func `while another process writes, no answer contradicts an earlier one`() async throws {
    let walker = try Walker()
    let start = walker.date
    let folder = try walker.made("/movement-simulated")
    let other = try Process.run(
      URL(filePath: "/usr/bin/flock"),
      arguments: [folder + "/lock", "sh", "-c", "touch \(folder)/held; exec sleep 20"])
    defer { other.terminate() }
    #expect(Rig.eventually { FileManager.default.fileExists(atPath: folder + "/held") })
    let (pedometer, got) = live(walker.hub, from: start)
    await walker.walk(5)
    #expect(Rig.eventually { got.values.last?.steps == 5 })
    #expect(steps(walker.hub, start, walker.date + 1) == 0)
    await walker.walk(5)
    #expect(Rig.eventually { got.values.last?.steps == 10 })
    #expect(steps(walker.hub, start, walker.date + 1) == 0)
    pedometer.stopUpdates()
  }

  /// A restarted service that cannot read its history immediately loses no counts, and no count
  /// decreases.
  @Test func `a service that cannot read its history at once loses no count`() async throws {
    let walker = try Walker()
    let start = walker.date
    let path = Served.path()
    var service: Served? = try walker.served(at: path)
    let hub = try walker.program(at: path)
    let (pedometer, got) = live(hub, from: start)
    await walker.walk(6)
    #expect(Rig.eventually { got.values.last?.steps == 6 })
    service?.end()
    service = nil
    walker.rest()
    walker.begin()
    let isRefused = Mutex(true)
    let refused = Mutex(0)
    let honest = PedometerStore(walker.hub).answers
    let moody: @Sendable (ServiceQuestion) -> ServiceAnswer = { question in
      if case .total = question, isRefused.withLock({ $0 }) {
        refused.withLock { $0 += 1 }
        return .refused(ServiceRefusal(.unavailable, "the disk hangs"))
      }
      return honest(question)
    }
    service = try Served(walker.source, path: path, movement: moody)
    #expect(Rig.eventually { refused.withLock { $0 } > 0 })
    await walker.walk(5)
    #expect(Rig.eventually { got.values.last?.steps ?? 0 >= 10 }, "\(got.values.map(\.steps))")
    isRefused.withLock { $0 = false }
    walker.pass(10)
    await walker.walk(1)
    #expect(Rig.eventually { got.values.last?.steps == 12 }, "\(got.values.map(\.steps))")
    let counts = got.values.map(\.steps)
    #expect(counts == counts.sorted())
    pedometer.stopUpdates()
    service?.end()
  }

  /// A pause that ended before the first check is not followed by a second resumption.
  @Test func `pauses and resumptions alternate`() async throws {
    let walker = try Walker()
    walker.hub.movement.setting.interval = .milliseconds(150)
    let pedometer = CMPedometer(hub: walker.hub)
    let got = Collected<CMPedometerEventType>()
    pedometer.startEventUpdates { got.add($0?.type, $1) }
    await walker.walk(2)
    #expect(Rig.eventually { got.values == [.resume] })
    await walker.stand(1)
    await walker.walk(2)
    try await Task.sleep(for: .seconds(0.3))
    await walker.stand(1)
    #expect(Rig.eventually { got.values.last == .pause })
    for (event, next) in zip(got.values, got.values.dropFirst()) { #expect(event != next) }
    pedometer.stopEventUpdates()
  }
}
