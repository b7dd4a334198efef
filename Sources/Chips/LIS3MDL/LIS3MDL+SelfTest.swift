// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Registers
internal import Sensors

/// How far a self-test has come.
struct LIS3MDLTrial {
  enum Stage {
    /// Configured, powered down.
    case settling
    case collecting
    /// Reset again; the outcome is known.
    case ending
  }

  var stage = Stage.settling
  var isStimulated = false
  /// Samples seen in this half, and looks since the last.
  var samples = 0
  var looks = 0
  /// Sums of counts without and with the stimulus.
  var calm = Vector3.zero
  var stimulated = Vector3.zero

  mutating func add(_ counts: Vector3) {
    samples += 1
    looks = 0
    guard samples > 1 else { return }
    if isStimulated { stimulated += counts } else { calm += counts }
  }

  /// Magnitudes, as the maker compares them.
  var report: SelfTestReport {
    let scale = LIS3MDLSelfTest.configuration.fullScale.countsPerMicrotesla
    let change = (stimulated - calm) / (Scalar(LIS3MDLSelfTest.samples - 1) * scale)
    var report = SelfTestReport()
    func append(_ axis: UInt8, _ response: Scalar) {
      let limits = LIS3MDLSelfTest.limits(ofAxis: axis)
      report.append(
        SelfTestItem(
          .magneticField, axis: axis, response: response.magnitude, lowest: limits.lowest,
          highest: limits.highest))
    }
    append(0, change.x)
    append(1, change.y)
    append(2, change.z)
    return report
  }
}

extension LIS3MDL where Bus: ~Copyable {
  /// All lines but the last, which starts conversions.
  mutating func beginTrial() throws(ChipError) -> Wake {
    let configuration = LIS3MDLSelfTest.configuration
    try bus.configure { $0 < 4 ? configuration.line($0) : nil }
    trial = LIS3MDLTrial()
    phase = .testing
    return .after(LIS3MDLSelfTest.settling)
  }

  mutating func continueTrial(into batch: inout RawBatch) throws(ChipError) -> Wake {
    let map = LIS3MDLMap()
    switch trial.stage {
    case .settling:
      try bus.set(map.control3) { $0.mode(.continuous) }
      trial.stage = .collecting
      return .after(LIS3MDLSelfTest.settling)
    case .collecting:
      let status = try readRegisters(into: &batch)
      if status({ $0.dataReady }) == true {
        trial.add(
          Vector3(
            Scalar(batch.littleEndian(0, 0)), Scalar(batch.littleEndian(0, 2)),
            Scalar(batch.littleEndian(0, 4))))
      } else {
        trial.looks += 1
        guard trial.looks <= LIS3MDLSelfTest.looks else {
          throw .rejected(register: map.status.address, wrote: 0x08, readBack: status.raw)
        }
      }
      guard trial.samples == LIS3MDLSelfTest.samples else {
        return .after(LIS3MDLSelfTest.look)
      }
      return try endHalf()
    case .ending:
      if try bus.read(map.control2)({ $0.softReset }) == true {
        guard polls < LIS3MDLTiming.resetPolls else { throw .resetTimedOut }
        polls &+= 1
        return .after(LIS3MDLTiming.reset)
      }
      // After a reset it is powered down.
      selfTest = trial.report
      phase = .idle
      return .never
    }
  }

  private mutating func endHalf() throws(ChipError) -> Wake {
    guard trial.isStimulated else {
      var configuration = LIS3MDLSelfTest.configuration
      configuration.isStimulated = true
      try bus.write(configuration.control1)
      trial.isStimulated = true
      trial.samples = 0
      return .after(LIS3MDLSelfTest.stimulus)
    }
    try bus.set(LIS3MDLMap().control2) { $0.softReset(true) }
    polls = 0
    trial.stage = .ending
    return .after(LIS3MDLTiming.reset)
  }
}
