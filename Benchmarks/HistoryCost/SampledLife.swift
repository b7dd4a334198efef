// SPDX-License-Identifier: Apache-2.0
import Foundation
import History
import Quantities
import Recognition

/// The same life as a device feels it: 50 samples of acceleration a second and one of pressure,
/// from which the recognisers find the steps, floors and activities, as on a board.
struct SampledLife: EntrySource {
  private var script = LifeSource()
  private var random: UInt64 = 7
  private var estimator = MovementEstimator(channels: [.acceleration, .pressure])
  private var written = Movement()
  private var activity = ActivitySet.stationary
  /// Of the steps, in turns.
  private var phase = 0.0
  /// Metres: where the device is, and where stairs lead.
  private var height = 0.0
  private var goal = 0.0
  /// The direction of gravity, and the one to which the device is being turned.
  private var down = Vector3(0, 0, -1)
  private var turned = Vector3(0, 0, -1)
  private var shake = Vector3.zero

  /// The script's counts, for comparison.
  private(set) var trueSteps = 0
  private(set) var trueFloors = 0
  var counted: Movement { estimator.movement }

  /// Knuth's MMIX generator, -1 to 1.
  private mutating func draw() -> Double {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(Int64(bitPattern: random)) / 0x1p63
  }

  private mutating func noise() -> Vector3 { Vector3(draw(), draw(), draw()) }

  mutating func entry(_ second: Int, begin: Timestamp) -> MovementEntry {
    let said = script.entry(second, begin: begin)
    trueSteps += said.counts.steps
    trueFloors += said.counts.floorsAscended + said.counts.floorsDescended
    goal += 3 * Double(said.counts.floorsAscended - said.counts.floorsDescended)
    if let change = said.activities.last { activity = change.activities }
    for index in 0..<50 {
      var sample = Sample(
        timestamp: begin + .milliseconds(20 * Int64(index)), channels: .acceleration)
      sample.acceleration = felt(isWalking: said.counts.steps > 0)
      if index == 0 {
        sample.channels.insert(.pressure)
        sample.pressure = 101.325 - 0.012 * height + 0.0022 * draw()
      }
      estimator.update(sample)
    }
    return taken(begin, said.end)
  }

  /// One sample, g.
  private mutating func felt(isWalking: Bool) -> Vector3 {
    if isWalking {
      phase += script.cadence / 50
      // A quarter of a metre a second, as one climbs stairs.
      height += min(max(goal - height, -0.005), 0.005)
      let turn = 2 * Double.pi * phase
      // The foot strikes sharply and lets go slowly; left and right differ a little.
      let up = 0.22 * cos(turn) + 0.08 * cos(2 * turn) + 0.03 * cos(3 * turn + 0.3)
      let side = 0.06 * sin(turn / 2)
      return Vector3(side, 0.08 * sin(turn + 0.4), -1 - up) + noise() * 0.02
    }
    switch activity {
    case .automotive:
      shake += noise() * 0.03 - shake * 0.25
      return down + shake
    case .cycling:
      phase += 1.2 / 50
      shake += noise() * 0.06 - shake * 0.3
      return down + shake + Vector3(0, 0, 0.04 * sin(2 * Double.pi * phase))
    case []:
      if draw() > 0.99 { turned = Vector3(draw(), draw(), draw()).normalized ?? turned }
      down += (turned - down) * 0.04
      return (down.normalized ?? down) + noise() * 0.01
    default:
      return (down.normalized ?? down) + noise() * 0.003
    }
  }

  /// Returns what was recognised since the last entry.
  private mutating func taken(_ begin: Timestamp, _ end: Timestamp) -> MovementEntry {
    var entry = MovementEntry(begin: begin, end: end)
    let movement = estimator.movement
    entry.hasFloors = true
    entry.counts = movement.counts - written.counts
    written = movement
    while estimator.nextStep() != nil {}
    while let event = estimator.nextEvent() { entry.events.append(event) }
    while let change = estimator.nextActivity() { entry.activities.append(change) }
    return entry
  }
}
