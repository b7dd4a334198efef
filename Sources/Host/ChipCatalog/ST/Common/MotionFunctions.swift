// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Quantities
internal import Registers

/// The settings of the embedded functions: accelerations in g, durations in sample periods.
struct FunctionSettings {
  var detectsBasics = false
  /// The flags that stay set until their source register is read: the flags routed by MD1_CFG and
  /// MD2_CFG, and by INT1_CTRL.
  var latchedBasics: UInt8 = 0
  var latchedSteps: UInt8 = 0
  var wakeThreshold = 0.0
  var wakeDuration = 0
  /// The slope below which the chip counts as still; `nil` if the wake-up threshold is used
  /// instead.
  var stillThreshold: Double?
  /// The number of sample periods without motion before the chip counts as inactive; 0 disables the
  /// detection of inactivity.
  var sleepDuration = 0
  var tapThreshold = 0.0
  /// The axes on which taps are detected: x, y and z in bits 0 to 2.
  var tapAxes: UInt8 = 0
  var detectsDoubleTaps = false
  var shock = 0
  var quiet = 0
  var gap = 0
  var freeFallThreshold = 0.0
  var freeFallDuration = 0
  /// The acceleration in g above which an axis counts as up.
  var sideThreshold = 0.0
  var countsSteps = false
  var detectsSignificantMotion = false
  var detectsTilt = false
  /// The pedometer's threshold for a step, in g above 1 g.
  var stepThreshold = 0.0
  var debounceSteps = 0
  /// The time after which the pedometer's debouncer starts again, in sample periods.
  var debounceTime = 0
  var significantSteps = 0
  var rate = 0.0

  /// Reads the settings of the basic functions that all parts of the family have at the same
  /// addresses: axes, thresholds and durations. `wakeUnit` and `tapUnit` are the sizes in g of one
  /// count of the thresholds.
  mutating func takeBasics(
    _ registers: RegisterFile, tapAxes: UInt8, tapThreshold: UInt8, wakeUnit: Double,
    tapUnit: Double
  ) {
    let map = LSM6DS3Map()
    let wake = registers[map.wakeUpThs.address]
    let durations = registers[map.wakeUpDur.address]
    let taps = registers[map.intDur2.address]
    let fall = registers[map.freeFall]
    wakeThreshold = Double(wake & 0x3F) * wakeUnit
    wakeDuration = Int(durations >> 5) & 3
    self.tapThreshold = Double(tapThreshold & 0x1F) * tapUnit
    // In the register, x is the highest of the three bits.
    self.tapAxes = (tapAxes >> 3) & 1 | (tapAxes >> 1) & 2 | (tapAxes << 1) & 4
    detectsDoubleTaps = wake & 0x80 != 0
    shock = taps & 0x03 == 0 ? 4 : Int(taps & 0x03) * 8
    quiet = taps & 0x0C == 0 ? 2 : Int(taps >> 2 & 0x03) * 4
    gap = taps & 0xF0 == 0 ? 16 : Int(taps >> 4) * 32
    freeFallThreshold = fall({ $0.ffThs })?.g ?? 0
    freeFallDuration = Int(fall.raw >> 3) | (durations & 0x80 != 0 ? 0x20 : 0)
    // The thresholds of the orientation detection are the cosines of 80, 70, 60 and 50 degrees.
    let cosines: InlineArray<4, Double> = [0.173648, 0.342020, 0.5, 0.642788]
    sideThreshold = cosines[Int((registers[map.tapThs6d]({ $0.sixdThs }) ?? .degrees80).rawValue)]
  }

  /// Reads the time without motion before inactivity; the time is 0 unless `isWatched`.
  mutating func takeSleep(_ registers: RegisterFile, isWatched: Bool) {
    let sleep = Int(registers[LSM6DS3Map().wakeUpDur.address] & 0x0F)
    sleepDuration = isWatched ? sleep == 0 ? 16 : sleep * 512 : 0
  }
}

/// The embedded functions, computed from the accelerometer's samples. ST does not publish its
/// algorithms, so these are simple rules with the documented thresholds and durations. These rules
/// use every sample, whereas the chip's pedometer and tilt run at 26 Hz.
struct MotionFunctions {
  private var previous: Vector3?
  /// The numbers of consecutive samples above the wake-up threshold, below it, and in free fall.
  private var wakeRun = 0
  private var stillRun = 0
  private var fallRun = 0
  private var isStill = false
  private var tap = TapFunction()
  private var pedometer = PedometerFunction()
  private var tilt = TiltFunction()
  /// The sides of the chip that are up, as bits of D6D_SRC.
  private var sides: UInt8 = 0
  /// The contents of the source registers, including bits that stay set until their register is
  /// read.
  private var wakeSource: UInt8 = 0
  private var tapSource: UInt8 = 0
  private var sideSource: UInt8 = 0
  private var functionSource: UInt8 = 0
  /// True if the chip changed between activity and inactivity.
  private var hasChanged = false

  /// The flags that MD1_CFG and MD2_CFG can route to a pin.
  var basicCauses: UInt8 {
    var causes: UInt8 = hasChanged ? 0x80 : 0
    if tapSource & 0x20 != 0 { causes |= 0x40 }
    if wakeSource & 0x08 != 0 { causes |= 0x20 }
    if wakeSource & 0x20 != 0 { causes |= 0x10 }
    if tapSource & 0x10 != 0 { causes |= 0x08 }
    if sideSource & 0x40 != 0 { causes |= 0x04 }
    if functionSource & 0x20 != 0 { causes |= 0x02 }
    return causes
  }

  /// The flags that INT1_CTRL can route to a pin: step and significant motion.
  var stepCauses: UInt8 { (functionSource & 0x10) << 3 | functionSource & 0x40 }

  /// The number of steps since the last reset of the step counter.
  var steps: UInt16 { pedometer.count }

  mutating func resetSteps() { pedometer.resetCount() }

  /// Returns a source register or the step counter, and applies the side effects of a read.
  mutating func read(_ register: UInt8) -> UInt8 {
    switch register {
    case 0x1B:
      hasChanged = false
      return Self.taken(&wakeSource) | (isStill ? 0x10 : 0)
    case 0x1C: return Self.taken(&tapSource)
    case 0x1D: return Self.taken(&sideSource) | sides
    case 0x53: return Self.taken(&functionSource)
    case 0x4B: return UInt8(truncatingIfNeeded: pedometer.count)
    default: return UInt8(pedometer.count >> 8)
    }
  }

  private static func taken(_ source: inout UInt8) -> UInt8 {
    defer { source = 0 }
    return source
  }

  /// Processes one sample of the accelerometer, in g, for all detections.
  mutating func take(_ force: Vector3, _ settings: FunctionSettings) {
    forgetPulses(settings)
    // The slope filter returns half of the acceleration's change (AN5130, page 15).
    let slope = (force - (previous ?? .zero)) * 0.5
    previous = force
    if settings.detectsBasics {
      wake(slope, settings)
      tapSource |= tap.take(slope, settings)
      fall(force, settings)
      turn(force, settings)
    }
    if settings.countsSteps || settings.detectsSignificantMotion {
      let found = pedometer.take(force, settings)
      if found.steps > 0, settings.countsSteps { functionSource |= 0x10 }
      if found.isSignificant, settings.detectsSignificantMotion { functionSource |= 0x40 }
    }
    if settings.detectsTilt, tilt.take(force, settings) { functionSource |= 0x20 }
  }

  /// Clears detection flags that are not latched, which last for one sample.
  private mutating func forgetPulses(_ settings: FunctionSettings) {
    let kept = settings.latchedBasics
    if kept & 0x80 == 0 { hasChanged = false }
    if kept & 0x20 == 0 { wakeSource &= 0x20 }
    if kept & 0x10 == 0 { wakeSource &= 0x0F }
    if kept & 0x48 == 0 { tapSource = 0 }
    if kept & 0x04 == 0 { sideSource = 0 }
    if kept & 0x02 == 0 { functionSource &= ~0x20 }
    if settings.latchedSteps & 0x80 == 0 { functionSource &= ~0x10 }
    if settings.latchedSteps & 0x40 == 0 { functionSource &= ~0x40 }
  }

  private mutating func wake(_ slope: Vector3, _ settings: FunctionSettings) {
    var axes: UInt8 = 0
    if abs(slope.x) > settings.wakeThreshold { axes |= 0x04 }
    if abs(slope.y) > settings.wakeThreshold { axes |= 0x02 }
    if abs(slope.z) > settings.wakeThreshold { axes |= 0x01 }
    wakeRun = axes != 0 ? wakeRun + 1 : 0
    let largest = max(abs(slope.x), abs(slope.y), abs(slope.z))
    stillRun = largest > settings.stillThreshold ?? settings.wakeThreshold ? 0 : stillRun + 1
    if wakeRun > settings.wakeDuration {
      wakeSource |= 0x08 | axes
      if isStill { (isStill, hasChanged) = (false, true) }
    }
    if settings.sleepDuration > 0, stillRun >= settings.sleepDuration, !isStill {
      (isStill, hasChanged) = (true, true)
    }
    if settings.sleepDuration == 0 { isStill = false }
  }

  private mutating func fall(_ force: Vector3, _ settings: FunctionSettings) {
    let limit = settings.freeFallThreshold
    let falls = abs(force.x) < limit && abs(force.y) < limit && abs(force.z) < limit
    fallRun = falls ? fallRun + 1 : 0
    if fallRun > settings.freeFallDuration { wakeSource |= 0x20 }
  }

  /// Updates which side is up. This side is the axis within the threshold angle of the vertical. If
  /// there is no such axis, the last side stays.
  private mutating func turn(_ force: Vector3, _ settings: FunctionSettings) {
    let limit = settings.sideThreshold
    var found: UInt8 = 0
    if force.x > limit { found |= 0x02 }
    if force.x < -limit { found |= 0x01 }
    if force.y > limit { found |= 0x08 }
    if force.y < -limit { found |= 0x04 }
    if force.z > limit { found |= 0x20 }
    if force.z < -limit { found |= 0x10 }
    guard found.nonzeroBitCount == 1, found != sides else { return }
    sides = found
    sideSource |= 0x40
  }
}

/// The detector of taps. A tap is a slope that exceeds the threshold only for a short time. A
/// double tap has a second tap after the quiet time and before the gap ends.
struct TapFunction {
  private enum State {
    case waiting
    /// The slope of the acceleration has been above the threshold for this number of samples.
    case shock(Int, isSecond: Bool)
    /// The slope of the acceleration has been above the threshold for too long, so it is not a tap.
    case shaking
    /// Slopes of the acceleration are ignored, because a tap ended this number of samples ago.
    case quiet(Int)
    /// The quiet time after a first tap has elapsed. The value is the number of samples since the
    /// end of the tap.
    case between(Int)
  }
  private var state = State.waiting
  private var awaitsSecond = false
  private var axis: UInt8 = 0

  /// Returns the bits of TAP_SRC that this slope sets.
  mutating func take(_ slope: Vector3, _ settings: FunctionSettings) -> UInt8 {
    let hit = hit(slope, settings)
    switch state {
    case .waiting:
      if hit != 0 { begin(hit, isSecond: false) }
    case .shock(let samples, let isSecond):
      guard hit == 0 else {
        state = samples < settings.shock ? .shock(samples + 1, isSecond: isSecond) : .shaking
        return 0
      }
      awaitsSecond = settings.detectsDoubleTaps && !isSecond
      state = .quiet(1)
      return isSecond ? 0x50 | axis : 0x60 | axis
    case .shaking:
      if hit == 0 { state = .waiting }
    case .quiet(let samples):
      let isOver = samples >= settings.quiet
      state = !isOver ? .quiet(samples + 1) : awaitsSecond ? .between(samples + 1) : .waiting
    case .between(let samples):
      if hit != 0 {
        begin(hit, isSecond: true)
      } else {
        state = samples < settings.gap ? .between(samples + 1) : .waiting
      }
    }
    return 0
  }

  private mutating func begin(_ hit: UInt8, isSecond: Bool) {
    axis = hit
    state = .shock(1, isSecond: isSecond)
  }

  /// Returns the bit of the first axis whose slope exceeds its threshold, with bit 3 set if the
  /// slope is negative; 0 if there is no such axis.
  private func hit(_ slope: Vector3, _ settings: FunctionSettings) -> UInt8 {
    let limit = settings.tapThreshold
    if settings.tapAxes & 1 != 0, abs(slope.x) > limit { return slope.x < 0 ? 0x0C : 0x04 }
    if settings.tapAxes & 2 != 0, abs(slope.y) > limit { return slope.y < 0 ? 0x0A : 0x02 }
    if settings.tapAxes & 4 != 0, abs(slope.z) > limit { return slope.z < 0 ? 0x09 : 0x01 }
    return 0
  }
}

/// The step counter. A step is a rise of the magnitude above its threshold, at most five times a
/// second. The first steps count only once there are more of them than the pedometer's debounce
/// setting.
struct PedometerFunction {
  private(set) var count: UInt16 = 0
  private var isAbove = false
  private var since = 0
  private var pending = 0
  private var isWalking = false
  private var towardsSignificant = 0

  mutating func resetCount() { count = 0 }

  mutating func take(_ force: Vector3, _ settings: FunctionSettings) -> (
    steps: Int, isSignificant: Bool
  ) {
    since += 1
    if since > settings.debounceTime { (isWalking, pending) = (false, 0) }
    let excess = force.norm - 1
    guard excess > settings.stepThreshold, !isAbove, Double(since) > settings.rate / 5 else {
      if excess < settings.stepThreshold / 2 { isAbove = false }
      return (0, false)
    }
    isAbove = true
    since = 0
    pending += 1
    // With the debounce setting 6, walking starts at the seventh consecutive step (AN5130, page
    // 50).
    guard isWalking || pending > settings.debounceSteps else { return (0, false) }
    isWalking = true
    let steps = pending
    pending = 0
    if settings.countsSteps { count &+= UInt16(truncatingIfNeeded: steps) }
    towardsSignificant += steps
    let isSignificant = towardsSignificant >= settings.significantSteps
    if isSignificant { towardsSignificant = 0 }
    return (steps, isSignificant)
  }
}

/// The tilt detector. It detects a tilt if the mean of two seconds differs by more than 35 degrees
/// from the mean at the last tilt, or from the first mean (AN5130, page 53).
struct TiltFunction {
  private var sum = Vector3.zero
  private var samples = 0
  private var reference: Vector3?

  mutating func take(_ force: Vector3, _ settings: FunctionSettings) -> Bool {
    sum += force
    samples += 1
    guard Double(samples) >= 2 * settings.rate, sum.norm > 0 else { return false }
    let mean = sum * (1 / sum.norm)
    (sum, samples) = (.zero, 0)
    guard let reference else {
      self.reference = mean
      return false
    }
    // The constant is the cosine of 35 degrees.
    guard mean.dot(reference) < 0.819152 else { return false }
    self.reference = mean
    return true
  }
}
