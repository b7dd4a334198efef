// SPDX-License-Identifier: Apache-2.0
import CoreMotion
import History
import Otolith
import Recognition
import ServedSources
import Synchronization
import Testing

/// A recogniser for scripts: an x above 0 is walking, and 1 a step; y is the number of an activity.
/// Steps are thus known exactly; real recognition has its own tests.
struct SpokenMovement: MovementRecognition {
  private(set) var movement = Movement()
  private var steps: [Step] = []
  private var events: [WalkingEvent] = []
  private var activities: [ActivityEstimate] = []
  private var isWalking = false
  private var hasBegun = false

  mutating func update(_ sample: Sample) {
    let time = sample.timestamp
    if !hasBegun { movement = Movement(timestamp: time) }
    hasBegun = true
    movement.timestamp = time
    if sample.channels.contains(.pressure), sample.pressure < 1 {
      movement.counts.floorsAscended += 1
    }
    guard sample.channels.contains(.acceleration) else { return }
    let count = Int(sample.acceleration.x)
    for _ in 0..<count { steps.append(Step(timestamp: time, confidence: 0.9, swing: 0.4)) }
    movement.counts.steps += count
    movement.counts.distance += 0.75 * Double(count)
    movement.counts.activeTime += 0.5 * Double(count)
    if isWalking != (sample.acceleration.x > 0) {
      isWalking.toggle()
      events.append(WalkingEvent(isWalking ? .resume : .pause, timestamp: time))
      movement.currentCadence = isWalking ? 2 : nil
      movement.currentPace = isWalking ? 2 / 3 : nil
    }
    let number = UInt8(sample.acceleration.y)
    if number > 0 {
      movement.activity = ActivityEstimate(
        timestamp: time, activities: ActivitySet(rawValue: number), confidence: .high)
      activities.append(movement.activity)
    }
  }

  mutating func nextStep() -> Step? { steps.isEmpty ? nil : steps.removeFirst() }
  mutating func nextEvent() -> WalkingEvent? { events.isEmpty ? nil : events.removeFirst() }
  mutating func nextActivity() -> ActivityEstimate? {
    activities.isEmpty ? nil : activities.removeFirst()
  }
}

/// A person who walks by a script, on clocks that a test sets, with a history folder.
final class Walker {
  let hub = MotionHub()
  let source: ScriptedSource
  let folder = FileManager.default.temporaryDirectory.path + "/otolith-walk-\(UUID().uuidString)"
  private let clock: Clock

  final class Clock: Sendable {
    private let reading = Mutex(
      ClockReading(wall: 1_790_000_000_000_000_000, boot: Timestamp(seconds: 5000)))
    var now: ClockReading { reading.withLock { $0 } }
    func pass(_ span: TimeSpan) {
      reading.withLock { reading in
        reading.wall += span.nanoseconds
        reading.boot = reading.boot + span
      }
    }
    func set(by seconds: Double) { reading.withLock { $0.wall += Int64(seconds * 1e9) } }
  }

  init(
    _ channels: ChannelSet = [.acceleration, .pressure], folder: String? = nil
  ) throws {
    source = ScriptedSource(channels, rate: 10)
    clock = Clock()
    try hub.use(source)
    begin(in: folder ?? self.folder)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Starts a new hub with the same history, like a new process.
  func begin(in folder: String? = nil) {
    var setting = MovementConfiguration()
    setting.folder = folder ?? self.folder
    let clock = self.clock
    setting.clocks = HostClocks(boot: BootIdentifier(high: 8, low: 15)) { clock.now }
    setting.interval = .milliseconds(10)
    setting.recognition = { _ in SpokenMovement() }
    hub.movement.setting = setting
  }

  /// Creates a folder in that of the history, and returns its path.
  func made(_ name: String) throws -> String {
    try FileManager.default.createDirectory(
      atPath: folder + name, withIntermediateDirectories: true)
    return folder + name
  }

  /// The time of the wall clock.
  var date: Date { Date(timeIntervalSince1970: Double(clock.now.wall) / 1e9) }

  func set(by seconds: Double) { clock.set(by: seconds) }

  /// Lets the given seconds pass without queries.
  func pass(_ seconds: Double) { clock.pass(TimeSpan(seconds: seconds)) }

  func send(_ acceleration: Vector3, pressure: Double = 100) {
    clock.pass(.milliseconds(100))
    var sample = Sample(timestamp: clock.now.boot, channels: source.channels)
    sample.acceleration = acceleration
    sample.pressure = pressure
    source.send(sample)
  }

  /// Walks `steps` steps, two per second, with a listener.
  func walk(_ steps: Int, as activity: ActivitySet = []) async {
    #expect(Rig.eventually { source.isRunning }, "nobody counts")
    for step in 0..<steps {
      send(Vector3(1, step == 0 ? Double(activity.rawValue) : 0, 0))
      for _ in 1..<5 { send(Vector3(0.5, 0, 0)) }
    }
    #expect(await hub.flush())
  }

  /// Stands for `seconds`, with a listener.
  func stand(_ seconds: Int, as activity: ActivitySet = []) async {
    #expect(Rig.eventually { source.isRunning }, "nobody counts")
    for part in 0..<(10 * seconds) {
      send(Vector3(0, part == 0 ? Double(activity.rawValue) : 0, 0))
    }
    #expect(await hub.flush())
  }

  /// Climbs a floor, according to the barometer.
  func climb() async {
    send(Vector3(0.5, 0, 0), pressure: 0.5)
    #expect(await hub.flush())
  }

  /// Ends counting, and stores what was counted.
  func rest() {
    #expect(
      Rig.eventually { !source.isRunning && hub.reset() && (try? hub.use(source)) != nil })
  }
}

extension CMPedometerData {
  /// The values of an object that is not Sendable.
  var counted: CountedWalk {
    CountedWalk(
      start: startDate, end: endDate, steps: numberOfSteps.intValue,
      distance: distance?.doubleValue, ascended: floorsAscended?.intValue,
      descended: floorsDescended?.intValue, pace: currentPace?.doubleValue,
      cadence: currentCadence?.doubleValue, averagePace: averageActivePace?.doubleValue)
  }
}

struct CountedWalk: Equatable, Sendable {
  var start: Date
  var end: Date
  var steps: Int
  var distance: Double?
  var ascended: Int?
  var descended: Int?
  var pace: Double?
  var cadence: Double?
  var averagePace: Double?
}
