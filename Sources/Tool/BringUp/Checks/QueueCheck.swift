// SPDX-License-Identifier: Apache-2.0
internal import Boards
internal import ChipCatalog
package import Quantities
internal import Registers
internal import Runtime
internal import Sensors

/// A check that runs a chip with its FIFO, and evaluates the frames.
package enum QueueCheck {
  package struct Result: CheckResult {
    package var chip: String
    package var skipped: String?
    package var seconds = 0.0
    package var bursts = 0
    package var frames: UInt64 = 0
    /// The number of frames per FIFO read: first the number expected from the rate and batch
    /// interval in the board file, then the measured number.
    package var expectedFramesABurst = 0.0
    package var framesABurst = 0.0
    package var largestBurst = 0
    package var overflows: UInt64 = 0
    package var missing: UInt64 = 0
    package var configuredHz: Double?
    /// The sample rate in Hz, from the samples' times.
    package var measuredHz: Double?
    /// The number of misaligned frames: runs of three or more frames with values that are
    /// impossible at rest. Their cause is lost bytes.
    package var misaligned = 0
    /// The number of single frames with impossible values, which were corrupted on the bus.
    package var implausible = 0
    package var findings: [Finding] = []
  }

  /// The values of one FIFO frame that show whether it is aligned.
  package struct Frame {
    /// The magnitude of the specific force in g.
    package var force: Double?
    /// The magnitude of the rotation rate in rad/s.
    package var rate: Double?
    /// The temperature in degrees Celsius.
    package var temperature: Double?

    package init(force: Double? = nil, rate: Double? = nil, temperature: Double? = nil) {
      self.force = force
      self.rate = rate
      self.temperature = temperature
    }
  }

  /// Runs `chip` for `span`; the board should be at rest.
  package static func run(_ chip: ExaminedChip, for span: TimeSpan) -> Result {
    let name = chip.placement.name
    var result = Result(chip: name)
    guard chip.entry.description.acquisitions.contains(.fifo) else {
      result.skipped = "\(chip.entry.description.title) has no FIFO"
      return result
    }
    var settings = chip.placement.settings
    settings.acquisition = .fifo
    // Turn off a built-in magnetometer, because the FIFO does not contain its samples.
    settings.usesMagnetometer = false
    var frames: [Frame] = []
    var first: Timestamp?
    var last: Timestamp?
    let run: ExaminedRun
    do throws(ChipError) {
      run = try chip.sample(settings, for: span) { reading, time in
        if first == nil { first = time }
        last = time
        frames.append(Frame(reading))
        return true
      }
    } catch {
      result.skipped = "it does not support this rate with its FIFO"
      return result
    }
    result.seconds = run.seconds
    result.bursts = run.batches
    result.frames = run.frames
    result.largestBurst = run.largestBatch
    result.framesABurst = run.batches > 0 ? Double(run.frames) / Double(run.batches) : 0
    result.configuredHz = run.settings.rate
    result.expectedFramesABurst = max(1, run.settings.batchInterval.seconds * run.settings.rate)
    result.overflows = run.health.overflows
    result.missing = run.health.missing
    if let first, let last, last > first {
      result.measuredHz =
        Double(UInt64(frames.count - 1) + run.health.missing) / (last - first).seconds
    }
    (result.misaligned, result.implausible) = alignment(frames)
    if chip.bus.isTrace, run.frames == 0 {
      result.skipped = ExaminedChip.notOfTrace
      return result
    }
    result.findings = RunTrouble.findings(run, chip)
    guard result.findings.isEmpty else { return result }
    result.findings = findings(result, run, chip)
    // Test the bus before reporting the FIFO, because bus errors corrupt counts and frames too.
    if !result.findings.isEmpty || result.implausible > 0, !chip.bus.isTrace {
      let soak = ErrorSoak.run(chip, for: .seconds(2), count: 20_000)
      if !soak.findings.isEmpty { result.findings = soak.findings }
    }
    return result
  }

  private static func findings(_ result: Result, _ run: ExaminedRun, _ chip: ExaminedChip)
    -> [Finding]
  {
    let name = chip.placement.name
    var findings: [Finding] = []
    if result.overflows > 0 {
      let load = busLoad(run, chip)
      findings.append(
        Finding(
          .queueOverflow, of: name,
          "the FIFO overflowed \(count(result.overflows, "time")) in \(run.seconds.text(1)) s, and "
            + "\(count(result.missing, "sample")) are missing"
            + (load.map { "; the bus was busy \(($0 * 100).text(0)) % of the time" } ?? ""),
          explanation: load.map { $0 > 0.7 } == true
            ? "the bus is too slow for this sample rate" : nil))
    }
    if result.misaligned > 0 {
      findings.append(
        Finding(
          .queueAlignment, of: name,
          "\(result.misaligned) of \(result.frames) frames hold what a board at rest cannot feel"))
    }
    return findings
  }

  /// Returns the fraction of time for which the bus was busy; `nil` if the bus's speed is unknown.
  private static func busLoad(_ run: ExaminedRun, _ chip: ExaminedChip) -> Double? {
    let speed: Int
    let overhead: Int
    switch chip.bus.connection {
    case .spi(_, _, let hertz): (speed, overhead) = (hertz, 8)
    case .simulated(let wire, _, let hertz): (speed, overhead) = (hertz, wire == .spi ? 8 : 27)
    case .i2c, .trace: return nil
    }
    let bits = Int(run.traffic.bytes) * 9 + Int(run.traffic.transactions) * overhead
    return run.seconds > 0 ? Double(bits) / Double(speed) / run.seconds : nil
  }

  /// Counts misaligned frames and single wrong frames. A frame is suspect if its temperature
  /// differs from the median by 8 degrees, or if its force differs by 1 g and its rate by 2 rad/s.
  /// Lost bytes shift all following frames, so misaligned frames come in sequence.
  package static func alignment(_ frames: [Frame]) -> (misaligned: Int, implausible: Int) {
    let temperature = median(frames.compactMap(\.temperature))
    let force = median(frames.compactMap(\.force))
    let rate = median(frames.compactMap(\.rate))
    var misaligned = 0
    var implausible = 0
    var row = 0
    func end() {
      if row >= 3 { misaligned += row } else { implausible += row }
      row = 0
    }
    for frame in frames {
      var isSuspect = false
      if let usual = temperature, let own = frame.temperature { isSuspect = abs(own - usual) > 8 }
      if let usual = force, let own = frame.force, abs(own - usual) > 1 {
        // If the chip has no gyroscope, only the force is compared.
        let turn = rate.flatMap { usual in frame.rate.map { abs($0 - usual) } } ?? .infinity
        isSuspect = isSuspect || turn > 2
      }
      if isSuspect { row += 1 } else { end() }
    }
    end()
    return (misaligned, implausible)
  }

  private static func median(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.sorted()[values.count / 2]
  }
}

extension QueueCheck.Frame {
  fileprivate init(_ reading: ChipReading) {
    self.init()
    if reading.channels.contains(.acceleration) {
      let force = reading.specificForce
      self.force = (force.x * force.x + force.y * force.y + force.z * force.z).squareRoot()
    }
    if reading.channels.contains(.rotationRate) {
      let rate = reading.rotationRate
      self.rate = (rate.x * rate.x + rate.y * rate.y + rate.z * rate.z).squareRoot()
    }
    if reading.channels.contains(.temperature) { temperature = reading.temperature }
  }
}
