// SPDX-License-Identifier: Apache-2.0
import Boards
import Fusion
import CoreMotion
import Otolith
import ServedSources
import Testing

/// Altimeters with a barometer scripted by the test, and with a simulated board.
@Suite(.serialized, .timeLimit(.minutes(1))) struct AltimeterTests {
  struct Relative: Equatable, Sendable {
    var time, altitude, pressure: Double
  }
  struct Absolute: Equatable, Sendable {
    var time, altitude, accuracy, precision: Double
  }

  static func rig(
    _ channels: ChannelSet = [.acceleration, .pressure], location: Location? = nil
  ) throws -> (MotionHub, ScriptedSource) {
    let source = ScriptedSource(channels, location: location)
    let hub = MotionHub()
    try hub.use(served(source))
    return (hub, source)
  }

  /// Sends one second at 25 Hz for each pressure in kPa, from `start` seconds on.
  static func send(_ source: ScriptedSource, from start: Int, _ pressures: [Double]) {
    for (index, pressure) in pressures.enumerated() {
      for k in 0..<25 {
        var sample = Sample(
          timestamp: Timestamp(seconds: Double(start + index) + Double(k) / 25),
          channels: .pressure)
        sample.pressure = pressure
        source.send(sample)
      }
    }
  }

  static func start(
    _ altimeter: CMAltimeter, _ queue: OperationQueue = Rig.queue()
  ) -> Collected<Relative> {
    let got = Collected<Relative>()
    altimeter.startRelativeAltitudeUpdates(to: queue) { data, error in
      got.add(
        data.map {
          Relative(
            time: $0.timestamp, altitude: $0.relativeAltitude.doubleValue,
            pressure: $0.pressure.doubleValue)
        }, error)
    }
    return got
  }

  static func startAbsolute(
    _ altimeter: CMAltimeter, _ queue: OperationQueue = Rig.queue()
  ) -> Collected<Absolute> {
    let got = Collected<Absolute>()
    altimeter.startAbsoluteAltitudeUpdates(to: queue) { data, error in
      got.add(
        data.map {
          Absolute(
            time: $0.timestamp, altitude: $0.altitude, accuracy: $0.accuracy,
            precision: $0.precision)
        }, error)
    }
    return got
  }

  // MARK: - Relative

  /// Pressure in kPa and altitude in metres: the first is 0, then one per second; 101.325 and
  /// 100.1294 kPa are 0 and 100 m in the ICAO table.
  @Test func `relative altitude begins with 0 and comes once a second`() throws {
    let (hub, source) = try Self.rig()
    let altimeter = CMAltimeter(hub: hub)
    let got = Self.start(altimeter)
    Self.send(source, from: 10, [101.325, 101.325, 100.1294])
    #expect(Rig.eventually { got.values.count == 3 })
    let first = try #require(got.values.first)
    #expect(first == Relative(time: first.time, altitude: 0, pressure: 101.325))
    #expect(abs(first.time - 10.48) < 1e-6)
    let last = try #require(got.values.last)
    #expect(abs(last.altitude - 100) < 0.02 && abs(last.pressure - 100.1294) < 1e-9)
    #expect(got.errors.isEmpty)
    altimeter.stopRelativeAltitudeUpdates()
    #expect(!source.isRunning)
  }

  /// Each start begins at 0 at the current altitude; a start without a stop replaces the handler.
  @Test func `each start of an altimeter begins with 0 where it is`() throws {
    let (hub, source) = try Self.rig()
    let altimeter = CMAltimeter(hub: hub)
    let first = Self.start(altimeter)
    Self.send(source, from: 10, [101])
    #expect(Rig.eventually { first.values.count == 1 })
    let second = Self.start(altimeter)
    Self.send(source, from: 20, [99, 98.9])
    #expect(Rig.eventually { second.values.count == 2 })
    #expect(second.values.first?.altitude == 0)
    // 1 hPa at 99 kPa: 29.271 * 286.9 K / 98.95 kPa * 0.1 = 8.49 m.
    #expect(abs((second.values.last?.altitude ?? 0) - 8.49) < 0.02)
    altimeter.stopRelativeAltitudeUpdates()
    let third = Self.start(altimeter)
    Self.send(source, from: 30, [97])
    #expect(Rig.eventually { third.values.first?.altitude == 0 })
    #expect(first.values.count == 1 && second.values.count == 2)
    altimeter.stopRelativeAltitudeUpdates()
    #expect(hub.reset())
  }

  @Test func `a stop inside the handler is the last of it`() throws {
    let (hub, source) = try Self.rig()
    let altimeter = CMAltimeter(hub: hub)
    let got = Collected<Double>()
    let held = Held(altimeter)
    altimeter.startRelativeAltitudeUpdates(to: Rig.queue()) { data, error in
      got.add(data?.relativeAltitude.doubleValue, error)
      held.value.stopRelativeAltitudeUpdates()
    }
    Self.send(source, from: 1, [101, 100, 99])
    #expect(Rig.eventually { !source.isRunning })
    Self.send(source, from: 9, [98, 97])
    Thread.sleep(forTimeInterval: 0.1)
    #expect(got.values == [0])
    // An additional stop has no effect.
    altimeter.stopRelativeAltitudeUpdates()
    #expect(hub.reset())
  }

  /// An altimeter that handlers use on their queues.
  final class Held: @unchecked Sendable {  // all its members may be called from any thread
    let value: CMAltimeter
    init(_ value: CMAltimeter) { self.value = value }
  }

  @Test func `an altimeter that is let go stops`() throws {
    let (hub, source) = try Self.rig(location: Location(height: 0))
    do {
      let altimeter = CMAltimeter(hub: hub)
      _ = Self.start(altimeter)
      _ = Self.startAbsolute(altimeter)
      #expect(source.isRunning)
    }
    #expect(Rig.eventually { hub.reset() })
  }

  // MARK: - Absolute

  /// 898.746 hPa is 1000 m in the ICAO table. Updates are sent if the altitude changes.
  @Test func `absolute altitude comes with changes of elevation`() async throws {
    let (hub, source) = try Self.rig(location: Location(seaLevelPressure: 101.325))
    let altimeter = CMAltimeter(hub: hub)
    let got = Self.startAbsolute(altimeter)
    let relative = Self.start(altimeter)
    // A listener that joins while the hub's thread is running is served from the thread's next turn
    // on.
    #expect(await hub.flush(within: .seconds(30)))
    // A pascal is a tenth of a metre, and counts as noise at first.
    Self.send(source, from: 1, [89.8746, 89.8746, 89.8736, 89.7746])
    #expect(Rig.eventually { relative.values.count == 4 && got.values.count == 2 })
    let (first, last) = (try #require(got.values.first), try #require(got.values.last))
    #expect(abs(first.altitude - 1000) < 0.05 && abs(first.time - 1.48) < 1e-6)
    #expect(abs(last.altitude - 1009.2) < 0.3 && abs(last.time - 4.48) < 1e-6)
    #expect(first.accuracy > 80 && (0.5...2).contains(first.precision))
    // The second stream continues without the first.
    altimeter.stopRelativeAltitudeUpdates()
    #expect(source.isRunning)
    Self.send(source, from: 5, [89.5])
    #expect(Rig.eventually { got.values.count == 3 })
    altimeter.stopAbsoluteAltitudeUpdates()
    #expect(!source.isRunning && got.errors.isEmpty && relative.values.count == 4)
  }

  @Test func `absolute altitude without a reference is an error until there is one`() throws {
    let (hub, source) = try Self.rig()
    let altimeter = CMAltimeter(hub: hub)
    let got = Self.startAbsolute(altimeter)
    Self.send(source, from: 1, [101, 100])
    #expect(Rig.eventually { got.calls > 0 })
    #expect(got.errors.map(\.domain) == ["CMErrorDomain"] && got.errors.map(\.code) == [109])
    #expect(
      got.errors.first?.localizedDescription
        == "the height of script is unknown: give 'sea-level-pressure-hpa' or 'height-m' in the "
        + "board file's location"
    )
    #expect(!source.isRunning && got.values.isEmpty)
    altimeter.stopAbsoluteAltitudeUpdates()
    // The program sets the reference, and the next start uses it.
    hub.altitudeReference = .height(metres: 250)
    let next = Self.startAbsolute(altimeter)
    Self.send(source, from: 10, [100])
    #expect(Rig.eventually { next.values.count == 1 })
    #expect(abs((next.values.first?.altitude ?? 0) - 250) < 1e-6)
    altimeter.stopAbsoluteAltitudeUpdates()
  }

  // MARK: - What cannot be had

  @Test func `without a barometer both altitudes report once that it is missing`() throws {
    let (hub, source) = try Self.rig(.acceleration, location: Location(height: 1))
    let altimeter = CMAltimeter(hub: hub)
    let relative = Self.start(altimeter)
    let absolute = Self.startAbsolute(altimeter)
    #expect(Rig.eventually { relative.calls > 0 && absolute.calls > 0 })
    Thread.sleep(forTimeInterval: 0.1)
    #expect(relative.errors.map(\.code) == [109] && absolute.errors.map(\.code) == [109])
    #expect(
      relative.errors.first?.localizedDescription.hasPrefix("script has no barometer") == true)
    #expect(relative.values.isEmpty && source.starts == 0)
    altimeter.stopRelativeAltitudeUpdates()
    altimeter.stopAbsoluteAltitudeUpdates()
  }

  @Test func `an altimeter without permission has one error`() throws {
    let (hub, source) = try Self.rig()
    source.refuse(.placeUnknown(source: "script"))
    let altimeter = CMAltimeter(hub: hub)
    let got = Self.start(altimeter)
    #expect(Rig.eventually { got.calls > 0 })
    #expect(got.errors.map(\.code) == [109] && got.values.isEmpty)
    altimeter.stopRelativeAltitudeUpdates()
  }

  @Test func `an unplugged barometer is one error, and data again when it is back`() throws {
    let (hub, source) = try Self.rig()
    let altimeter = CMAltimeter(hub: hub)
    let got = Self.start(altimeter)
    Self.send(source, from: 1, [101])
    #expect(Rig.eventually { got.values.count == 1 })
    source.fail("the barometer is gone")
    #expect(Rig.eventually { got.errors.count == 1 })
    source.fail("the barometer is gone")
    source.recover()
    Self.send(source, from: 60, [100.9, 100.9])
    #expect(Rig.eventually { got.values.count >= 3 })
    // The altitude is still above that of the start.
    #expect((got.values.last?.altitude ?? 0) > 8)
    source.fail("again")
    #expect(Rig.eventually { got.errors.count == 2 })
    let sentences = got.errors.map(\.localizedDescription)
    #expect(sentences == ["the barometer is gone", "again"])
    #expect(got.errors.map(\.code) == [109, 109])
    altimeter.stopRelativeAltitudeUpdates()
  }

  // MARK: - Data

  @Test func `altitudes come out of an archive as they went in`() throws {
    let relative = CMAltitudeData(metres: -2.5, kilopascals: 101.2, timestamp: 12.5)
    let read = try #require(try DataTests.archived(relative))
    #expect(read.relativeAltitude == -2.5 && read.pressure == 101.2 && read.timestamp == 12.5)
    let absolute = CMAbsoluteAltitudeData(
      metres: -11.5, accuracy: 8.25, precision: 0.5, timestamp: 13.5)
    let other = try #require(try DataTests.archived(absolute))
    #expect([other.altitude, other.accuracy, other.precision] == [-11.5, 8.25, 0.5])
    #expect(other.timestamp == 13.5)
    #expect(CMAltitudeData().relativeAltitude == 0 && CMAbsoluteAltitudeData().altitude == 0)
  }
}

/// A subclass as programs write them for their tests.
private final class MadeUpAltimeter: CMAltimeter {
  override init() { super.init() }
  override class func isRelativeAltitudeAvailable() -> Bool { true }
}

extension HubSuites {
  /// Altimeters with the process's own hub, on simulated boards.
  @Suite struct SimulatedAltimeterTests {
    /// Returns a board whose pressure falls by 1 kPa in 10 s: 29.271 * 288 / 101.3 = 83 m up, 8.3
    /// m/s.
    static func board(_ location: String, barometer: Bool = true) throws -> String {
      let folder = FileManager.default.temporaryDirectory
      let path = folder.appendingPathComponent("otolith-climb-\(UUID().uuidString).csv").path
      var text = "timestamp,acceleration.x,acceleration.y,acceleration.z,pressure\n"
      for k in 0...100 { text += "\(Double(k) / 10),0,0,-1,\(101.3 - Double(k) / 100)\n" }
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      return """
        otolith-board: 1
        name: Climbing board
        buses: { bus: { simulated: i2c } }
        chips:
          imu: { chip: "invensense,mpu6050", on: bus, address: 0x68 }
        \(barometer ? "  baro: { chip: \"bosch,bmp280\", on: bus, address: 0x76, rate-hz: 25 }" : "")
        \(location)
        simulation: { motion: \(path), noise: false }

        """
    }

    /// The climb of a recording passes through model, bus and driver.
    @Test func `a climb of the recording is reported in metres from its start`() throws {
      try Rig.use(
        Self.board("location: { latitude-deg: 47.4, longitude-deg: 8.5, height-m: 408 }"))
      #expect(CMAltimeter.isRelativeAltitudeAvailable())
      #expect(CMAltimeter.isAbsoluteAltitudeAvailable())
      let altimeter = CMAltimeter()
      let got = AltimeterTests.start(altimeter)
      let absolute = AltimeterTests.startAbsolute(altimeter)
      #expect(Rig.eventually(8) { got.values.count >= 4 && absolute.values.count >= 4 })
      #expect(CMAltimeter.authorizationStatus() == .authorized)
      altimeter.stopRelativeAltitudeUpdates()
      altimeter.stopAbsoluteAltitudeUpdates()
      let values = got.values
      let first = try #require(values.first)
      #expect(first.altitude == 0 && (100...101.3).contains(first.pressure))
      for (before, after) in zip(values, values.dropFirst()) {
        let interval = after.time - before.time
        #expect((0.9...1.15).contains(interval), "\(interval)")
        // The chip's filter settles within the first second.
        guard before.time > first.time else { continue }
        let speed = (after.altitude - before.altitude) / interval
        #expect(abs(speed - 8.35) < 0.25, "\(speed)")
      }
      #expect(abs((absolute.values.first?.altitude ?? 0) - 408) < 1e-6)
      let risen = (absolute.values.last?.altitude ?? 0) - 408
      #expect(abs(risen - (values.last?.altitude ?? 0)) < 2 && risen > 15, "\(risen)")
      #expect(got.errors.isEmpty && absolute.errors.isEmpty)
    }

    @Test func `availability of altitudes goes with barometer and reference`() throws {
      try Rig.use(Self.board("location: { latitude-deg: 47.4, longitude-deg: 8.5 }"))
      #expect(CMAltimeter.isRelativeAltitudeAvailable())
      // A position without a height is no reference.
      #expect(!CMAltimeter.isAbsoluteAltitudeAvailable())
      MotionHub.shared.altitudeReference = .seaLevelPressure(kilopascals: 101.5)
      #expect(CMAltimeter.isAbsoluteAltitudeAvailable())

      try Rig.use(
        Self.board("location: { sea-level-pressure-hpa: 1013.2 }", barometer: false))
      #expect(!CMAltimeter.isRelativeAltitudeAvailable())
      #expect(!CMAltimeter.isAbsoluteAltitudeAvailable())
      #expect(MadeUpAltimeter.isRelativeAltitudeAvailable())
      MadeUpAltimeter().stopRelativeAltitudeUpdates()

      try Rig.use(Self.board("location: { sea-level-pressure-hpa: 1013.2 }"))
      #expect(CMAltimeter.isAbsoluteAltitudeAvailable())
    }
  }
}
