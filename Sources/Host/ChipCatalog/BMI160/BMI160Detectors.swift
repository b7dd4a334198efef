// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Quantities
internal import Registers

/// The BMI160's detections, computed from the accelerometer's samples in g. Motion, no motion,
/// taps, free fall, orientation and flat follow data sheet BST-BMI160-DS000-07, section 2.6.
/// Bosch's step detector is not public, so a simple rule detects steps.
struct BMI160Detectors {
  /// The detections in one sample: flags for INT_STATUS 0 and 1, and the current contents of
  /// INT_STATUS 2 and 3.
  struct Found {
    var first: UInt8 = 0
    var second: UInt8 = 0
    var origin: UInt8 = 0
    var state: UInt8 = 0
  }

  private enum Significance {
    case waiting
    case pausing(until: Timestamp)
    case proving(until: Timestamp)
  }

  /// A sample of the accelerometer, and its change since the previous sample.
  private struct Input {
    var force: Vector3
    var slope: Vector3
    var time: Timestamp
    var registers: RegisterFile
  }

  private let map = BMI160Map()
  private var found = Found()
  private var previous: Vector3?
  private var origin: UInt8 = 0
  private var state: UInt8 = 0
  private var steepInRow = 0
  private var isMoving = false
  private var significance = Significance.waiting
  private var stillSince = Timestamp.zero
  private var isStill = false
  private var firstTap: Timestamp?
  private var isSingleTold = false
  private var ignoresTapsUntil = Timestamp.zero
  private var fallingSince: Timestamp?
  private var isFalling = false
  private var turningFlatSince: Timestamp?
  private var isStepArmed = false
  private var lastStep: Timestamp?
  private(set) var steps: UInt16 = 0

  /// Stops the detection of events. The next sample is then treated as the first.
  mutating func rest() { previous = nil }

  mutating func take(_ force: Vector3, at time: Timestamp, _ registers: RegisterFile) -> Found {
    found = Found()
    guard let last = previous else {
      previous = force
      stillSince = time
      return found
    }
    previous = force
    let input = Input(force: force, slope: force - last, time: time, registers: registers)
    findMotion(input)
    findRest(input)
    findTaps(input)
    findFall(input)
    findSide(input)
    findFlat(input)
    findSteps(input)
    found.origin = origin
    found.state = state
    return found
  }

  /// Returns the step of the slope thresholds in g: 3.91 mg at 2 g, and proportionally more at
  /// wider ranges.
  private func slopeStep(_ registers: RegisterFile) -> Double {
    (registers[map.accRange]({ $0 }) ?? .g2).g / 512
  }

  /// Returns the bit (0 to 2) of the first axis whose slope exceeds `threshold`, with bit 3 set if
  /// the slope is negative; 0 if there is no such axis.
  private func steep(_ slope: Vector3, _ threshold: Double, axes: UInt8) -> UInt8 {
    if axes & 1 != 0, abs(slope.x) > threshold { return slope.x < 0 ? 0x09 : 0x01 }
    if axes & 2 != 0, abs(slope.y) > threshold { return slope.y < 0 ? 0x0A : 0x02 }
    if axes & 4 != 0, abs(slope.z) > threshold { return slope.z < 0 ? 0x0C : 0x04 }
    return 0
  }

  private mutating func findMotion(_ input: Input) {
    let axes = input.registers[map.intEn0.address] & 0x07
    guard axes != 0 else { return }
    let threshold =
      max(Double(input.registers[map.intMotion1.address]), 0.5) * slopeStep(input.registers)
    let axis = steep(input.slope, threshold, axes: axes)
    steepInRow = axis == 0 ? 0 : steepInRow + 1
    let wasMoving = isMoving
    isMoving = steepInRow > Int(input.registers[map.intMotion0]({ $0.anymDur }) ?? 0)
    guard input.registers[map.intMotion3]({ $0.sigMotSel }) == true else {
      guard isMoving, !wasMoving else { return }
      origin = origin & 0xF0 | axis
      found.first |= map.intStatus0.change { $0.anymInt(true) }.bits
      return
    }
    switch significance {
    case .waiting:
      guard isMoving else { return }
      // The pause in the detection of significant motion lasts 1.5, 3, 6 or 12 s.
      let skip = input.registers[map.intMotion3]({ $0.sigMotSkip }) ?? 0
      significance = .pausing(until: input.time + .milliseconds(1500 << Int64(skip)))
    case .pausing(let end):
      guard input.time >= end else { return }
      // For significant motion, motion must occur again within 0.25, 0.5, 1 or 2 s.
      let proof = input.registers[map.intMotion3]({ $0.sigMotProof }) ?? 0
      significance = .proving(until: end + .milliseconds(250 << Int64(proof)))
    case .proving(let end):
      if isMoving {
        found.first |= map.intStatus0.change { $0.sigmotInt(true) }.bits
        significance = .waiting
      } else if input.time >= end {
        significance = .waiting
      }
    }
  }

  private mutating func findRest(_ input: Input) {
    let axes = input.registers[map.intEn2.address] & 0x07
    guard axes != 0, input.registers[map.intMotion3]({ $0.noMotSel }) == true else {
      stillSince = input.time
      return
    }
    let threshold =
      max(Double(input.registers[map.intMotion2.address]), 0.5) * slopeStep(input.registers)
    guard steep(input.slope, threshold, axes: axes) == 0 else {
      stillSince = input.time
      isStill = false
      return
    }
    // The no-motion duration has steps of 1.28, 5.12 and 10.24 s (section 2.6.9.1).
    let code = Double((input.registers[map.intMotion0]({ $0.slowNoMotDur }) ?? 0) & 0x3F)
    let wanted =
      code >= 32 ? (code - 21) * 10.24 : code >= 16 ? (code - 11) * 5.12 : (code + 1) * 1.28
    guard !isStill, (input.time - stillSince).seconds >= wanted else { return }
    isStill = true
    found.second |= map.intStatus1.change { $0.nomoInt(true) }.bits
  }

  /// Detects taps. A tap is a slope above the threshold, any motion during the following shock
  /// time, and then quiet. A second tap within the window makes a double tap.
  private mutating func findTaps(_ input: Input) {
    let enabled = input.registers[map.intEn0]
    let single = enabled({ $0.sTapEn }) == true
    let double = enabled({ $0.dTapEn }) == true
    guard single || double else { return }
    let settings = input.registers[map.intTap0]
    let shock = TimeSpan.milliseconds(settings({ $0.tapShock }) == true ? 75 : 50)
    let quiet = TimeSpan.milliseconds(settings({ $0.tapQuiet }) == true ? 20 : 30)
    let windows: InlineArray<8, Int64> = [50, 100, 150, 200, 250, 375, 500, 700]
    let window = windows[Int(settings({ $0.tapDur }) ?? 0)]
    // The tap threshold has steps of 62.5 mg at 2 g, in proportion to the range; 0 means half a
    // step.
    let threshold =
      max(Double(input.registers[map.intTap1.address] & 0x1F), 0.5) * slopeStep(input.registers)
      * 16
    if let first = firstTap, input.time - first >= shock + quiet, !isSingleTold {
      isSingleTold = true
      if single { found.first |= map.intStatus0.change { $0.sTapInt(true) }.bits }
    }
    if let first = firstTap, input.time - first > shock + quiet + .milliseconds(window) {
      firstTap = nil
    }
    let axis = steep(input.slope, threshold, axes: 0x07)
    guard axis != 0, input.time >= ignoresTapsUntil else { return }
    if let first = firstTap, input.time - first >= shock + quiet {
      if double { found.first |= map.intStatus0.change { $0.dTapInt(true) }.bits }
      firstTap = nil
      ignoresTapsUntil = input.time + shock + quiet
    } else {
      if firstTap == nil { origin = origin & 0x0F | axis << 4 }
      firstTap = input.time
      isSingleTold = false
      ignoresTapsUntil = input.time + shock
    }
  }

  private mutating func findFall(_ input: Input) {
    guard input.registers[map.intEn1]({ $0.lowgEn }) == true else { return }
    let settings = input.registers[map.intLowhigh2]
    let size =
      settings({ $0.lowMode }) == true
      ? abs(input.force.x) + abs(input.force.y) + abs(input.force.z)
      : max(abs(input.force.x), abs(input.force.y), abs(input.force.z))
    // The free-fall threshold has steps of 7.81 mg, where 0 means half a step; the hysteresis has
    // steps of 125 mg and the time steps of 2.5 ms.
    let threshold = max(Double(input.registers[map.intLowhigh1.address]), 0.5) / 128
    let release = threshold + Double(settings({ $0.lowHy }) ?? 0) * 0.125
    if size >= (fallingSince == nil ? threshold : release) {
      fallingSince = nil
      isFalling = false
      return
    }
    let since = fallingSince ?? input.time
    fallingSince = since
    let wanted = TimeSpan.microseconds(2500) * (Int64(input.registers[map.intLowhigh0.address]) + 1)
    guard !isFalling, input.time - since >= wanted else { return }
    isFalling = true
    found.second |= map.intStatus1.change { $0.lowgInt(true) }.bits
  }

  /// Returns the squared tangent of the angle between the chip's z axis and the vertical.
  private func inclination(_ force: Vector3) -> Double {
    (force.x * force.x + force.y * force.y) / max(force.z * force.z, 1e-12)
  }

  private mutating func findSide(_ input: Input) {
    guard input.registers[map.intEn0]({ $0.orientEn }) == true else { return }
    let settings = input.registers[map.intOrient0]
    let blocking = settings({ $0.orientBlocking }) ?? 0
    // The limit of the angle is given by tan(angle) = sqrt(theta) / 8.
    let theta = Double(input.registers[map.intOrient1]({ $0.orientTheta }) ?? 0)
    if blocking > 0, inclination(input.force) < theta / 64 { return }
    if blocking > 1, max(abs(input.slope.x), abs(input.slope.y), abs(input.slope.z)) > 0.2 {
      return
    }
    let hysteresis = Double(settings({ $0.orientHyst }) ?? 0) * 0.0625
    var side = state >> 4 & 0x07
    if abs(input.force.y) < abs(input.force.x) - hysteresis {
      side = side & 4 | (input.force.x >= 0 ? 0 : 1)
    } else if abs(input.force.y) >= abs(input.force.x) + hysteresis {
      side = side & 4 | (input.force.y < 0 ? 2 : 3)
    }
    if input.registers[map.intOrient1]({ $0.orientUdEn }) == true, abs(input.force.z) > hysteresis {
      side = side & 3 | (input.force.z < 0 ? 4 : 0)
    }
    guard side != state >> 4 & 0x07 else { return }
    state = state & 0x8F | side << 4
    found.first |= map.intStatus0.change { $0.orientInt(true) }.bits
  }

  private mutating func findFlat(_ input: Input) {
    guard input.registers[map.intEn0]({ $0.flatEn }) == true else { return }
    let theta = Double(input.registers[map.intFlat0]({ $0 }) ?? 0)
    let isFlat = inclination(input.force) < theta / 64
    guard isFlat != (state & 0x80 != 0) else {
      turningFlatSince = nil
      return
    }
    let since = turningFlatSince ?? input.time
    turningFlatSince = since
    let hold = input.registers[map.intFlat1]({ $0.flatHoldTime }) ?? 0
    guard input.time - since >= (hold == 0 ? .zero : .milliseconds(320 << Int64(hold))) else {
      return
    }
    turningFlatSince = nil
    state = state & 0x7F | (isFlat ? 0x80 : 0)
    found.first |= map.intStatus0.change { $0.flatInt(true) }.bits
  }

  /// Detects steps. A step is a rise of the force to 50 mg * (min_threshold + 1) above 1 g, after
  /// the force was below 1 g, and at least 40 ms * steptime_min after the last step.
  private mutating func findSteps(_ input: Input) {
    let isCounting = input.registers[map.stepConf1]({ $0.stepCntEn }) == true
    let isSignalling = input.registers[map.intEn2]({ $0.stepDetEn }) == true
    guard isCounting || isSignalling else { return }
    let size = input.force.norm
    if size < 1 { isStepArmed = true }
    let settings = input.registers[map.stepConf0.address]
    let threshold = 1 + 0.05 * Double((settings >> 3 & 0x03) + 1)
    let pause = TimeSpan.milliseconds(40 * Int64(settings & 0x07))
    guard isStepArmed, size > threshold, lastStep.map({ input.time - $0 >= pause }) ?? true else {
      return
    }
    isStepArmed = false
    lastStep = input.time
    if isCounting { steps &+= 1 }
    if isSignalling { found.first |= map.intStatus0.change { $0.stepInt(true) }.bits }
  }
}
