// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Otolith
import Synchronization
import Testing

/// The device as programs written for UIKit use it, under UIKit's names.
@Suite(.serialized, .timeLimit(.minutes(1))) struct MotionDeviceTests {
  /// The notifications posted by one device, and whether they were on the main queue.
  final class Posts: Sendable {
    /// A mark of the main queue, which any thread may run.
    static let key = DispatchSpecificKey<Bool>()
    private let names = Mutex<[(name: String, isMain: Bool)]>([])

    init(_ device: UIDevice) {
      DispatchQueue.main.setSpecific(key: Self.key, value: true)
      for name in [
        UIDevice.orientationDidChangeNotification, UIDevice.motionBeganNotification,
        UIDevice.motionEndedNotification, UIDevice.motionCancelledNotification,
      ] {
        _ = NotificationCenter.default.addObserver(forName: name, object: device, queue: nil) {
          [weak self] in
          let entry = ($0.name.rawValue, DispatchQueue.getSpecific(key: Self.key) ?? false)
          self?.names.withLock { $0.append(entry) }
        }
      }
    }

    var all: [String] { names.withLock { $0.map(\.name) } }
    var areMain: Bool { names.withLock { $0.allSatisfy { $0.isMain } } }
  }

  private func turn(_ source: ScriptedSource, _ seconds: Double, _ down: Vector3) {
    for k in 0..<200 {
      source.send(RecognitionStreamTests.sample(seconds + Double(k) / 100, down))
    }
  }

  @Test func `orientation is reported while notifications are wanted`() async throws {
    let (hub, source) = try RecognitionStreamTests.rig()
    let device = UIDevice(hub)
    let posts = Posts(device)
    #expect(device.orientation == .unknown)
    #expect(!device.isGeneratingDeviceOrientationNotifications)
    device.beginGeneratingDeviceOrientationNotifications()
    #expect(device.isGeneratingDeviceOrientationNotifications && source.isRunning)
    turn(source, 1, Vector3(0, -1, 0))
    #expect(try await MotionsTests.eventually { posts.all.count == 1 })
    let orientation: UIDeviceOrientation = device.orientation
    #expect(orientation == .portrait && orientation.isPortrait)
    turn(source, 3, Vector3(0, 0, -1))
    #expect(try await MotionsTests.eventually { posts.all.count == 2 })
    #expect(device.orientation.isFlat && posts.areMain)
    #expect(Set(posts.all) == ["UIDeviceOrientationDidChangeNotification"])
    device.endGeneratingDeviceOrientationNotifications()
    #expect(!device.isGeneratingDeviceOrientationNotifications && !source.isRunning)
    #expect(device.orientation == .unknown)
  }

  /// As many ends as begins are needed; more have no effect.
  @Test func `notifications take as many ends as begins`() throws {
    let (hub, source) = try RecognitionStreamTests.rig()
    let device = UIDevice(hub)
    device.endGeneratingDeviceOrientationNotifications()
    for _ in 0..<3 { device.beginGeneratingDeviceOrientationNotifications() }
    for _ in 0..<2 { device.endGeneratingDeviceOrientationNotifications() }
    #expect(device.isGeneratingDeviceOrientationNotifications && source.isRunning)
    device.endGeneratingDeviceOrientationNotifications()
    #expect(!device.isGeneratingDeviceOrientationNotifications && !source.isRunning)
    device.endGeneratingDeviceOrientationNotifications()
    device.beginGeneratingDeviceOrientationNotifications()
    #expect(source.isRunning && source.starts == 2)
    device.endGeneratingDeviceOrientationNotifications()
    #expect(hub.reset())
  }

  /// An observer ends the notifications, and none follows.
  @Test func `an observer may end notifications, and none comes after`() async throws {
    let (hub, source) = try RecognitionStreamTests.rig()
    let device = UIDevice(hub)
    let posts = Posts(device)
    let observer = NotificationCenter.default.addObserver(
      forName: UIDevice.orientationDidChangeNotification, object: device, queue: nil
    ) { _ in device.endGeneratingDeviceOrientationNotifications() }
    defer { NotificationCenter.default.removeObserver(observer) }
    device.beginGeneratingDeviceOrientationNotifications()
    turn(source, 1, Vector3(0, -1, 0))
    #expect(try await MotionsTests.eventually { !source.isRunning })
    turn(source, 3, Vector3(1, 0, 0))
    try await Task.sleep(for: .milliseconds(100))
    #expect(posts.all.count == 1)
  }

  @Test func `a shake is reported when it begins and ends`() async throws {
    let (hub, source) = try RecognitionStreamTests.rig()
    let device = UIDevice(hub)
    let posts = Posts(device)
    device.beginGeneratingShakeNotifications()
    #expect(device.isGeneratingShakeNotifications)
    #expect(!device.isGeneratingDeviceOrientationNotifications)
    func shake(_ start: Double, _ length: Double) {
      for k in 0..<Int((length + 1) * 100) {
        let t = Double(k) / 100
        let swing = t < length ? 2.5 * sin(2 * .pi * 5 * t) : 0
        source.send(RecognitionStreamTests.sample(start + t, Vector3(swing, -0.6, -0.8)))
      }
    }
    shake(1, 1)
    #expect(try await MotionsTests.eventually { posts.all.count == 2 })
    shake(4, 5)
    #expect(try await MotionsTests.eventually { posts.all.count == 4 })
    let names = [
      UIDevice.motionBeganNotification, UIDevice.motionEndedNotification,
      UIDevice.motionBeganNotification, UIDevice.motionCancelledNotification,
    ]
    #expect(posts.all == names.map(\.rawValue) && posts.areMain)
    device.endGeneratingShakeNotifications()
    #expect(!device.isGeneratingShakeNotifications && !source.isRunning)
  }

  /// If the sensors cannot be opened nothing is posted, and the next begin tries again.
  @Test func `sensors that cannot be had are tried again at the next begin`() async throws {
    let (hub, source) = try RecognitionStreamTests.rig()
    source.refuse(.placeUnknown(source: "script"))
    let device = UIDevice(hub)
    device.beginGeneratingDeviceOrientationNotifications()
    #expect(device.orientation == .unknown && !source.isRunning)
    source.refuse(nil)
    device.beginGeneratingDeviceOrientationNotifications()
    turn(source, 1, Vector3(0, 1, 0))
    #expect(try await MotionsTests.eventually { device.orientation == .portraitUpsideDown })
    device.endGeneratingDeviceOrientationNotifications()
    device.endGeneratingDeviceOrientationNotifications()
    #expect(!source.isRunning)
  }

  @Test func `what could not begin begins when the sensors may be opened`() async throws {
    let (hub, source) = try RecognitionStreamTests.rig()
    source.refuse(.denied())
    let device = UIDevice(hub)
    device.beginGeneratingDeviceOrientationNotifications()
    #expect(!source.isRunning)
    source.refuse(nil)
    #expect(try await MotionsTests.eventually { source.isRunning })
    turn(source, 1, Vector3(0, 1, 0))
    #expect(try await MotionsTests.eventually { device.orientation == .portraitUpsideDown })
    device.endGeneratingDeviceOrientationNotifications()
    #expect(!source.isRunning && source.starts == 1)
  }

  /// Reads the device on the hub's thread.
  private final class Curious: MotionReceiver {
    let device: UIDevice
    init(_ device: UIDevice) { self.device = device }
    func receive(_ sample: SourcedSample) {
      _ = device.isGeneratingDeviceOrientationNotifications
    }
    func receive(_ motion: MotionSample) {}
    func missed(_ count: UInt64) {}
    func chipsChanged(_ chips: [ChipState]) {}
  }

  /// All members may be used on any thread: on the hub's thread while another one ends the
  /// notifications.
  @Test func `a receiver may ask the device from the hub's thread`() async throws {
    let (hub, source) = try RecognitionStreamTests.rig()
    let device = UIDevice(hub)
    let curious = Curious(device)
    let listening = try hub.listen(curious)
    let feeder = Task.detached {
      var time = 0.0
      while !Task.isCancelled {
        time += 0.01
        source.send(RecognitionStreamTests.sample(time, Vector3(0, -1, 0)))
      }
    }
    let rounds = Mutex(0)
    Thread.detachNewThread {
      for _ in 0..<5000 {
        device.beginGeneratingDeviceOrientationNotifications()
        device.endGeneratingDeviceOrientationNotifications()
        rounds.withLock { $0 += 1 }
      }
    }
    #expect(
      try await MotionsTests.eventually { rounds.withLock { $0 } == 5000 },
      "hangs after \(rounds.withLock { $0 })")
    feeder.cancel()
    await feeder.value
    withExtendedLifetime(curious) { listening.stop() }
    #expect(device.orientation == .unknown)
  }
}
