// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Fusion
internal import Quantities
internal import Redundancy

/// The processor time of one virtual sample, with fusion, of one to four chips of the same rate. With
/// `only`, of this number of chips: a profiler then counts the instructions of one number.
enum CostReport {
  static func print(seed: UInt64, only: Int?) {
    let track = Track(.hand, seed: seed)
    var one = 0.0
    for number in [1, 2, 3, 4] where only == nil || number == only {
      var draws = Draws(seed: seed)
      let run = Run(
        track: track, chips: RedundancyWorlds.chips(number, rates: [200], on: track, &draws))
      let readings = run.readings()
      var best = Double.infinity
      var groupsAlone = Double.infinity
      for _ in 0..<9 {
        best = min(best, time(run, readings, fuses: true))
        groupsAlone = min(groupsAlone, time(run, readings, fuses: false))
      }
      let samples = Double(readings.filter { $0.chip == 0 }.count)
      if one == 0 { one = best }
      Swift.print(
        number, "ns per sample of one chip", text(best / samples, 1), "groups alone",
        text(groupsAlone / samples, 1), "ratio", text(best / one), "asked",
        text(1 + 0.3 * Double(number - 1)))
    }
  }

  private static func time(_ run: Run, _ readings: [Reading], fuses: Bool) -> Double {
    var groups = run.groups()
    var estimator = MotionEstimator(channels: [.rotationRate, .acceleration])
    let number = run.chips.count
    let start = now()
    var sum = 0.0
    for reading in readings {
      guard let sample = groups.add(reading.sample, from: reading.chip) else { continue }
      if fuses {
        if number > 1 { exchangeDoubts(&estimator.engine, &groups, for: sample.channels) }
        if let motion = estimator.update(sample) { sum += motion.attitude6.w }
      }
      sum += sample.rotationRate.x
    }
    let end = now()
    if sum == .infinity { Swift.print("") }
    return end - start
  }

  private static func now() -> Double {
    var time = timespec()
    // The pointer is used within the call.
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}
