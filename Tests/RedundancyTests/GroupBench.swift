// SPDX-License-Identifier: Apache-2.0
import Foundation
import Quantities
import Redundancy
import SeededRandom

let degree = Scalar.pi / 180

/// A simulated sensor: a member of a group, sampled at its own rate and phase.
struct SimulatedMember {
  var rate: Scalar
  var phase: Scalar
  /// The standard deviation of one sample's noise.
  var noise: Scalar
  var step: Scalar = 0
  /// The standard deviation of slow errors in the traits. The values have none.
  var unsteadiness: Scalar = 0.02 * degree
  /// The number of samples that are read together.
  var batch = 1
  /// What the sensor makes of the true value at a time; `nil` where it gives no sample.
  var sense: (Vector3, Scalar) -> Vector3? = { value, _ in value }

  var traits: SensorTraits {
    var traits = SensorTraits(.rotationRate, interval: 1 / rate)
    traits.noise = noise
    traits.offsetSigma = 1 * degree
    traits.scaleSigma = 0.01
    traits.crossAxisSigma = 0.01
    traits.unsteadiness = unsteadiness
    traits.step = step
    traits.batchInterval = batch > 1 ? Scalar(batch) / rate : 0
    return traits
  }
}

/// A group of gyroscopes that all follow one motion.
struct GroupBench {
  var members: [SimulatedMember]
  /// The true value at a time.
  var motion: (Scalar) -> Vector3 = { _ in .zero }
  var random = SplitMix(state: 58)

  /// The traits of the rest of a group's members, before the run.
  func group() -> SensorGroup {
    var group = SensorGroup(.rotationRate)
    let alignment = SensorAlignment(
      rotationSigma: 0, leverArmSigma: 0, timeOffsetSigma: 0.000_5)
    for member in members { _ = group.add(member.traits, alignment) }
    return group
  }

  private mutating func normal() -> Scalar {
    let (a, b) = (
      Scalar.random(in: 1e-12...1, using: &random), Scalar.random(in: 0...1, using: &random)
    )
    return (-2 * log(a)).squareRoot() * cos(2 * .pi * b)
  }

  /// Runs for some seconds; calls `body` with each value that is due and the group behind it.
  mutating func run(
    _ group: inout SensorGroup, seconds: Scalar, from start: Scalar = 0,
    _ body: (Combined, borrowing SensorGroup) -> Void
  ) {
    var events: [(arrival: Scalar, time: Scalar, member: Int)] = []
    for (index, member) in members.enumerated() {
      let interval = 1 / member.rate
      for k in 0..<Int(seconds * member.rate) {
        let time = start + member.phase * interval + Scalar(k) * interval
        let span = Scalar(member.batch) * interval
        let arrival = member.batch > 1 ? ((time / span).rounded(.down) + 1) * span : time
        events.append((arrival, time, index))
      }
    }
    events.sort { ($0.arrival, $0.time) < ($1.arrival, $1.time) }
    for (_, time, index) in events {
      let member = members[index]
      guard var value = member.sense(motion(time), time) else { continue }
      if member.noise > 0 { value += member.noise * Vector3(normal(), normal(), normal()) }
      if member.step > 0 {
        func count(_ c: Scalar) -> Scalar { (c / member.step).rounded() * member.step }
        value = Vector3(count(value.x), count(value.y), count(value.z))
      }
      if let combined = group.add(value, at: Timestamp(seconds: Double(time)), from: index) {
        body(combined, group)
      }
    }
  }
}
