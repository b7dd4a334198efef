// SPDX-License-Identifier: Apache-2.0
public import Registers
public import Quantities
public import Sensors

/// A recording of a board's wires instead of its wires: an emulator has no sensors, so it puts the
/// bytes of some into memory, and what a driver asks is answered with what was answered when they
/// were recorded.
///
/// Each question is compared with the one that was recorded: `divergences` counts those that
/// differ. Written by `Tests/Embedded/Reference`, whose `Tape.swift` has the format.
public enum Tape {
  /// The board's 16 MB of slow memory, which firmware does not use.
  private static var memory: UInt { 0x2100_0000 }

  private nonisolated(unsafe) static var place = 0  // one context
  private nonisolated(unsafe) static var time: UInt64 = 0  // one context
  /// The number of questions that are not those recorded.
  public nonisolated(unsafe) private(set) static var divergences: UInt32 = 0  // one context

  private static func byte(_ index: Int) -> UInt8 {
    UnsafePointer<UInt8>(bitPattern: memory)?[index] ?? 0
  }

  private static func number<Number: FixedWidthInteger>(_ index: Int, _: Number.Type) -> Number {
    var number: Number = 0
    for offset in 0..<Number.bitWidth / 8 {
      number |= Number(truncatingIfNeeded: byte(index + offset)) << Number(offset * 8)
    }
    return number
  }

  /// True if the emulator was given one: it begins with `OTOTAPE2`.
  public static var isThere: Bool {
    let name: StaticString = "OTOTAPE2"
    for index in 0..<8 where byte(index) != name.utf8Start[index] { return false }
    return true
  }

  // MARK: What was recorded

  /// A chip of the board that was recorded.
  public struct Chip {
    public enum Kind: UInt8 { case mpu6050, lsm6ds3, bmi160, lis3mdl, bmp280 }
    public var kind: Kind
    public var isSPI: Bool
    public var address: UInt8
    public var settings: SensorSettings
  }

  public static var chipCount: Int { Int(byte(12)) }
  private static var chipSize: Int { 46 }

  public static func chip(_ index: Int) -> Chip {
    let start = 13 + index * chipSize
    func double(_ offset: Int) -> Double {
      Double(bitPattern: number(start + offset, UInt64.self))
    }
    var settings = SensorSettings()
    settings.rate = .init(double(5))
    settings.accelerationRange = .init(double(13))
    settings.rotationRateRange = .init(double(21))
    settings.magneticFieldRange = .init(double(29))
    settings.acquisition = Acquisition(rawValue: byte(start + 3)) ?? .polling
    settings.batchInterval = TimeSpan(nanoseconds: number(start + 37, Int64.self))
    settings.keepsLateSamples = byte(start + 45) != 0
    settings.interruptPin = InterruptPin(number: byte(start + 4))
    return Chip(
      kind: Chip.Kind(rawValue: byte(start)) ?? .mpu6050, isSPI: byte(start + 1) != 0,
      address: byte(start + 2), settings: settings)
  }

  // MARK: Playing

  public static func rewind() {
    place = 13 + chipCount * chipSize
    divergences = 0
  }

  /// Goes on to where a driver was called next, and says which and why; `nil` at the end. What was
  /// recorded before and not asked counts as a divergence.
  public static func nextStep() -> (chip: Int, event: Event)? {
    while true {
      let chip = Int(byte(place + 1))
      switch byte(place) {
      case UInt8(ascii: "S"):
        let event = Event(
          edges: Int(number(place + 2, Int32.self)),
          edgeTime: Timestamp(nanoseconds: number(place + 6, Int64.self)))
        place += 14
        return (chip, event)
      case UInt8(ascii: "C"): passClock()
      case UInt8(ascii: "W"):
        divergences += 1
        place += 7 + Int(byte(place + 2))
      case UInt8(ascii: "R"):
        divergences += 1
        passRead()
      default: return nil
      }
    }
  }

  private static func passClock() {
    time = UInt64(truncatingIfNeeded: number(place + 2, Int64.self)) / 1000
    place += 10
  }

  private static func passRead() {
    let sent = Int(byte(place + 2))
    let count = Int(number(place + 3 + sent, UInt16.self))
    let status = number(place + 5 + sent, Int32.self)
    place += 9 + sent + (status == PlatformStatus.done ? count : 0)
  }

  /// In whole microseconds, what the driver was told at this place.
  public static var clock: PlatformClock {
    {
      if Tape.byte(Tape.place) == UInt8(ascii: "C") { Tape.passClock() }
      return Tape.time
    }
  }

  /// Compares what is sent with what was; the record's length without the answer, `nil` if it is
  /// another.
  private static func find(_ kind: UInt8, _ sent: UnsafePointer<UInt8>?, _ count: Int) -> Int? {
    while byte(place) == UInt8(ascii: "C") { passClock() }
    guard byte(place) == kind, Int(byte(place + 2)) == count, let sent else {
      divergences += 1
      return nil
    }
    for index in 0..<count where byte(place + 3 + index) != sent[index] {
      divergences += 1
      return nil
    }
    return 3 + count
  }

  private static func write(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    guard let length = find(UInt8(ascii: "W"), bytes, count) else {
      return PlatformStatus.unsupported
    }
    let status = number(place + length, Int32.self)
    place += length + 4
    return status
  }

  private static func read(
    _ sent: UnsafePointer<UInt8>?, _ sentCount: Int, _ bytes: UnsafeMutablePointer<UInt8>?,
    _ count: Int
  ) -> Int32 {
    guard let length = find(UInt8(ascii: "R"), sent, sentCount),
      Int(number(place + length, UInt16.self)) == count
    else { return PlatformStatus.unsupported }
    let status = number(place + length + 2, Int32.self)
    let answer = place + length + 6
    if status == PlatformStatus.done {
      for index in 0..<count { bytes?[index] = byte(answer + index) }
    }
    passRead()
    return status
  }

  /// The chips that were behind I2C. Whichever is called answers: a driver has one address.
  public static var i2c: PlatformI2C {
    PlatformI2C(
      write: { _, _, bytes, count in Tape.write(bytes, count) },
      read: { _, _, register, bytes, count in
        var register = register
        return Tape.read(&register, 1, bytes, count)
      }, clock: clock)
  }

  /// The chips that were behind SPI.
  public static var spi: PlatformSPI {
    PlatformSPI(
      transfer: { _, sent, sentCount, received, receivedCount in
        receivedCount == 0
          ? Tape.write(sent, sentCount) : Tape.read(sent, sentCount, received, receivedCount)
      }, clock: clock)
  }
}
