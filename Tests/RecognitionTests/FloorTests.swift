// SPDX-License-Identifier: Apache-2.0
import CAllocationCounter
import Foundation
import Quantities
import Recognition
import SeededRandom
import Testing

#if DEBUG
  private let isOptimised = false
#else
  private let isOptimised = true
#endif

@Suite struct FloorTests {
  static let none = Climbed(0, 0)

  /// Three floors up at every rate and noise are reported one after another, the last soon after it
  /// was climbed; with steps and by pressure alone.
  @Test(arguments: [1, 5, 12.5, 25, 75], [1, 3, 5.0])
  func `three floors of stairs are reported one after another`(hz: Double, noise: Double) {
    for usesSteps in [true, false] {
      for seed in 1...(hz < 10 ? 2 : 1) as ClosedRange<UInt64> {
        let legs: [Leg] = [.walk(20), .stairs(9), .walk(20)]
        let result = climbed(
          legs, Air(hz: hz, noise: noise, seed: seed), usesSteps: usesSteps)
        #expect(result == Climbed(3, 0), "steps \(usesSteps), seed \(seed)")
        // 3 m take 10.4 s: no floor is reported long before it is climbed, and none later than 10 s
        // after.
        for (floor, time) in result.times.enumerated() {
          let full = 20 + 10.38 * Double(floor + 1)
          #expect((full - 4...full + 10).contains(time), "floor \(floor + 1) at \(time) s")
        }
      }
    }
  }

  /// From slow walking to running, up and down, one floor or three.
  @Test(arguments: [0.8, 1.2, 1.7, 2.5])
  func `floors are counted from slow to running, up and down`(cadence: Double) {
    for seed in 1...2 as ClosedRange<UInt64> {
      let air = Air(seed: seed)
      for (metres, expected) in [
        (3.0, Climbed(1, 0)), (-3, Climbed(0, 1)), (9, Climbed(3, 0)), (-9, Climbed(0, 3)),
      ] {
        let legs: [Leg] = [.walk(20), .stairs(metres, cadence: cadence), .walk(20)]
        #expect(climbed(legs, air) == expected, "\(metres) m, seed \(seed)")
        #expect(climbed(legs, air, usesSteps: false) == expected, "\(metres) m alone")
      }
    }
    // Two stairs per step.
    #expect(climbed([.walk(20), .stairs(9, riser: 0.34), .walk(20)]) == Climbed(3, 0))
  }

  /// Ten floors up and down in a freezing and in a hot stairwell: the standard atmosphere assumes
  /// 288 K, so more or fewer floors are counted.
  @Test func `floors go with the temperature of the air`() {
    let legs: [Leg] = [.walk(20), .stairs(30), .walk(20), .stairs(-30), .walk(20)]
    #expect(climbed(legs) == Climbed(10, 10))
    for kelvin in [263.0, 308] {
      let result = climbed(legs, Air(temperature: kelvin))
      let floors = 10.0 * 288 / kelvin
      #expect(abs(Double(result.up) - floors) <= 1 && result.up == result.down, "\(result)")
    }
  }

  /// A landing or a corridor between flights; a dip of a metre; half a floor that is forgotten
  /// overnight.
  @Test func `halves of a floor add up, and a dip adds none`() {
    let half = 1.6
    let flights: [Leg] = [.walk(20), .stairs(half), .rest(30), .stairs(half), .walk(20)]
    #expect(climbed(flights) == Climbed(1, 0))
    let dip: [Leg] = [.walk(20), .stairs(2), .walk(5, metres: -0.8), .stairs(2), .walk(20)]
    #expect(climbed(dip) == Climbed(1, 0))
    let night: [Leg] = [.walk(20), .stairs(half), .rest(1800), .stairs(half), .walk(20)]
    #expect(climbed(night, Air(hz: 1)) == Self.none)
    for metres in [1, 2.0] {
      let legs = (0..<15).flatMap { _ -> [Leg] in
        [.stairs(metres), .walk(5), .stairs(-metres), .walk(5)]
      }
      #expect(climbed(legs) == Self.none, "\(metres) m")
    }
  }

  /// Lifts, with steps before and after, and with steps all the way; by pressure alone all their
  /// floors count.
  @Test(arguments: [0.6, 1, 2.5, 5])
  func `a lift is no floor climbed, and by pressure alone it is all of them`(speed: Double) {
    for seed in 1...2 as ClosedRange<UInt64> {
      for metres in [30.0, -30] {
        let air = Air(seed: seed)
        let legs: [Leg] = [.walk(20), .rest(1), .lift(metres, speed: speed), .walk(20)]
        #expect(climbed(legs, air) == Self.none, "\(metres) m")
        let floors = metres > 0 ? Climbed(10, 0) : Climbed(0, 10)
        #expect(climbed(legs, air, usesSteps: false) == floors, "\(metres) m alone")
      }
    }
    guard speed >= 1 else { return }
    var paced = Leg.lift(30, speed: speed)
    paced.cadence = 1.8
    // A person who paces in the lift: only the seconds that are averaged with the steps before its
    // door may count.
    #expect(climbed([.walk(20), paced, .walk(20)]).up <= 1)
  }

  /// On an escalator only a person who walks climbs; a hill counts on foot, and not in a car or on
  /// a bicycle, even if it shakes like steps.
  @Test func `what carries its passenger climbs no floor`() {
    let stood: [Leg] = [.walk(20), .escalator(9, isWalked: false), .walk(20)]
    #expect(climbed(stood) == Self.none)
    // 0.37 m per step is near the limit of climbing, and exceeds it if several steps are missed.
    let walked: [Leg] = [.walk(20), .escalator(9, isWalked: true), .walk(20)]
    for seed in 1...4 as ClosedRange<UInt64> {
      let result = climbed(walked, Air(seed: seed))
      #expect((2...3).contains(result.up) && result.down == 0, "\(result), seed \(seed)")
    }
    // 5 percent for ten minutes is 42 m, of which 3 m might be weather.
    let hill = climbed([.walk(20), .walk(600, metres: 42), .walk(20)])
    #expect((13...14).contains(hill.up) && hill.down == 0, "\(hill)")
    for activity in [ActivitySet.automotive, .cycling] {
      for cadence in [0, 1.3] {
        let ride = Leg(seconds: 20, cadence: cadence, activities: activity)
        let over = [40.0, -40].map {
          Leg(seconds: 200, metres: $0, cadence: cadence, activities: activity)
        }
        #expect(climbed([.walk(20), ride] + over + [.walk(20)]) == Self.none, "\(activity)")
      }
    }
    // After a ride counting continues, with the stairs of the car park.
    let parked: [Leg] = [
      Leg(seconds: 60, metres: 20, activities: .automotive), .walk(30), .stairs(6), .walk(20),
    ]
    #expect(climbed(parked) == Climbed(2, 0))
  }

  /// Two hours of walking while the pressure falls by 1 hPa per hour (8 m) or rises by 2.
  @Test(arguments: [-100, 200.0]) func `weather is no floor`(tendency: Double) {
    for usesSteps in [true, false] {
      let air = Air(hz: 1, noise: 2, tendency: tendency)
      #expect(climbed([.walk(7200.0)], air, usesSteps: usesSteps) == Self.none)
    }
  }

  @Test(arguments: [1, 5.0]) func `an hour of noise is no floor`(noise: Double) {
    let legs = (0..<40).flatMap { _ -> [Leg] in [.walk(45), .rest(45)] }
    for usesSteps in [true, false] {
      #expect(climbed(legs, Air(hz: 1, noise: noise), usesSteps: usesSteps) == Self.none)
    }
  }

  /// Slamming doors change the pressure by 8 m for up to 2 s, at every phase between two readings.
  @Test(arguments: [1, 25.0]) func `a door that slams is no floor`(hz: Double) {
    for usesSteps in [true, false] {
      for index in 0..<5 {
        let begin = 15 + 0.23 * Double(index)
        for (seconds, pascal) in [(0.3, 100.0), (2, 100), (2, -50)] {
          var air = Air(hz: hz)
          air.disturbance = { (begin..<begin + seconds).contains($0) ? pascal : 0 }
          #expect(
            climbed([.walk(30)], air, usesSteps: usesSteps) == Self.none,
            "\(pascal) Pa for \(seconds) s")
        }
      }
    }
  }

  /// Permanent ventilation: half a floor however slowly it starts, four floors if it starts within
  /// a second.
  @Test func `ventilation that stays is no floor`() {
    for usesSteps in [true, false] {
      for index in 0..<5 {
        let begin = 15 + 0.23 * Double(index)
        for (seconds, pascal) in [(0.2, 40.0), (0.2, -40), (1, 100), (1, -100), (10, 25)] {
          var air = Air(hz: 5)
          air.disturbance = { pascal * max(0, min(1, ($0 - begin) / seconds)) }
          #expect(
            climbed([.walk(45)], air, usesSteps: usesSteps) == Self.none,
            "\(pascal) Pa in \(seconds) s")
        }
      }
    }
    // The climb afterwards is counted.
    var air = Air()
    air.disturbance = { $0 > 10 ? 50 : 0 }
    #expect(climbed([.walk(20), .stairs(6), .walk(20)], air) == Climbed(2, 0))
  }

  /// 40 K at 1.5 Pa/K are 5 m in three minutes; only the temperature distinguishes this from a
  /// slope.
  @Test func `warming up is no floor where the temperature is known`() {
    let warmth: @Sendable (Double) -> Double = { 20 + 40 * (1 - exp(-$0 / 60)) }
    for usesSteps in [true, false] {
      var air = Air(hz: 5)
      air.disturbance = { 1.5 * (warmth($0) - 20) }
      #expect(climbed([.walk(900)], air, usesSteps: usesSteps) != Self.none)
      air.warmth = warmth
      #expect(climbed([.walk(900)], air, usesSteps: usesSteps) == Self.none)
    }
  }

  /// The sensor sleeps for minutes, in which the weather changes by 33 m; the climb afterwards
  /// counts.
  @Test func `pressure that changed while asleep is no floor`() {
    for usesSteps in [true, false] {
      var air = Air(asleep: 30...120)
      air.disturbance = { $0 > 60 ? 400 : 0 }
      let legs: [Leg] = [.walk(150), .stairs(6), .walk(20)]
      #expect(climbed(legs, air, usesSteps: usesSteps) == Climbed(2, 0))
    }
  }

  /// NaN, samples out of order and a restarted clock are no climb and interrupt none.
  @Test func `pressures out of order are no climb and end none`() throws {
    var recognizer = FloorRecognizer(usesSteps: false)
    for begin in [1000.0, 0] {
      for k in 0..<1200 {
        let time = begin + Double(k) / 10
        let metres = min(9, max(0, (time - begin - 60) * 0.3)) + (begin == 0 ? 500 : 0)
        let pressure = try #require(StandardAtmosphere.pressure(at: metres))
        for wrong in [Double.nan, .infinity, -1, 0, 1e9] {
          recognizer.update(pressure: wrong, temperature: .nan, at: Timestamp(seconds: time))
        }
        recognizer.update(pressure: pressure, temperature: .nan, at: Timestamp(seconds: time))
        if k > 0 {
          recognizer.update(pressure: 50, temperature: 1e9, at: Timestamp(seconds: time - 0.05))
        }
      }
    }
    #expect(recognizer.ascended == 6 && recognizer.descended == 0)
  }

  /// The climb of an iPhone from floor 1 to 5 by lift, 17 m: all floors by pressure alone, none
  /// without steps, and hardly any with too few steps, because it rises by 2 m per second, 0.8 m
  /// per step.
  @Test func `an iPhone's climb by lift has its floors by pressure alone`() throws {
    let rows = try recording("climb")
    for (usesSteps, cadence, floors) in [
      (false, 0.0, 5...6), (true, 0, 0...0), (true, 2.5, 0...1),
    ] {
      var recognizer = FloorRecognizer(usesSteps: usesSteps)
      var step = rows[0].time
      for row in rows {
        while cadence > 0, step < row.time - .seconds(3) {
          recognizer.add(Step(timestamp: step, confidence: 1, swing: 0.5))
          step = step + TimeSpan(seconds: 1 / cadence)
        }
        recognizer.update(pressure: row.values[0], temperature: nil, at: row.time)
      }
      #expect(floors.contains(recognizer.ascended) && recognizer.descended == 0, "\(cadence)")
      let relative = try #require(recognizer.relativeAltitude)
      let truth = try #require(rows.last).values[1]
      #expect(abs(relative - truth) < 0.1, "\(relative) m for \(truth)")
    }
  }

  /// The same climb with the estimator of replay and boards: floors and metres in one estimate,
  /// held between pressures.
  @Test func `floors and metres come in one estimate`() throws {
    let rows = try recording("climb")
    var estimator = MovementEstimator(channels: .pressure)
    #expect(estimator.relativeAltitude == nil)
    for row in rows {
      var sample = Sample(timestamp: row.time, channels: .pressure)
      sample.pressure = row.values[0]
      estimator.update(sample)
    }
    let truth = try #require(rows.last).values[1]
    let last = try #require(rows.last).time + .seconds(1)
    estimator.update(Sample(timestamp: last, channels: .temperature))
    #expect(abs(try #require(estimator.relativeAltitude) - truth) < 0.1)
    #expect((5...6).contains(estimator.movement.counts.floorsAscended))
    #expect(estimator.movement.counts.floorsDescended == 0)
  }

  @Test(.enabled(if: isOptimised, "unoptimised code allocates"))
  func `recognising floors allocates nothing`() {
    var recognizer = FloorRecognizer(usesSteps: true)
    func run(_ seconds: Range<Int>) {
      for second in seconds {
        for k in 0..<25 {
          let time = Timestamp(seconds: Double(second) + Double(k) / 25)
          recognizer.update(
            pressure: 101 - 0.003 * Double(second), temperature: 20 + Double(k) / 100, at: time)
        }
        let step = Timestamp(seconds: Double(second) - 3)
        recognizer.add(Step(timestamp: step, confidence: 1, swing: 1))
        recognizer.note(ActivityEstimate(timestamp: step, activities: .walking))
      }
    }
    run(0..<30)
    let before = otolith_allocations_of_thread()
    run(30..<120)
    let count = otolith_allocations_of_thread() - before
    // 0.25 m per step.
    #expect(count == 0 && recognizer.ascended >= 7)
  }
}
