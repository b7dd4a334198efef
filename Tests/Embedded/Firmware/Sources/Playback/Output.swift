// SPDX-License-Identifier: Apache-2.0
import Fusion
import Quantities
import Sensors
import Startup

/// A file on the emulator's host. All numbers are little endian; the records are those of
/// `Tests/Embedded/Reference/PlayedRun.swift`.
struct Output: ~Copyable {
  private let handle: Int32
  private var bytes = InlineArray<4096, UInt8>(repeating: 0)
  private var count = 0

  init(_ name: StaticString) {
    handle = name.withUTF8Buffer { name in
      name.baseAddress.map {
        host_open(
          UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self), Int32(name.count), 5)
      } ?? -1
    }
  }

  mutating func flush() {
    let span = bytes.span
    let count = count
    let left = span.withUnsafeBufferPointer { host_write(handle, $0.baseAddress, count) }
    self.count = 0
    // If writing failed, the comparison finds that the end is missing.
    if left != 0 { host_exit(74) }
  }

  mutating func add(_ byte: UInt8) {
    if count == bytes.count { flush() }
    bytes[count] = byte
    count += 1
  }

  mutating func add(letter: Unicode.Scalar) { add(UInt8(ascii: letter)) }

  mutating func add<Number: FixedWidthInteger>(number: Number) {
    for byte in 0..<Number.bitWidth / 8 {
      add(UInt8(truncatingIfNeeded: number >> Number(byte * 8)))
    }
  }

  mutating func add(_ value: Double) { add(number: value.bitPattern) }

  mutating func add(_ vector: Vector3) {
    add(Double(vector.x))
    add(Double(vector.y))
    add(Double(vector.z))
  }

  mutating func add(_ attitude: Quaternion) {
    add(Double(attitude.w))
    add(Double(attitude.x))
    add(Double(attitude.y))
    add(Double(attitude.z))
  }

  mutating func add(_ batch: borrowing RawBatch, of chip: Int) {
    add(letter: "B")
    add(UInt8(chip))
    add(number: UInt16(batch.frames))
    add(number: UInt16(batch.frameSize))
    for index in 0..<batch.frames * batch.frameSize { add(batch.byte(index)) }
  }

  mutating func add(_ sample: Sample, of chip: Int) {
    add(letter: "P")
    add(UInt8(chip))
    add(number: sample.timestamp.nanoseconds)
    add(number: sample.missing)
    add(UInt8(truncatingIfNeeded: sample.channels.rawValue))
    add(sample.acceleration)
    add(sample.rotationRate)
    add(sample.magneticField)
    add(Double(sample.pressure))
    add(Double(sample.temperature))
    add(Double(sample.humidity))
  }

  mutating func add(_ motion: MotionSample) {
    add(letter: "M")
    add(motion.contents.rawValue)
    add(UInt8(bitPattern: motion.magneticAccuracy.rawValue))
    add(motion.attitude6)
    add(motion.attitudeCorrected)
    add(motion.attitude9)
    add(motion.gravity)
    add(motion.userAcceleration)
    add(motion.gyroBias)
    add(motion.magneticField)
  }

  mutating func add(_ health: Health, of chip: Int) {
    add(letter: "H")
    add(UInt8(chip))
    add(number: health.received)
    add(number: health.missing)
    add(number: health.busErrors)
    add(number: health.overflows)
    add(number: health.missedInterrupts)
    add(number: health.misconfigurations)
    add(number: health.restarts)
  }

  mutating func add(_ count: InstructionCount, _ name: UInt8) {
    add(letter: "N")
    add(name)
    add(number: count.calls)
    add(number: count.ticks)
    add(number: count.longest)
  }

  /// Writes the size of a type in bytes.
  mutating func add(size: Int, _ name: UInt8) {
    add(letter: "Z")
    add(name)
    add(number: UInt32(size))
  }
}
