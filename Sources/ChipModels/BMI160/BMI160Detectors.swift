// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Quantities
internal import Registers

/// What the BMI160 detects by itself, on the accelerometer's samples, in g. Motion, no motion, taps, free fall,
/// orientation and flatness as the data sheet BST-BMI160-DS000-07 tells in section 2.6; steps by a rule of our own, for the
/// maker's is not public.
struct BMI160Detectors {
  /// What is new with a sample: flags for INT_STATUS 0 and 1, and what INT_STATUS 2 and 3 say now.
  struct Found {
    var first: UInt8 = 0
    var second: UInt8 = 0
    var origin: UInt8 = 0
    var state: UInt8 = 0
  }

  /// How far significant motion is.
  private enum Significance {
    case waiting
    case pausing(until: Timestamp)
    case proving(until: Timestamp)
  }

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
  private var deafUntil = Timestamp.zero
  private var fallingSince: Timestamp?
  private var isFalling = false
  private var turningFlatSince: Timestamp?
  private var isStepArmed = false
  private var lastStep: Timestamp?
  private(set) var steps: UInt16 = 0

  /// Nothing is to be detected: the next sample has none before it.
  mutating func rest() { previous = nil }

  mutating func take(
    _ force: Vector3, at time: Timestamp, _ registers: RegisterFile, _ map: BMI160Map
  ) -> Found {
    var found = Found()
    guard let last = previous else {
      previous = force
      stillSince = time
      return found
    }
    let slope = force - last
    previous = force
    findMotion(slope, at: time, registers, map, &found)
    findRest(slope, at: time, registers, map, &found)
    findTaps(slope, at: time, registers, map, &found)
    findFall(force, at: time, registers, map, &found)
    findSide(force, slope, registers, map, &found)
    findFlat(force, at: time, registers, map, &found)
    findSteps(force, at: time, registers, map, &found)
    found.origin = origin
    found.state = state
    return found
  }

  /// g per step of the slopes' thresholds: 3.91 mg at 2 g, with the range.
  private func slopeStep(_ registers: RegisterFile, _ map: BMI160Map) -> Double {
    (registers[map.accRange]({ $0.accRange }) ?? .g2).g / 512
  }

  /// The first axis whose slope is steeper: bits 0 to 2, and bit 3 for downwards.
  private func steep(_ slope: Vector3, _ threshold: Double, axes: UInt8) -> UInt8 {
    if axes & 1 != 0, abs(slope.x) > threshold { return slope.x < 0 ? 0x09 : 0x01 }
    if axes & 2 != 0, abs(slope.y) > threshold { return slope.y < 0 ? 0x0A : 0x02 }
    if axes & 4 != 0, abs(slope.z) > threshold { return slope.z < 0 ? 0x0C : 0x04 }
    return 0
  }

  private mutating func findMotion(
    _ slope: Vector3, at time: Timestamp, _ registers: RegisterFile, _ map: BMI160Map,
    _ found: inout Found
  ) {
    let axes = registers[map.intEn0.address] & 0x07
    guard axes != 0 else { return }
    let threshold = max(Double(registers[map.intMotion1.address]), 0.5) * slopeStep(registers, map)
    let axis = steep(slope, threshold, axes: axes)
    steepInRow = axis == 0 ? 0 : steepInRow + 1
    let wasMoving = isMoving
    isMoving = steepInRow > Int(registers[map.intMotion0]({ $0.anymDur }) ?? 0)
    guard registers[map.intMotion3]({ $0.sigMotSel }) == true else {
      guard isMoving, !wasMoving else { return }
      origin = origin & 0xF0 | axis
      found.first |= map.intStatus0.change { $0.anymInt(true) }.bits
      return
    }
    switch significance {
    case .waiting:
      guard isMoving else { return }
      // 1.5, 3, 6 or 12 s of pause.
      let skip = registers[map.intMotion3]({ $0.sigMotSkip }) ?? 0
      significance = .pausing(until: time + .milliseconds(1500 << Int64(skip)))
    case .pausing(let end):
      guard time >= end else { return }
      // 0.25, 0.5, 1 or 2 s in which there must be motion again.
      let proof = registers[map.intMotion3]({ $0.sigMotProof }) ?? 0
      significance = .proving(until: end + .milliseconds(250 << Int64(proof)))
    case .proving(let end):
      if isMoving {
        found.first |= map.intStatus0.change { $0.sigmotInt(true) }.bits
        significance = .waiting
      } else if time >= end {
        significance = .waiting
      }
    }
  }

  private mutating func findRest(
    _ slope: Vector3, at time: Timestamp, _ registers: RegisterFile, _ map: BMI160Map,
    _ found: inout Found
  ) {
    let axes = registers[map.intEn2.address] & 0x07
    guard axes != 0, registers[map.intMotion3]({ $0.noMotSel }) == true else {
      stillSince = time
      return
    }
    let threshold = max(Double(registers[map.intMotion2.address]), 0.5) * slopeStep(registers, map)
    guard steep(slope, threshold, axes: axes) == 0 else {
      stillSince = time
      isStill = false
      return
    }
    // Section 2.6.9.1: ticks of 1.28, 5.12 and 10.24 s.
    let code = Double((registers[map.intMotion0]({ $0.slowNoMotDur }) ?? 0) & 0x3F)
    let wanted =
      code >= 32 ? (code - 21) * 10.24 : code >= 16 ? (code - 11) * 5.12 : (code + 1) * 1.28
    guard !isStill, (time - stillSince).seconds >= wanted else { return }
    isStill = true
    found.second |= map.intStatus1.change { $0.nomoInt(true) }.bits
  }

  /// A slope; no matter what in the shock after it; quiet; then it was one tap. Another within the window is the second
  /// of two.
  private mutating func findTaps(
    _ slope: Vector3, at time: Timestamp, _ registers: RegisterFile, _ map: BMI160Map,
    _ found: inout Found
  ) {
    let enabled = registers[map.intEn0]
    let single = enabled({ $0.sTapEn }) == true
    let double = enabled({ $0.dTapEn }) == true
    guard single || double else { return }
    let settings = registers[map.intTap0]
    let shock = TimeSpan.milliseconds(settings({ $0.tapShock }) == true ? 75 : 50)
    let quiet = TimeSpan.milliseconds(settings({ $0.tapQuiet }) == true ? 20 : 30)
    let window: Int64
    switch settings({ $0.tapDur }) ?? 0 {
    case 0: window = 50
    case 1: window = 100
    case 2: window = 150
    case 3: window = 200
    case 4: window = 250
    case 5: window = 375
    case 6: window = 500
    default: window = 700
    }
    // 62.5 mg at 2 g, with the range; 0 is half of it.
    let threshold =
      max(Double(registers[map.intTap1.address] & 0x1F), 0.5) * slopeStep(registers, map) * 16
    if let first = firstTap, time - first >= shock + quiet, !isSingleTold {
      isSingleTold = true
      if single { found.first |= map.intStatus0.change { $0.sTapInt(true) }.bits }
    }
    if let first = firstTap, time - first > shock + quiet + .milliseconds(window) { firstTap = nil }
    let axis = steep(slope, threshold, axes: 0x07)
    guard axis != 0, time >= deafUntil else { return }
    if let first = firstTap, time - first >= shock + quiet {
      if double { found.first |= map.intStatus0.change { $0.dTapInt(true) }.bits }
      firstTap = nil
      deafUntil = time + shock + quiet
    } else {
      if firstTap == nil { origin = origin & 0x0F | axis << 4 }
      firstTap = time
      isSingleTold = false
      deafUntil = time + shock
    }
  }

  private mutating func findFall(
    _ force: Vector3, at time: Timestamp, _ registers: RegisterFile, _ map: BMI160Map,
    _ found: inout Found
  ) {
    guard registers[map.intEn1]({ $0.lowgEn }) == true else { return }
    let settings = registers[map.intLowhigh2]
    let size =
      settings({ $0.lowMode }) == true
      ? abs(force.x) + abs(force.y) + abs(force.z) : max(abs(force.x), abs(force.y), abs(force.z))
    // 7.81 mg a step, 0 is half of one; 125 mg a step of hysteresis; 2.5 ms a step of time.
    let threshold = max(Double(registers[map.intLowhigh1.address]), 0.5) / 128
    let release = threshold + Double(settings({ $0.lowHy }) ?? 0) * 0.125
    if size >= (fallingSince == nil ? threshold : release) {
      fallingSince = nil
      isFalling = false
      return
    }
    let since = fallingSince ?? time
    fallingSince = since
    let wanted = TimeSpan.microseconds(2500) * (Int64(registers[map.intLowhigh0.address]) + 1)
    guard !isFalling, time - since >= wanted else { return }
    isFalling = true
    found.second |= map.intStatus1.change { $0.lowgInt(true) }.bits
  }

  /// How steep the chip lies: the tangent of the angle between its z axis and the vertical, squared.
  private func inclination(_ force: Vector3) -> Double {
    (force.x * force.x + force.y * force.y) / max(force.z * force.z, 1e-12)
  }

  private mutating func findSide(
    _ force: Vector3, _ slope: Vector3, _ registers: RegisterFile, _ map: BMI160Map,
    _ found: inout Found
  ) {
    guard registers[map.intEn0]({ $0.orientEn }) == true else { return }
    let settings = registers[map.intOrient0]
    let blocking = settings({ $0.orientBlocking }) ?? 0
    // tan(angle) = sqrt(theta) / 8.
    let theta = Double(registers[map.intOrient1]({ $0.orientTheta }) ?? 0)
    if blocking > 0, inclination(force) < theta / 64 { return }
    if blocking > 1, max(abs(slope.x), abs(slope.y), abs(slope.z)) > 0.2 { return }
    let hysteresis = Double(settings({ $0.orientHyst }) ?? 0) * 0.0625
    var side = state >> 4 & 0x07
    if abs(force.y) < abs(force.x) - hysteresis {
      side = side & 4 | (force.x >= 0 ? 0 : 1)
    } else if abs(force.y) >= abs(force.x) + hysteresis {
      side = side & 4 | (force.y < 0 ? 2 : 3)
    }
    if registers[map.intOrient1]({ $0.orientUdEn }) == true, abs(force.z) > hysteresis {
      side = side & 3 | (force.z < 0 ? 4 : 0)
    }
    guard side != state >> 4 & 0x07 else { return }
    state = state & 0x8F | side << 4
    found.first |= map.intStatus0.change { $0.orientInt(true) }.bits
  }

  private mutating func findFlat(
    _ force: Vector3, at time: Timestamp, _ registers: RegisterFile, _ map: BMI160Map,
    _ found: inout Found
  ) {
    guard registers[map.intEn0]({ $0.flatEn }) == true else { return }
    let theta = Double(registers[map.intFlat0]({ $0.flatTheta }) ?? 0)
    let lies = inclination(force) < theta / 64
    guard lies != (state & 0x80 != 0) else {
      turningFlatSince = nil
      return
    }
    let since = turningFlatSince ?? time
    turningFlatSince = since
    let hold = registers[map.intFlat1]({ $0.flatHoldTime }) ?? 0
    guard time - since >= (hold == 0 ? .zero : .milliseconds(320 << Int64(hold))) else { return }
    turningFlatSince = nil
    state = state & 0x7F | (lies ? 0x80 : 0)
    found.first |= map.intStatus0.change { $0.flatInt(true) }.bits
  }

  /// A step is a rise of the whole force over 1 g and 50 mg for each step of min_threshold and one more, not sooner than
  /// 40 ms for each of steptime_min after the last, and after it was below 1 g.
  private mutating func findSteps(
    _ force: Vector3, at time: Timestamp, _ registers: RegisterFile, _ map: BMI160Map,
    _ found: inout Found
  ) {
    let isCounting = registers[map.stepConf1]({ $0.stepCntEn }) == true
    let isTold = registers[map.intEn2]({ $0.stepDetEn }) == true
    guard isCounting || isTold else { return }
    let size = force.norm
    if size < 1 { isStepArmed = true }
    let settings = registers[map.stepConf0.address]
    let threshold = 1 + 0.05 * Double((settings >> 3 & 0x03) + 1)
    let pause = TimeSpan.milliseconds(40 * Int64(settings & 0x07))
    guard isStepArmed, size > threshold, lastStep.map({ time - $0 >= pause }) ?? true else {
      return
    }
    isStepArmed = false
    lastStep = time
    if isCounting { steps &+= 1 }
    if isTold { found.first |= map.intStatus0.change { $0.stepInt(true) }.bits }
  }
}
