// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Registers
internal import Sensors

/// The state of the chip's detections between two polls of the driver.
struct BMI160Detected: Sendable {
  /// The number of steps since the driver was started. A reset of the chip does not reset this
  /// number.
  var steps: Int32 = 0
  /// The value of the chip's step counter at the last read; the counter wraps at 65536.
  var counted: UInt16 = 0
  var side: UInt8 = 0

  /// Clears the stored values of the detection registers, because the chip was reset.
  mutating func forgetChip() {
    counted = 0
    side = 0
  }

  mutating func count(_ now: UInt16) {
    steps &+= Int32(now &- counted)
    counted = now
  }
}

extension RegisterDriver where Chip == BMI160Chip, Bus: ~Copyable {
  /// Reads the four interrupt status registers and appends the detections that they report.
  mutating func readDetections(after event: Event, into batch: inout RawBatch) throws(ChipError) {
    let status: InlineArray<4, UInt8> = try bus.bytes(from: BMI160Map().intStatus0)
    let time = event.edges > 0 ? event.edgeTime : now
    let found = try note(status, at: time, into: &batch)
    guard acquires(.detections) else { return }
    if event.edges > 0 {
      isWired = true
    } else if found, isWired == true {
      counters.missedInterrupts &+= 1
    }
  }

  /// Appends the detections in INT_STATUS to the batch and resets latched flags. Returns true if
  /// the status reported detections.
  @discardableResult mutating func note(
    _ status: InlineArray<4, UInt8>, at time: Timestamp, into batch: inout RawBatch
  ) throws(ChipError) -> Bool {
    guard detects else { return false }
    let map = BMI160Map()
    let events = map.intStatus0.contents(status[0])
    let others = map.intStatus1.contents(status[1])
    let origin = map.intStatus2.contents(status[2])
    let state = map.intStatus3.contents(status[3])
    let kinds = codes.detection.kinds
    let before = batch.detectionCount
    if kinds.contains(.step), events({ $0.stepInt }) == true {
      try countSteps()
      batch.append(Detection(.step, at: time, detail: chip.detected.steps))
    }
    let tap = axis(
      origin({ $0.tapFirstX }), origin({ $0.tapFirstY }), origin({ $0.tapFirstZ }),
      isNegative: origin({ $0.tapSign }))
    let first = axis(
      origin({ $0.anymFirstX }), origin({ $0.anymFirstY }), origin({ $0.anymFirstZ }),
      isNegative: origin({ $0.anymSign }))
    batch.append(.singleTap, of: kinds, if: events { $0.sTapInt }, at: time, detail: tap)
    batch.append(.doubleTap, of: kinds, if: events { $0.dTapInt }, at: time, detail: tap)
    batch.append(.motion, of: kinds, if: events { $0.anymInt }, at: time, detail: first)
    batch.append(.significantMotion, of: kinds, if: events { $0.sigmotInt }, at: time)
    batch.append(.noMotion, of: kinds, if: others { $0.nomoInt }, at: time)
    batch.append(.freeFall, of: kinds, if: others { $0.lowgInt }, at: time)
    if kinds.contains(.orientation), events({ $0.orientInt }) == true {
      batch.append(Detection(.orientation, at: time, detail: sideUp(status[3])))
    }
    let isFlat: Int32 = state { $0.flat } == true ? 1 : 0
    batch.append(.flat, of: kinds, if: events { $0.flatInt }, at: time, detail: isFlat)
    // Sources disagree on whether a read clears a latched flag, so the reset command is used. The
    // FIFO's flags are not latched: these flags follow the fill level of the FIFO.
    let levels = map.intStatus1.change { $0.fwmInt(true) | $0.ffullInt(true) }
    if status[0] != 0 || status[1] & ~levels.mask != 0 { try command(.interruptReset) }
    return batch.detectionCount > before
  }

  private mutating func countSteps() throws(ChipError) {
    let count: InlineArray<2, UInt8> = try bus.bytes(from: BMI160Map().stepCnt.first)
    chip.detected.count(UInt16(count[1]) << 8 | UInt16(count[0]))
  }

  private func axis(_ x: Bool?, _ y: Bool?, _ z: Bool?, isNegative: Bool?) -> Int32 {
    let axis: Int32 = x == true ? 1 : y == true ? 2 : z == true ? 3 : 0
    return isNegative == true ? -axis : axis
  }

  /// Returns the axis that points up. Code 0 is +x, 1 is -x, 2 is -y and 3 is +y, as in all chips
  /// of this family (data sheet, section 2.6.5); `orient2` means that z points down.
  private mutating func sideUp(_ status: UInt8) -> Int32 {
    let state = BMI160Map().intStatus3.contents(status)
    let code = state({ $0.orient10 }) ?? 0
    let isDown = state({ $0.orient2 }) == true
    let side = code | (isDown ? 4 : 0)
    defer { chip.detected.side = side }
    if chip.detected.side & 3 == code, chip.detected.side != side { return isDown ? -3 : 3 }
    switch code {
    case 0: return 1
    case 1: return -1
    case 2: return -2
    default: return 2
    }
  }
}
