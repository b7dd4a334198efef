// SPDX-License-Identifier: Apache-2.0
import Boards
import Fusion
import CoreMotion
import Otolith
import Registers
import Runtime
import ServedSources
import Synchronization
import Testing

/// The demand that a source gets from all managers and streams.
@Suite(.timeLimit(.minutes(1))) struct DemandTests {
  /// A source that records each demand, and whether it was running then.
  private final class DemandRecorder: MotionSource {
    let name = "reported"
    let channels: ChannelSet = [.acceleration, .rotationRate, .magneticField, .pressure]
    let location: Location? = nil
    let trueNorth: TrueNorth? = nil
    let pipeline = MotionPipeline(chips: [
      [.acceleration, .rotationRate, .magneticField, .pressure]
    ])
    var report: [ChipReport] { [] }
    private struct State: Sendable {
      var isRunning = false
      var reported: [SampleDemand] = []
      /// The demand when the source was started.
      var atStart: SampleDemand?
    }
    private let state = Mutex(State())

    func rate(of channel: Channel) -> Double? { 100 }
    func channels(ofChip index: Int) -> ChannelSet { channels }
    func sentence(for error: ChipError, ofChip index: Int) -> String { "" }
    func start() throws(SessionError) {
      state.withLock {
        $0.isRunning = true
        $0.atStart = $0.reported.last
      }
    }
    func stop() { state.withLock { $0.isRunning = false } }
    func want(_ demand: SampleDemand) { state.withLock { $0.reported.append(demand) } }

    var demand: SampleDemand? { state.withLock { $0.reported.last } }
    var atStart: SampleDemand? { state.withLock { $0.atStart } }
    /// Returns true if the last demand is `demand`, immediately or, through a service, after a
    /// moment.
    func hears(_ demand: SampleDemand) -> Bool {
      Rig.eventually(isServiceMode ? 5 : 0) { self.demand == demand }
    }

    var isRunning: Bool { state.withLock { $0.isRunning } }
    /// The number of demands that were set.
    var count: Int { state.withLock { $0.reported.count } }
  }

  private func rig() throws -> (MotionHub, DemandRecorder) {
    let hub = MotionHub()
    let source = DemandRecorder()
    try hub.use(served(source))
    return (hub, source)
  }

  @Test func `a manager states its active streams`() throws {
    let (hub, source) = try rig()
    let manager = CMMotionManager(hub: hub)
    manager.accelerometerUpdateInterval = 0.05
    manager.gyroUpdateInterval = 0.02
    manager.magnetometerUpdateInterval = 0
    manager.deviceMotionUpdateInterval = -1
    #expect(source.demand == nil)
    manager.startAccelerometerUpdates()
    #expect(source.atStart == SampleDemand(.acceleration, at: 20), "before the chips start")
    manager.startGyroUpdates()
    var expected = SampleDemand(.acceleration, at: 20)
    expected[.rotationRate] = 50
    #expect(source.hears(expected))
    manager.startMagnetometerUpdates()
    expected[.magneticField] = .infinity
    #expect(source.hears(expected))
    manager.startDeviceMotionUpdates()
    expected.motion = .infinity
    #expect(source.hears(expected))
    manager.stopDeviceMotionUpdates()
    manager.stopMagnetometerUpdates()
    manager.stopGyroUpdates()
    #expect(source.hears(SampleDemand(.acceleration, at: 20)))
    manager.stopAccelerometerUpdates()
    #expect(source.hears(.nothing) && !source.isRunning)
  }

  /// A changed interval of an active stream changes the demand; an equal one, or one of an inactive
  /// stream, does not.
  @Test func `a new interval of an active stream is sent, an equal one is not`() throws {
    let (hub, source) = try rig()
    let manager = CMMotionManager(hub: hub)
    manager.startGyroUpdates()
    #expect(source.hears(SampleDemand(.rotationRate, at: 100)), "Core Motion's usual interval")
    let count = source.count
    manager.gyroUpdateInterval = 0.01
    manager.accelerometerUpdateInterval = 0.001
    #expect(source.count == count)
    manager.gyroUpdateInterval = 0.1
    #expect(source.hears(SampleDemand(.rotationRate, at: 10)) && source.count == count + 1)
    manager.stopGyroUpdates()
  }

  /// The demand is the maximum over all listeners of a hub and all hubs of a source.
  @Test func `the demand is the greatest over all hubs of a source`() throws {
    let (hub, source) = try rig()
    let other = MotionHub()
    try other.use(served(source))
    let managers = [
      CMMotionManager(hub: hub), CMMotionManager(hub: hub), CMMotionManager(hub: other),
    ]
    for (manager, interval) in zip(managers, [0.1, 0.04, 0.01]) {
      manager.accelerometerUpdateInterval = interval
      manager.startAccelerometerUpdates()
    }
    #expect(source.hears(SampleDemand(.acceleration, at: 100)))
    managers[2].stopAccelerometerUpdates()
    #expect(source.hears(SampleDemand(.acceleration, at: 25)) && source.isRunning)
    managers[1].stopAccelerometerUpdates()
    #expect(source.hears(SampleDemand(.acceleration, at: 10)))
    managers[0].stopAccelerometerUpdates()
    #expect(source.hears(.nothing) && !source.isRunning)
  }

  @Test func `streams and batches say what they need`() throws {
    let (hub, source) = try rig()
    do {
      let iterator = hub.rotationRates(every: .milliseconds(50)).makeAsyncIterator()
      withExtendedLifetime(iterator) {
        #expect(source.hears(SampleDemand(.rotationRate, at: 20)))
      }
    }
    #expect(Rig.eventually { source.demand == .nothing })
    do {
      let iterator = hub.deviceMotions(every: .milliseconds(100)).makeAsyncIterator()
      withExtendedLifetime(iterator) { #expect(source.hears(SampleDemand([], motion: 10))) }
    }
    #expect(Rig.eventually { source.demand == .nothing })
    do {
      let iterator = hub.batches(of: .magneticField).makeAsyncIterator()
      withExtendedLifetime(iterator) { #expect(source.hears(SampleDemand(.magneticField))) }
    }
    #expect(Rig.eventually { source.demand == .nothing })
    do {
      let iterator = hub.orientations().makeAsyncIterator()
      withExtendedLifetime(iterator) { #expect(source.hears(SampleDemand(.acceleration))) }
    }
    #expect(Rig.eventually { source.demand == .nothing })
    let altimeter = CMAltimeter(hub: hub)
    altimeter.startRelativeAltitudeUpdates(to: Rig.queue()) { _, _ in }
    #expect(source.hears(SampleDemand(.pressure)))
    altimeter.stopRelativeAltitudeUpdates()
  }

  /// A program's own receiver without a `demand` needs everything.
  @Test func `a receiver that says nothing needs everything`() throws {
    let (hub, source) = try rig()
    let receiver = Truth()
    let listening = try hub.listen(receiver)
    #expect(source.hears(.everything))
    listening.stop()
    #expect(source.hears(.nothing))
  }
}
