// SPDX-License-Identifier: Apache-2.0
import Boards
import ChipCatalog
import CoreMotion
import CoreMotionTesting
import Otolith
import MotionSources
import Runtime
import Testing

/// True if this machine has no board and the environment names none, so that programs have none.
private let isWithoutBoard =
  ServicePlace.find() == nil && (try? BoardSelection.choose())?.reason == .nothingElse

/// A program for which no board is found, and that requests no simulated one.
@Suite(.enabled(if: isWithoutBoard), .timeLimit(.minutes(1))) struct NoBoardTests {
  private let hub = MotionHub()

  init() { hub.movement.setting.folder = Self.folder() }

  private static func folder() -> String {
    FileManager.default.temporaryDirectory.path + "/otolith-none-\(UUID().uuidString)"
  }

  /// The errors that handlers received, by class.
  private final class Reports: Sendable {
    private let errors = Collected<String>()
    private let items = Collected<String>()

    func add(_ name: String, _ item: Any?, _ error: (any Error)?) {
      if item != nil { items.add(name, nil) }
      if let error = error as NSError? {
        errors.add("\(name) \(error.domain) \(error.code): \(error.localizedDescription)", nil)
      }
    }
    var names: [String] { errors.values.map { String($0.prefix { $0 != " " }) } }
    var sentences: Set<String> { Set(errors.values.map { String($0.drop { $0 != " " }) }) }
    var madeUp: [String] { items.values }
  }

  @Test func `nothing is made up, and each handler gets one error that there is no board`() async {
    #expect(hub.source == nil && hub.access == .unknown)
    let reported = Reports()
    let motion = CMMotionManager(on: hub)
    #expect(!motion.isAccelerometerAvailable && !motion.isGyroAvailable)
    #expect(!motion.isMagnetometerAvailable && !motion.isDeviceMotionAvailable)
    motion.startAccelerometerUpdates(to: Rig.queue()) { reported.add("accelerometer", $0, $1) }
    motion.startDeviceMotionUpdates(using: .xMagneticNorthZVertical, to: Rig.queue()) {
      reported.add("motion", $0, $1)
    }
    let altimeter = CMAltimeter(on: hub)
    altimeter.startRelativeAltitudeUpdates(to: Rig.queue()) { reported.add("altitude", $0, $1) }
    altimeter.startAbsoluteAltitudeUpdates(to: Rig.queue()) { reported.add("height", $0, $1) }
    let batched = CMBatchedSensorManager(on: hub)
    batched.startAccelerometerUpdates { reported.add("batches", $0, $1) }
    let pedometer = CMPedometer(on: hub)
    pedometer.startUpdates(from: Date()) { reported.add("steps", $0, $1) }
    pedometer.queryPedometerData(from: Date(), to: Date()) { reported.add("query", $0, $1) }
    let activities = CMMotionActivityManager(on: hub)
    activities.startActivityUpdates(to: Rig.queue()) { reported.add("activity", $0, nil) }
    activities.queryActivityStarting(from: Date(), to: Date(), to: Rig.queue()) {
      reported.add("activities", $0, $1)
    }
    let names = [
      "accelerometer", "activities", "altitude", "batches", "height", "motion", "query", "steps",
    ]
    #expect(Rig.eventually(10) { reported.names.sorted() == names }, "\(reported.names)")
    // Wait longer than the time between two attempts.
    try? await Task.sleep(for: .milliseconds(1300))
    #expect(reported.names.sorted() == names && reported.madeUp.isEmpty)
    let sentence = reported.sentences.first ?? ""
    #expect(reported.sentences.count == 1 && sentence.hasPrefix(" CMErrorDomain 109: no board: "))
    #expect(sentence.contains("OTOLITH_BOARD=simulated"))
    motion.stopAccelerometerUpdates()
    motion.stopDeviceMotionUpdates()
    altimeter.stopRelativeAltitudeUpdates()
    altimeter.stopAbsoluteAltitudeUpdates()
    batched.stopAccelerometerUpdates()
    pedometer.stopUpdates()
    activities.stopActivityUpdates()
  }

  /// A board that is connected or chosen later.
  @Test func `what was started without a board begins when there is one`() throws {
    let manager = CMMotionManager(on: hub)
    manager.deviceMotionUpdateInterval = 0
    let headings = Collected<Double>()
    manager.startDeviceMotionUpdates(using: .xMagneticNorthZVertical, to: Rig.queue()) {
      headings.add($0?.heading, $1)
    }
    let other = CMMotionManager(on: hub)
    let refused = Collected<Double>()
    other.startDeviceMotionUpdates(using: .xTrueNorthZVertical, to: Rig.queue()) {
      refused.add($0?.heading, $1)
    }
    #expect(Rig.eventually { headings.errors.count == 1 && refused.errors.count == 1 })
    let source = ScriptedSource()
    try hub.use(source)
    #expect(Rig.eventually { source.isRunning })
    // The board has no location.
    #expect(Rig.eventually { refused.errors.map(\.code) == [109, 102] })
    var motion = MotionSample(timestamp: Timestamp(seconds: 5))
    motion.contents = [.attitude, .heading, .rotationRate, .magneticField]
    motion.magneticAccuracy = .high
    motion.gravity = Vector3(0, 0, -1)
    #expect(
      Rig.eventually {
        motion.timestamp = motion.timestamp + .milliseconds(10)
        source.send(motion)
        return !headings.values.isEmpty
      })
    // The top edge points west of the frame's x axis.
    #expect(headings.values.first == 270 && headings.errors.map(\.code) == [109])
    #expect(refused.values.isEmpty)
    manager.stopDeviceMotionUpdates()
    other.stopDeviceMotionUpdates()
    #expect(Rig.eventually { hub.reset() })
  }
}

extension HubSuites {
  /// The availability that the classes report for the process's hub.
  @Suite(.enabled(if: isWithoutBoard)) struct AvailabilityTests {
    private var available: [Bool] {
      [
        !CMMotionManager.availableAttitudeReferenceFrames().isEmpty,
        CMMotionManager().isAccelerometerAvailable, CMAltimeter.isRelativeAltitudeAvailable(),
        CMPedometer.isStepCountingAvailable(), CMPedometer.isFloorCountingAvailable(),
        CMStepCounter.isStepCountingAvailable(), CMMotionActivityManager.isActivityAvailable(),
        CMBatchedSensorManager.isAccelerometerSupported,
        CMBatchedSensorManager.isDeviceMotionSupported,
        CMSensorRecorder.isAccelerometerRecordingAvailable(),
      ]
    }

    @Test func `without a board nothing is available, of a simulated one what it has`() throws {
      #expect(Rig.eventually { MotionHub.shared.reset() }, "somebody still listens")
      #expect(available.allSatisfy { !$0 } && MotionHub.shared.source == nil)
      // A program requests the simulated board in this way.
      try MotionHub.shared.use(BoardFile.simulated(catalogue: ChipCatalog.descriptions))
      #expect(available.allSatisfy { $0 }, "\(available)")
      #expect(
        CMMotionManager().isDeviceMotionAvailable && CMAltimeter.isAbsoluteAltitudeAvailable())
      #expect(MotionHub.shared.source?.isMadeUp == true)
      #expect(MotionHub.shared.reset())
    }
  }
}
