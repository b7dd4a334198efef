// SPDX-License-Identifier: Apache-2.0
import CoreMotion
import CoreMotionTesting
import Otolith
import ServedSources
import Service
import Testing

/// A turntable with several managers. The arbitrary frame of a manager is the device's orientation
/// when that manager starts, whatever else is active (Apple: "sets the frame of reference to the
/// device's initial orientation").
@Suite(.timeLimit(.minutes(1))) struct FrameStartTests {
  /// What was active before the start under test.
  enum Before: String, CaseIterable, Sendable {
    case nothing
    case anotherManager
    case itselfWithoutAStop
    case itselfStoppedWithTheAccelerometerOn
    case itselfInAnotherFrame
    case aStreamOfMotion
    case batches
    case aListener
  }

  private final class Turntable {
    let source = ScriptedSource()
    let hub: MotionHub
    private let service: Served?
    private(set) var milliseconds: Int64 = 0

    init(throughService: Bool) throws {
      service = throughService ? try Served(source) : nil
      hub = MotionHub(try service.map { try ServiceSource(path: $0.path) } ?? source)
    }

    deinit { service?.end() }

    /// The time stamp of the newest motion in seconds.
    var time: Double { Double(milliseconds) / 1000 }

    func manager() -> CMMotionManager {
      let manager = CMMotionManager(on: hub)
      manager.deviceMotionUpdateInterval = 0
      return manager
    }

    /// Sends a motion that is rotated by `yaw` and raised by 0.4 rad.
    func turn(to yaw: Double) {
      milliseconds += 10
      var motion = MotionSample(timestamp: Timestamp(nanoseconds: milliseconds * 1_000_000))
      motion.contents = [.attitude, .heading, .rotationRate, .magneticField]
      motion.attitude6 =
        Quaternion(angle: yaw, axis: Vector3(0, 0, 1))
        * Quaternion(angle: 0.4, axis: Vector3(1, 0, 0))
      motion.attitude9 = motion.attitude6
      // The two arbitrary frames of fusion need not be equal.
      motion.attitudeCorrected =
        Quaternion(angle: 0.9, axis: Vector3(0, 0, 1)) * motion.attitude6
      source.send(motion)
    }

    /// Turns the table, and returns the yaw that `manager` reports; `nil` if it gets no such
    /// motion.
    func yaw(of manager: CMMotionManager, turnedTo yaw: Double) -> Double? {
      turn(to: yaw)
      let expected = time
      let hasCome = Rig.eventually { manager.deviceMotion?.timestamp == expected }
      guard hasCome else { return nil }
      return manager.deviceMotion?.attitude.yaw
    }
  }

  private final class Follower: MotionReceiver {
    func receive(_ sample: SourcedSample) {}
    func receive(_ motion: MotionSample) {}
    func missed(_ count: UInt64) {}
    func chipsChanged(_ chips: [ChipState]) {}
  }

  @Test(arguments: Before.allCases, [false, true])
  func `an arbitrary frame begins with its own manager's start`(
    _ before: Before, throughService: Bool
  ) throws {
    for frame in [CMAttitudeReferenceFrame.xArbitraryZVertical, .xArbitraryCorrectedZVertical] {
      let table = try Turntable(throughService: throughService)
      let (manager, other) = (table.manager(), table.manager())
      var held: [Any] = []
      switch before {
      case .nothing: break
      case .anotherManager:
        other.startDeviceMotionUpdates(using: frame)
        #expect(try abs(#require(table.yaw(of: other, turnedTo: 0.7))) < 1e-12)
      case .itselfWithoutAStop:
        manager.startDeviceMotionUpdates(using: frame)
        #expect(try abs(#require(table.yaw(of: manager, turnedTo: 0.7))) < 1e-12)
        #expect(try abs(#require(table.yaw(of: manager, turnedTo: 1)) - 0.3) < 1e-12)
      case .itselfStoppedWithTheAccelerometerOn:
        manager.startAccelerometerUpdates()
        manager.startDeviceMotionUpdates(using: frame)
        #expect(try abs(#require(table.yaw(of: manager, turnedTo: 0.7))) < 1e-12)
        manager.stopDeviceMotionUpdates()
        table.turn(to: 1)
      case .itselfInAnotherFrame:
        manager.startDeviceMotionUpdates(using: .xMagneticNorthZVertical)
        #expect(try abs(#require(table.yaw(of: manager, turnedTo: 0.7)) - 0.7) < 1e-12)
      case .aStreamOfMotion:
        held = [table.hub.motions().makeAsyncIterator()]
        table.turn(to: 0.7)
      case .batches:
        let batches = CMBatchedSensorManager(on: table.hub)
        batches.startDeviceMotionUpdates()
        held = [batches]
        table.turn(to: 0.7)
      case .aListener:
        let follower = Follower()
        held = [follower, try table.hub.listen(follower)]
        table.turn(to: 0.7)
      }
      manager.startDeviceMotionUpdates(using: frame)
      #expect(try abs(#require(table.yaw(of: manager, turnedTo: 1.3))) < 1e-12)
      #expect(try abs(#require(table.yaw(of: manager, turnedTo: 1.5)) - 0.2) < 1e-12)
      if before == .anotherManager {
        // The other manager's frame is unchanged.
        #expect(try abs(#require(other.deviceMotion).attitude.yaw - 0.8) < 1e-12)
      }
      // A changed interval does not restart the frame.
      manager.deviceMotionUpdateInterval = 0.005
      #expect(try abs(#require(table.yaw(of: manager, turnedTo: 1.6)) - 0.3) < 1e-12)
      for manager in [manager, other] {
        manager.stopDeviceMotionUpdates()
        manager.stopAccelerometerUpdates()
      }
      withExtendedLifetime(held) {}
    }
  }

  /// Decimation starts with the first motion that has an attitude, and not an interval later.
  @Test func `the first motion that a thinned manager gets has yaw zero`() throws {
    let table = try Turntable(throughService: false)
    let manager = table.manager()
    manager.deviceMotionUpdateInterval = 0.1
    manager.startDeviceMotionUpdates()
    var blind = MotionSample(timestamp: Timestamp(nanoseconds: 1_000_000))
    blind.contents = [.rotationRate]
    table.source.send(blind)
    for yaw in [0.2, 0.4, 0.6] { table.turn(to: yaw) }
    #expect(Rig.eventually { manager.deviceMotion != nil })
    let first = try #require(manager.deviceMotion)
    #expect(first.timestamp == 0.01 && abs(first.attitude.yaw) < 1e-12)
    manager.stopDeviceMotionUpdates()
  }
}
