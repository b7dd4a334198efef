// SPDX-License-Identifier: Apache-2.0
import Boards
import Fusion
import Foundation
import Otolith
import ServedSources
import Synchronization
import Testing

/// Orientation, shakes and altitude as streams, from sensors that the test scripts.
@Suite(.serialized, .timeLimit(.minutes(1))) struct RecognitionStreamTests {
  static func rig(
    _ channels: ChannelSet = [.acceleration, .pressure], location: Location? = nil
  ) throws -> (MotionHub, ScriptedSource) {
    let source = ScriptedSource(channels, location: location)
    let hub = MotionHub()
    try hub.use(served(source))
    return (hub, source)
  }

  static func sample(_ seconds: Double, _ acceleration: Vector3) -> Sample {
    var sample = Sample(timestamp: Timestamp(seconds: seconds), channels: .acceleration)
    sample.acceleration = acceleration
    return sample
  }

  static func sample(_ seconds: Double, pressure: Double) -> Sample {
    var sample = Sample(timestamp: Timestamp(seconds: seconds), channels: .pressure)
    sample.pressure = pressure
    return sample
  }

  /// Sends one second at 25 Hz for each pressure in kPa, from `start` seconds on.
  static func send(_ source: ScriptedSource, from start: Int, _ pressures: [Double]) {
    for (index, pressure) in pressures.enumerated() {
      for k in 0..<25 {
        source.send(sample(Double(start + index) + Double(k) / 25, pressure: pressure))
      }
    }
  }

  @Test func `orientations come at once, then with each change`() async throws {
    let (hub, source) = try Self.rig()
    var iterator = hub.orientations().makeAsyncIterator()
    #expect(source.isRunning)
    for k in 0..<100 { source.send(Self.sample(10 + Double(k) / 100, Vector3(0, -1, 0))) }
    for k in 100..<200 { source.send(Self.sample(10 + Double(k) / 100, Vector3(-1, 0, 0))) }
    let first = try #require(try await iterator.next())
    #expect(first == OrientationUpdate(.portrait, timestamp: Timestamp(seconds: 10)))
    let second = try #require(try await iterator.next())
    #expect(second.orientation == .landscapeLeft)
    #expect((11.2...11.7).contains(second.timestamp.seconds), "\(second.timestamp.seconds)")
  }

  @Test func `a shake begins and ends`() async throws {
    let (hub, source) = try Self.rig()
    var iterator = hub.shakes().makeAsyncIterator()
    for k in 0..<400 {
      let t = Double(k) / 100
      let shake = (1..<2).contains(t) ? 2.5 * sin(2 * .pi * 5 * t) : 0
      source.send(Self.sample(t, Vector3(shake, -0.6, -0.8)))
    }
    #expect(try await iterator.next()?.phase == .began)
    let ended = try #require(try await iterator.next())
    #expect(ended.phase == .ended && (2.2...2.6).contains(ended.timestamp.seconds))
  }

  /// 101.325 and 100.129 kPa are 0 and 100 m in the table of the ICAO standard atmosphere.
  @Test func `relative altitudes begin with 0 for each stream`() async throws {
    let (hub, source) = try Self.rig()
    var iterator = hub.altitudes().makeAsyncIterator()
    Self.send(source, from: 5, [101.325, 101.325, 100.1294])
    let first = try #require(try await iterator.next())
    #expect(first.relativeAltitude == 0 && first.absolute == nil && first.pressure == 101.325)
    #expect(abs(first.timestamp.seconds - 5.48) < 1e-6)
    #expect(try await iterator.next()?.relativeAltitude == 0)
    let high = try #require(try await iterator.next())
    #expect(abs(high.relativeAltitude - 100) < 0.02, "\(high.relativeAltitude)")
    // A second loop begins with 0 at its own start.
    var other = hub.altitudes().makeAsyncIterator()
    // A listener that joins while the hub's thread is running is served from the thread's next turn
    // on.
    #expect(await hub.flush(within: .seconds(30)))
    Self.send(source, from: 8, [100.1294])
    #expect(try await other.next()?.relativeAltitude == 0)
  }

  // MARK: - References

  /// Returns the first altitudes above sea level of a hub for `pressures`.
  private func absolute(
    _ hub: MotionHub, _ source: ScriptedSource, from start: Int, _ pressures: [Double]
  ) async throws -> [AbsoluteAltitude?] {
    var iterator = hub.altitudes().makeAsyncIterator()
    Self.send(source, from: start, pressures)
    var got: [AbsoluteAltitude?] = []
    for _ in pressures { got.append(try #require(try await iterator.next()).absolute) }
    return got
  }

  /// 898.746 hPa is 1000 m at 1013.25 hPa at sea level; with 10 hPa more it is 80.9 m higher, by
  /// the formula (1 - (p / p0)^0.190263) * 288.15 K / 0.0065 K/m.
  @Test func `the pressure at sea level is what absolute altitude goes by`() async throws {
    let (hub, source) = try Self.rig(location: Location(seaLevelPressure: 101.325))
    #expect(hub.altitudeReference == .seaLevelPressure(kilopascals: 101.325))
    let board = try #require(try await absolute(hub, source, from: 1, [89.8746]).first ?? nil)
    #expect(abs(board.altitude - 1000) < 0.05)
    // The weather in the board file is from another day: 10 hPa, which are 92 m at that height.
    #expect((85...130).contains(board.accuracy), "\(board.accuracy)")

    hub.altitudeReference = .seaLevelPressure(kilopascals: 102.325)
    let fresh = try #require(try await absolute(hub, source, from: 3, [89.8746]).first ?? nil)
    let byHand = (1 - pow(89.8746 / 102.325, 0.190263)) * 288.15 / 0.0065
    #expect(abs(fresh.altitude - byHand) < 0.1 && abs(fresh.altitude - 1080.9) < 0.1)
    // A current pressure: the barometer's own 1 hPa, and 3.5 percent of a column of a kilometre.
    #expect((30...50).contains(fresh.accuracy), "\(fresh.accuracy)")
    hub.altitudeReference = nil
    #expect(hub.altitudeReference == .seaLevelPressure(kilopascals: 101.325))
  }

  /// If the height is known to be 408 m, the altitude begins there, whatever the weather; later
  /// starts keep this.
  @Test func `a known height is where absolute altitude begins`() async throws {
    let (hub, source) = try Self.rig(location: Location(height: 408))
    #expect(hub.altitudeReference == .height(metres: 408))
    let got = try await absolute(hub, source, from: 1, [96, 96, 95])
    let first = try #require(got.first ?? nil)
    #expect(abs(first.altitude - 408) < 1e-6 && first.accuracy < 2)
    let last = try #require(got.last ?? nil)
    // 1 kPa less at 96 kPa: R T / (g p), computed by hand, is 29.271 * 285.5 / 95.5 = 87.5 m.
    #expect(abs(last.altitude - 408 - 87.5) < 0.7, "\(last.altitude)")
    let again = try #require(try await absolute(hub, source, from: 7, [95]).first ?? nil)
    #expect(again.altitude == last.altitude)
    // An hour of weather adds 0.5 hPa.
    let later = try #require(try await absolute(hub, source, from: 3607, [96]).first ?? nil)
    #expect((4...6).contains(later.accuracy), "\(later.accuracy)")
    // The reference is changed while running: the current height is 500 m.
    hub.altitudeReference = .height(metres: 500)
    let moved = try #require(try await absolute(hub, source, from: 3700, [95.3]).first ?? nil)
    #expect(abs(moved.altitude - 500) < 1e-6)
    #expect(hub.reset() && hub.altitudeReference != .height(metres: 500))
  }

  @Test func `pressure is preferred to height`() throws {
    let (hub, _) = try Self.rig(location: Location(height: 408, seaLevelPressure: 101))
    #expect(hub.altitudeReference == .seaLevelPressure(kilopascals: 101))
  }

  @Test func `a reference that cannot be gives no absolute altitude`() async throws {
    let (hub, source) = try Self.rig()
    for reference in [
      AltitudeReference.height(metres: 850_000), .seaLevelPressure(kilopascals: 0),
      .height(metres: .nan),
    ] {
      hub.altitudeReference = reference
      #expect(try await absolute(hub, source, from: 1, [96]) == [nil])
    }
  }

  // MARK: - Life

  @Test func `cancellation stops the sensors`() async throws {
    let (hub, source) = try Self.rig()
    let loop = Task {
      var count = 0
      for try await _ in hub.orientations() { count += 1 }
      return count
    }
    #expect(try await MotionsTests.eventually { source.isRunning })
    source.send(Self.sample(1, Vector3(0, 0, -1)))
    loop.cancel()
    _ = try await loop.value
    #expect(try await MotionsTests.eventually { !source.isRunning && hub.reset() })
  }

  @Test func `without a barometer altitudes end with an error`() async throws {
    let (hub, source) = try Self.rig(.acceleration)
    let error = try await #require(throws: SessionError.self) {
      for try await _ in hub.altitudes() {}
    }
    #expect(error.description.hasPrefix("script has no barometer"))
    #expect(source.starts == 0)
  }
}
