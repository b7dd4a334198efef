// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Fusion
internal import Quantities
internal import Redundancy

/// Several chips on one board that follow a track, and what is made of them.
struct Run {
  var track: Track
  var chips: [SimulatedChip]
  /// The alignment of each chip, as a board file would say it.
  var alignment = SensorAlignment(
    rotationSigma: 0.0, leverArmSigma: 0.005, timeOffsetSigma: 0.001)

  /// What came out of one run.
  struct Outcome {
    /// The largest error of the attitude after the fault, degrees, of the virtual sensor and of each
    /// chip alone.
    var virtual = 0.0
    var singles: [Double] = []
    /// The root mean square over all of the time after two seconds.
    var virtualRMS = 0.0
    var singlesRMS: [Double] = []
    /// The longest gap of the virtual gyroscope, s.
    var gap = 0.0
    /// True if the chip with the fault was named.
    var isNamed = false
    /// The time for which each chip was not used, s.
    var leftOut: [Double] = []
    /// The time from the fault to the first name, s.
    var delay = Double.infinity
  }

  /// An engine's error against the track, with the heading of the start.
  private struct Judge {
    var engine: FusionEngine
    private var heading: Quaternion?
    var largest = 0.0
    var sum = 0.0
    var count = 0.0

    init(delay: Double, carrier: Carrier) {
      var params = FusionEngine.Params(carrier: carrier)
      params.gyroDelay = delay
      params.accelerationDelay = delay
      params.expectCalibratedAccelerometer()
      engine = FusionEngine(params)
    }

    /// Adds a sample of the virtual sensor, and exchanges doubts with its groups as the pipeline
    /// does.
    mutating func add(
      _ sample: Sample, _ groups: inout SensorGroups, _ track: Track, after start: Double
    ) {
      exchangeDoubts(&engine, &groups, for: sample.channels)
      add(sample, track, after: start)
    }

    mutating func add(_ sample: Sample, _ track: Track, after start: Double) {
      let time = sample.timestamp.seconds
      if sample.channels.contains(.rotationRate) {
        engine.update(rotationRate: sample.rotationRate, at: sample.timestamp)
      }
      if sample.channels.contains(.acceleration) {
        engine.update(acceleration: sample.acceleration, at: sample.timestamp)
      }
      guard sample.channels.contains(.rotationRate), time > 2 else { return }
      // The turn from the truth to the attitude, less its heading when the fault begins.
      let off = engine.attitude6 * track.attitude(at: time).conjugate
      if heading == nil, time >= min(start, 2.5) {
        heading = Quaternion(angle: 2 * atan2(off.z, off.w), axis: Vector3(0, 0, 1)).conjugate
      }
      guard let heading else { return }
      let q = heading * off
      let angle = 2 * atan2(Vector3(q.x, q.y, q.z).norm, abs(q.w)) / degree
      sum += angle * angle
      count += 1
      if time >= start { largest = max(largest, angle) }
    }
  }

  private func traits(of chip: SimulatedChip, _ channel: Channel) -> SensorTraits {
    var traits = SensorTraits(channel, interval: 1 / chip.rate)
    let errors = channel == .rotationRate ? chip.sheet.gyroscope : chip.sheet.accelerometer
    traits.noise =
      (errors.density * errors.density * chip.rate / 2 + errors.step * errors.step / 12)
      .squareRoot()
    traits.offsetSigma = errors.offset
    traits.scaleSigma = errors.scale
    traits.crossAxisSigma = errors.crossAxis
    if channel == .rotationRate { traits.unsteadiness = max(chip.sheet.perG, 0.02 * degree) }
    traits.delay = chip.sheet.delay
    traits.step = errors.step
    traits.range = SensorRange(end: channel == .rotationRate ? chip.range : errors.range)
    return traits
  }

  func groups() -> SensorGroups {
    var groups = SensorGroups()
    for chip in chips {
      groups.add(chipWith: [.rotationRate, .acceleration], alignment: alignment) {
        traits(of: chip, $0)
      }
    }
    return groups
  }

  /// All samples in the order in which they are read.
  func readings() -> [Reading] {
    var readings: [Reading] = []
    for index in chips.indices {
      var chip = chips[index]
      while let sample = chip.next(on: track) {
        readings.append(Reading(chip: index, arrival: chip.arrival(of: sample), sample: sample))
      }
    }
    return readings.sorted { $0.arrival < $1.arrival }
  }

  /// Prints the conditions that are not good.
  private func report(_ groups: SensorGroups, at time: Double) {
    var line = text(time, 3)
    for chip in chips.indices {
      for channel in [Channel.rotationRate, .acceleration] {
        guard let c = groups.condition(ofChip: chip, channel: channel), !c.isGood || !c.isUsed
        else { continue }
        line += " \(chips[chip].sheet.name).\(channel) \(c.x)/\(c.y)/\(c.z)\(c.isUsed ? "" : "!")"
      }
    }
    Swift.print(line)
  }

  /// Runs with samples of the chips; `fault` is the chip with a fault from `start` on. Each chip alone is run too if
  /// `hasSingles`.
  func outcome(of readings: [Reading], fault: Int?, from start: Double, hasSingles: Bool = true)
    -> Outcome
  {
    var outcome = Outcome()
    let carrier: Carrier = track.kind == .drone ? .air : track.kind == .walk ? .body : .hand
    var groups = groups()
    var virtual: Judge?
    var singles = chips.map { Judge(delay: $0.sheet.delay, carrier: carrier) }
    outcome.leftOut = chips.map { _ in 0 }
    var lastOut: Double?
    let isVerbose = ProcessInfo.processInfo.environment["EVENTS"] != nil
    var changes: UInt32 = 0
    var isUsed = chips.map { _ in true }
    var isNamed = false
    for reading in readings {
      if hasSingles { singles[reading.chip].add(reading.sample, track, after: start) }
      let combined = groups.add(reading.sample, from: reading.chip)
      if groups.changes != changes {
        changes = groups.changes
        if isVerbose { report(groups, at: reading.sample.timestamp.seconds) }
        isNamed = false
        for chip in chips.indices {
          let conditions = [Channel.rotationRate, .acceleration].compactMap {
            groups.condition(ofChip: chip, channel: $0)
          }
          isUsed[chip] = conditions.allSatisfy(\.isUsed)
          if chip == fault {
            isNamed = conditions.contains { !$0.isGood && $0.worst != .disagreeing }
          }
        }
      }
      guard let sample = combined else { continue }
      if virtual == nil {
        virtual =
          Judge(delay: chips[reading.chip].sheet.delay, carrier: carrier)
      }
      virtual?.add(sample, &groups, track, after: start)
      guard sample.channels.contains(.rotationRate) else { continue }
      let time = sample.timestamp.seconds
      if let last = lastOut, time > 2 {
        let step = time - last
        outcome.gap = max(outcome.gap, step)
        if isNamed, time >= start, !outcome.isNamed {
          outcome.isNamed = true
          outcome.delay = time - start
        }
        for chip in chips.indices where !isUsed[chip] { outcome.leftOut[chip] += step }
      }
      lastOut = time
    }
    outcome.virtual = virtual?.largest ?? 180
    if let virtual { outcome.virtualRMS = (virtual.sum / max(virtual.count, 1)).squareRoot() }
    outcome.singles = singles.map(\.largest)
    outcome.singlesRMS = singles.map { ($0.sum / max($0.count, 1)).squareRoot() }
    return outcome
  }
}

/// Tells fusion what the groups doubt, and the groups the bias that fusion has found, as the
/// pipeline does.
func exchangeDoubts(
  _ engine: inout FusionEngine, _ groups: inout SensorGroups, for channels: ChannelSet
) {
  let doubts = groups.doubts(of: channels) { (engine.gyroBias, engine.gyroBiasCovariance) }
  guard doubts != SensorDoubts() else { return }
  let bias = doubts.bias
  engine.shift(gyroBias: bias.change, doubt: bias.doubt, lasting: bias.seconds)
  engine.widen(rotationRate: doubts.rotationRate, acceleration: doubts.acceleration)
}
