// SPDX-License-Identifier: Apache-2.0
import Foundation
import Quantities
import Recognition
import SeededRandom
import Testing

@Suite struct ActivityTests {
  /// Whole recordings one after another on one clock, and the recognised activities.
  struct Day {
    var recognizer = ActivityRecognizer()
    var now = 0.0
    var events: [ActivityEstimate] = []
    /// The times when the activities were reported.
    var reported: [Double] = []

    /// Plays the recording `name` repeatedly for `seconds`.
    mutating func live(_ name: String, for seconds: Double) throws {
      let rows = try recording(name)
      let length = (try #require(rows.last).time - rows[0].time).seconds + 0.02
      var t = 0.0
      while t < seconds {
        for row in rows {
          let at = t + (row.time - rows[0].time).seconds
          if at >= seconds { break }
          take(Vector3(row.values), at: now + at)
        }
        t += length
      }
      now += seconds
    }

    /// Plays a device at rest.
    mutating func lie(for seconds: Double, hz: Double = 50) {
      var random = SplitMix(state: 7)
      for k in 0..<Int(seconds * hz) {
        take(Vector3(0.02, -0.1, -0.99) + random.vector(0.002), at: now + Double(k) / hz)
      }
      now += seconds
    }

    mutating func take(_ acceleration: Vector3, at t: Double) {
      if let event = recognizer.update(acceleration, at: Timestamp(seconds: t)) {
        events.append(event)
        reported.append(t)
      }
    }

    /// The activities without changes of confidence only.
    var activities: [ActivitySet] {
      events.reduce(into: []) { if $0.last != $1.activities { $0.append($1.activities) } }
    }
  }

  /// These are excerpts of the training recordings, so they show that the processing works, not its
  /// accuracy.
  @Test(arguments: [
    ("walk-hand", ActivitySet.walking), ("run-wrist", .running), ("drive", .automotive),
    ("cycle-phone", .cycling), ("rest-wrist", .stationary),
  ])
  func `each training recording has its activity`(_ name: String, _ activity: ActivitySet) throws {
    var day = Day()
    try day.live(name, for: 29)
    #expect(day.activities == [activity])
    let first = try #require(day.events.first)
    #expect(first.timestamp == .zero || first.timestamp.seconds < 0.01)
    #expect(day.recognizer.estimate.activities == activity)
  }

  /// A device that is swung slowly: it moves, but matches no activity.
  @Test func `a motion that is none of the activities has a low confidence`() {
    var day = Day()
    for k in 0..<2000 {
      let t = Double(k) / 50
      let (pitch, roll) = (0.5 * sin(2 * .pi * 0.23 * t), 0.7 * sin(2 * .pi * 0.17 * t))
      day.take(Vector3(sin(roll) * cos(pitch), -sin(pitch), -cos(roll) * cos(pitch)), at: t)
    }
    #expect(day.activities == [[]])
    #expect(day.events.allSatisfy { $0.confidence == .low }, "\(day.events)")
  }

  /// The activity is unknown at first, and known within 10 s.
  @Test(arguments: [12.5, 50, 100, 800])
  func `an activity is unknown at first and answered within 10 s`(_ hz: Double) throws {
    var day = Day()
    #expect(day.recognizer.estimate.activities == .unknown)
    day.lie(for: 5, hz: hz)
    #expect(day.events.isEmpty)
    day.lie(for: 5, hz: hz)
    #expect(day.activities == [.stationary])
    #expect(day.recognizer.estimate.timestamp == .zero)
  }

  /// Each change is reported once, with the time when it happened.
  @Test func `each change of activity is reported once, with its time`() throws {
    var day = Day()
    day.lie(for: 40)
    try day.live("walk-hand", for: 60)
    try day.live("run-wrist", for: 60)
    try day.live("walk-hand", for: 60)
    day.lie(for: 60)
    #expect(day.activities == [.stationary, .walking, .running, .walking, .stationary])
    for (activity, truth) in [(ActivitySet.running, 100.0), (.stationary, 220)] {
      let event = try #require(day.events.last { $0.activities == activity })
      #expect(abs(event.timestamp.seconds - truth) < 5, "\(event)")
    }
    // No activity is reported twice, and a change of confidence only after 8 s.
    for k in day.events.indices.dropFirst()
    where day.events[k].activities == day.events[k - 1].activities {
      #expect(day.events[k].confidence != day.events[k - 1].confidence)
      #expect(day.reported[k] - day.reported[k - 1] >= 8)
    }
  }

  /// At a traffic light a car is automotive and stationary, and then automotive again; the ride
  /// ends on foot.
  @Test func `a car at a light is automotive and stationary`() throws {
    var day = Day()
    try day.live("drive", for: 60)
    day.lie(for: 60)
    #expect(day.recognizer.estimate.activities == [.automotive, .stationary])
    try day.live("drive", for: 60)
    #expect(day.recognizer.estimate.activities == .automotive)
    try day.live("walk-hand", for: 40)
    day.lie(for: 60)
    #expect(
      day.activities == [
        .automotive, [.automotive, .stationary], .automotive, .walking, .stationary,
      ])
  }

  /// Hands rotate what they hold by tens of degrees every few seconds, and cars do not. With one
  /// axis it is unknown whether the sensor rides.
  @Test func `a hand's turns and a sensor of one axis are no ride`() throws {
    let rows = try recording("drive")
    var (turned, narrow) = (Day(), Day())
    for k in 0..<3 {
      for row in rows {
        let felt = Vector3(row.values)
        let at = 29.1 * Double(k) + (row.time - rows[0].time).seconds
        guard at < 29.1 * Double(k + 1) else { break }
        let turn = Quaternion(angle: sin(2 * Double.pi * at / 6), axis: Vector3(1, 0, 0))
        turned.take(turn.rotate(felt), at: at)
        narrow.take(Vector3(0, 0, felt.norm), at: at)
      }
    }
    #expect(!turned.activities.isEmpty && !narrow.activities.isEmpty)
    for activities in turned.activities + narrow.activities {
      #expect(!activities.contains(.automotive), "\(activities)")
    }
  }

  /// A car that stands for more than five minutes is parked.
  @Test func `a car that stands for five minutes is parked`() throws {
    var day = Day()
    try day.live("drive", for: 40)
    day.lie(for: 300, hz: 12.5)
    #expect(day.recognizer.estimate.activities == [.automotive, .stationary])
    day.lie(for: 20, hz: 12.5)
    #expect(day.recognizer.estimate.activities == .stationary)
    #expect(abs(day.recognizer.estimate.timestamp.seconds - 340) < 8)
  }

  /// A short gap changes nothing; after 30 s the activity is unknown.
  @Test func `a short gap changes nothing, after half a minute nothing is known`() throws {
    var day = Day()
    day.lie(for: 30)
    let before = day.recognizer.estimate
    day.now += 20
    day.lie(for: 30)
    #expect(
      day.activities == [.stationary] && day.recognizer.estimate.timestamp == before.timestamp)
    day.now += 31
    day.take(Vector3(0, 0, -1), at: day.now)
    #expect(day.recognizer.estimate.activities == .unknown)
    #expect(day.recognizer.estimate.timestamp.seconds == day.now)
    day.lie(for: 20)
    #expect(day.activities == [.stationary, .unknown, .stationary])
    day.recognizer.interrupt()
    #expect(day.recognizer.estimate.activities == .unknown)
    // The clock restarts.
    day.now = 0
    day.lie(for: 20)
    #expect(day.recognizer.estimate.activities == .stationary)
    #expect(day.recognizer.estimate.timestamp == .zero)
    day.take(Vector3(0, 0, -1), at: 3)
    #expect(day.recognizer.estimate == ActivityEstimate(timestamp: Timestamp(seconds: 3)))
  }

  /// A sensor that repeats its value during a walk has stopped measuring: the activity is kept for
  /// one or two seconds, then unknown, and found again as quickly as at the start.
  @Test(arguments: [12.5, 50])
  func `a frozen sensor is unknown`(_ hz: Double) throws {
    for (k, frozen) in [Vector3(0.3, -0.5, -1), Vector3(0.5, 0.5, -0.72)].enumerated() {
      var day = Day()
      try day.live("walk-hand", for: 30)
      for n in 0..<Int(3 * hz) { day.take(frozen, at: day.now + Double(n) / hz) }
      day.now += 3
      try day.live("walk-hand", for: 20)
      #expect(day.activities == [.walking], "\(k)")
      let before = day.now
      for n in 0..<Int(20 * hz) { day.take(frozen, at: day.now + Double(n) / hz) }
      day.now += 20
      #expect(day.activities == [.walking, .unknown], "\(k)")
      let reported = try #require(day.reported.last)
      #expect((4.9...5.2).contains(reported - before), "\(reported)")
      #expect(abs((day.events.last?.timestamp.seconds ?? 0) - before) < 0.1)
      try day.live("walk-hand", for: 12)
      #expect(day.activities == [.walking, .unknown, .walking], "\(k)")
    }
  }

  /// A coarse sensor repeats its value at rest: that is stationary, with a usual bias and scale.
  @Test func `a coarse sensor that lies still is stationary`() {
    var day = Day()
    var random = SplitMix(state: 9)
    for k in 0..<3000 {
      let t = Double(k) / 50
      // The device is put down after 20 s, within 0.2 s.
      let moved = t < 20 ? 0.3 : 0.3 * exp(-(t - 20) / 0.05)
      let felt = Vector3(0.05, 0, -1.02) + random.vector(1) * moved
      day.take(
        Vector3((felt.x * 64).rounded(), (felt.y * 64).rounded(), (felt.z * 64).rounded()) / 64,
        at: t)
    }
    #expect(day.recognizer.estimate.activities == .stationary)
    #expect(!day.activities.contains(.unknown))
  }

  /// Invalid values and samples out of order have no effect.
  @Test func `samples out of order change no activity`() throws {
    var plain = Day()
    var odd = Day()
    for row in try recording("run-wrist") {
      let t = row.time.seconds
      plain.take(Vector3(row.values), at: t)
      odd.take(Vector3(row.values), at: t)
      odd.take(Vector3(.nan, 0, 0), at: t + 0.001)
      odd.take(Vector3(0, .infinity, 0), at: t + 0.002)
      odd.take(Vector3(9, 9, 9), at: t)
      odd.take(Vector3(9, 9, 9), at: t - 0.3)
    }
    #expect(plain.events == odd.events && plain.recognizer == odd.recognizer)
    #expect(plain.activities == [.running])
  }
}
