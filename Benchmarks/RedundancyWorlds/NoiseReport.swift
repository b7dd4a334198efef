// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Quantities
internal import Redundancy

/// The white noise of the virtual sensor at rest, compared with 1 / sqrt(sum of 1 / sigma^2).
enum NoiseReport {
  static func print(seed: UInt64) {
    Swift.print("chips rates: density of means over 1 s, formula, ratio; of one value, ratio")
    let track = Track(.table, seed: seed)
    for number in [1, 2, 3, 4] {
      for rates in [[200.0], [100, 200, 400], [1000, 100]] {
        for batch in [1, 20] where batch == 1 || rates.count == 1 {
          var draws = Draws(seed: seed &+ UInt64(number))
          var sums = (measured: 0.0, formula: 0.0, single: 0.0, count: 0.0)
          for _ in 0..<24 {
            let chips = RedundancyWorlds.chips(
              number, rates: rates, batch: batch, on: track, &draws)
            let run = Run(track: track, chips: chips)
            let (mean, one) = densities(of: run)
            let formula = 1 / chips.reduce(0) { $0 + 1 / density($1) }
            if ProcessInfo.processInfo.environment["VERBOSE"] != nil {
              Swift.print(
                chips.map { "\($0.sheet.name)@\(Int($0.rate))" },
                text((mean / formula).squareRoot()),
                text((one / formula).squareRoot()))
            }
            sums.measured += mean / formula
            sums.single += one / formula
            sums.count += 1
          }
          Swift.print(
            number, rates, batch == 1 ? "" : "batches of \(batch)",
            text((sums.measured / sums.count).squareRoot(), 3),
            text((sums.single / sums.count).squareRoot(), 3))
        }
      }
    }
  }

  /// The squared density of a chip's noise: the sheet's, and that of its quantisation.
  private static func density(_ chip: SimulatedChip) -> Double {
    let (noise, step) = (chip.sheet.gyroscope.density, chip.sheet.gyroscope.step)
    return noise * noise + step * step / 12 * 2 * chip.interval
  }

  /// The squared density of the noise of means over 1 s, and that of single values, (rad/s)^2/Hz
  /// one-sided, without what the device's small movement adds.
  private static func densities(of run: Run) -> (Double, Double) {
    var groups = run.groups()
    var (means, values): ([Vector3], [Vector3]) = ([], [])
    var (sum, count, block, step) = (Vector3.zero, 0.0, -1, 0.0)
    var last = 0.0
    for reading in run.readings() where reading.chip >= 0 {
      guard let out = groups.add(reading.sample, from: reading.chip),
        out.channels.contains(.rotationRate)
      else { continue }
      let time = out.timestamp.seconds
      guard time > 4 else { continue }
      let value = out.rotationRate - run.track.rate(at: time - run.chips[0].sheet.delay)
      if last > 0 { step += time - last }
      last = time
      values.append(value)
      let now = Int(time / 1)
      if now != block {
        if count > 0 { means.append(sum / count) }
        (sum, count, block) = (.zero, 0, now)
      }
      sum += value
      count += 1
    }
    let interval = step / Double(max(values.count - 1, 1))
    return (2 * 1 * differences(means), 2 * interval * differences(values))
  }

  /// Half of the mean square difference of neighbours: the variance of white noise, which slow
  /// drift does not touch.
  private static func differences(_ values: [Vector3]) -> Double {
    var sum = 0.0
    for (a, b) in zip(values, values.dropFirst()) { sum += (b - a).dot(b - a) }
    return sum / Double(max(values.count - 1, 1)) / 6
  }
}
