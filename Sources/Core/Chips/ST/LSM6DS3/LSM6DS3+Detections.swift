// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Registers
public import Sensors

// Functions that read the detections from the source registers. These registers keep their bits
// until they are read.
extension LSM6DS3Chip {
  /// Reads the source registers and appends their detections. The driver discards the detections of
  /// the first read after a start, because the slope of that read is from zero to gravity (AN5130,
  /// page 38).
  public static func readDetections<Bus: ChipBus>(
    _ driver: inout LSM6DS3<Bus>, _ event: Event, into batch: inout RawBatch
  ) throws(ChipError) {
    let kinds = driver.configuration.functions.kinds
    guard Bus.abilities.contains(.detections), !kinds.isEmpty else { return }
    let hasEdge = driver.acquires(.detections) && event.edges > 0
    let time = hasEdge ? event.edgeTime : driver.now
    if !kinds.isDisjoint(with: LSM6Functions.basic) {
      try driver.pollBasicDetections(at: time, &batch)
    }
    if !kinds.isDisjoint(with: LSM6Functions.advanced) {
      try driver.pollAdvancedDetections(at: time, &batch)
    }
  }
}

extension RegisterDriver where Chip == LSM6DS3Chip, Bus: ~Copyable {
  /// Reads the registers that report the basic detections, WAKE_UP_SRC, TAP_SRC and D6D_SRC, in one
  /// burst.
  mutating func pollBasicDetections(at time: Timestamp, _ batch: inout RawBatch) throws(ChipError) {
    let bytes: InlineArray<3, UInt8> = try bus.bytes(from: LSM6DS3Map().wakeUpSrc)
    chip.sources.note(bytes, at: time, of: configuration.functions.kinds, into: &batch)
  }

  /// Reads FUNC_SRC and the step counter. The newer register map calls this register FUNC_SRC1; the
  /// register's bits are the same.
  mutating func pollAdvancedDetections(at time: Timestamp, _ batch: inout RawBatch)
    throws(ChipError)
  {
    let map = LSM6DS3Map()
    let kinds = configuration.functions.kinds
    let source = try bus.read(map.funcSrc)
    batch.append(.tilt, of: kinds, if: source { $0.tiltIa }, at: time)
    batch.append(.significantMotion, of: kinds, if: source { $0.signMotionIa }, at: time)
    guard kinds.contains(.step) else { return }
    let bytes: InlineArray<2, UInt8> = try bus.bytes(from: map.stepCounter.first)
    let count = UInt16(bytes[1]) << 8 | UInt16(bytes[0])
    guard count != chip.stepCount else { return }
    // The chip's 16-bit step counter wraps after 65535 steps.
    chip.steps &+= Int32(count &- chip.stepCount)
    chip.stepCount = count
    batch.append(Detection(.step, at: time, detail: chip.steps))
  }
}

/// The state of the basic functions between polls. WAKE_UP_SRC, TAP_SRC and D6D_SRC have the same
/// bits on 0x69 parts, on 0x6A parts and on parts with a tagged FIFO.
public struct LSM6DS3Sources: Sendable {
  /// True if the chip last reported that it is at rest.
  var isStill = false
  /// The times of the last reported fall and motion. An event that continues sets the bit in its
  /// source register again, but counts as one detection.
  private var lastFall = Timestamp.zero
  private var lastMotion = Timestamp.zero

  /// Appends the detections in the three source registers.
  mutating func note(
    _ bytes: InlineArray<3, UInt8>, at time: Timestamp, of kinds: DetectionSet,
    into batch: inout RawBatch
  ) {
    let map = LSM6DS3Map()
    let wake = map.wakeUpSrc.contents(bytes[0])
    let tap = map.tapSrc.contents(bytes[1])
    if kinds.contains(.freeFall), wake({ $0.ffIa }) == true {
      if time - lastFall > LSM6DS3Timing.pause { batch.append(Detection(.freeFall, at: time)) }
      lastFall = time
    }
    // The chip reports the axes of a motion, but not the direction along them.
    if kinds.contains(.motion), wake({ $0.wuIa }) == true {
      if time - lastMotion > LSM6DS3Timing.pause { batch.append(Detection(.motion, at: time)) }
      lastMotion = time
    }
    let wasStill = isStill
    isStill = wake({ $0.sleepStateIa }) == true
    batch.append(.noMotion, of: kinds, if: isStill && !wasStill, at: time)
    let axis = axis(bytes[1])
    batch.append(.singleTap, of: kinds, if: tap { $0.singleTap }, at: time, detail: axis)
    batch.append(.doubleTap, of: kinds, if: tap { $0.doubleTap }, at: time, detail: axis)
    let side = map.d6dSrc.contents(bytes[2])
    batch.append(.orientation, of: kinds, if: side { $0.d6dIa }, at: time, detail: up(bytes[2]))
  }

  /// Returns 1, 2 or 3 for the axis of a tap, negative if the tap came from the axis's negative
  /// direction, and 0 if no axis is reported.
  private func axis(_ source: UInt8) -> Int32 {
    let tap = LSM6DS3Map().tapSrc.contents(source)
    let sign: Int32 = tap({ $0.tapSign }) == true ? -1 : 1
    if tap({ $0.xTap }) == true { return sign }
    if tap({ $0.yTap }) == true { return 2 * sign }
    return tap({ $0.zTap }) == true ? 3 * sign : 0
  }

  /// Returns the axis that points up: 1, 2 or 3, negative if its negative direction points up.
  private func up(_ source: UInt8) -> Int32 {
    let side = LSM6DS3Map().d6dSrc.contents(source)
    if side({ $0.xh }) == true { return 1 }
    if side({ $0.xl }) == true { return -1 }
    if side({ $0.yh }) == true { return 2 }
    if side({ $0.yl }) == true { return -2 }
    if side({ $0.zh }) == true { return 3 }
    return side({ $0.zl }) == true ? -3 : 0
  }
}
