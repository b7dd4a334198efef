// SPDX-License-Identifier: Apache-2.0
import CoreMotion
import CoreMotionTesting
import Otolith
import Testing

/// Each test has its own source, hub and managers, so all run in parallel.
@Suite(.timeLimit(.minutes(1))) struct HubTests {
  private static func folder() -> String {
    FileManager.default.temporaryDirectory.path + "/otolith-hub-\(UUID().uuidString)"
  }

  @Test(arguments: 1...8)
  func `managers of a hub have the motion of its source alone`(_ number: Int) async throws {
    let source = ScriptedSource(.acceleration)
    let folder = Self.folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let hub = MotionHub(source, history: folder)
    #expect(hub.source === source)
    let managers = [CMMotionManager(on: hub), CMMotionManager(on: hub)]
    for manager in managers {
      manager.accelerometerUpdateInterval = 0
      manager.startAccelerometerUpdates()
    }
    var sample = Sample(timestamp: .now, channels: .acceleration)
    sample.acceleration = Vector3(Double(number), 0, 0)
    source.send(sample)
    #expect(await hub.flush(within: .seconds(30)))
    for manager in managers {
      #expect(manager.accelerometerData?.acceleration.x == Double(number))
      manager.stopAccelerometerUpdates()
    }
    #expect(Rig.eventually { hub.reset() })
  }

  /// Steps of a test's walker are not stored in the user's history.
  @Test func `a hub keeps its steps in its own folder`() throws {
    let folder = Self.folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let source = ScriptedSource(.acceleration, rate: 10)
    let hub = MotionHub(source, history: folder)
    hub.movement.setting.recognition = { _ in SpokenMovement() }
    hub.movement.setting.interval = .milliseconds(10)
    let pedometer = CMPedometer(on: hub)
    pedometer.startUpdates(from: Date()) { @Sendable _, _ in }
    #expect(Rig.eventually { source.isRunning })
    for _ in 0..<4 {
      var sample = Sample(timestamp: .now, channels: .acceleration)
      sample.acceleration = Vector3(1, 0, 0)
      source.send(sample)
    }
    // A script's steps count as simulated.
    #expect(
      Rig.eventually { FileManager.default.fileExists(atPath: folder + "/movement-simulated") })
    pedometer.stopUpdates()
    #expect(Rig.eventually { hub.reset() })
  }
}
