// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The register codes of the driver's settings. `BMP388.configure` finds the codes for physical
/// settings. Firmware with fixed settings specifies the codes directly, so that the search is not
/// linked into it.
public struct BMP388Configuration: ListedCodes {
  /// The output data rate: odr_sel of ODR. The period of the rate must be long enough for a
  /// conversion.
  public var rate = BMP388Map.Rate.hz200
  /// The number of averaged conversions: osr_t and osr_p of OSR.
  public var temperature = BMP388Map.Oversampling.x1
  public var pressure = BMP388Map.Oversampling.x1
  /// The chip's recursive filter: iir_filter of CONFIG.
  public var filter = BMP388Map.Filter.off
  /// The readout mode. With `fifo` the pin signals after 1 to 70 samples. In low power the driver
  /// verifies the chip less often.
  public var readout = ReadoutMode.polling

  public init() {}

  @inline(__always)
  public func isPossible(isSPI: Bool) -> Bool {
    acquisition != .detections && interruptPin.number == 1
      && (1...BMP388Chip.longestBatch).contains(readout.watermark)
      && BMP388Chip.conversion(temperature, pressure) < rate.period
  }

  /// The rate is accurate to 2 percent typically, and to 12 percent at the limits of the
  /// temperature range (section 1).
  public func makeClock() -> SampleClock { SampleClock(rate: rate.hertz, tolerance: 0.125) }

  public static func limits(of part: BMP388Part, power: PowerMode) -> SettingLimits {
    SettingLimits(rate: 200, pins: 1, ways: [.dataReady, .fifo, .polling])
  }

  public mutating func choose(_ settings: inout SensorSettings, isSPI: Bool) {
    rate.chooseSmallest(holding: &settings.rate) { $0.hertz }
    // Average as many conversions as the period allows. With pressure x16 and above, temperature x2
    // is recommended (section 3.5).
    if power == .normal {
      for code in BMP388Map.Oversampling.allCases {
        let other: BMP388Map.Oversampling = code.rawValue >= 4 ? .x2 : .x1
        guard BMP388Chip.conversion(other, code) < rate.period else { break }
        (pressure, temperature) = (code, other)
      }
    }
    // Choose the widest low-pass filter whose bandwidth does not exceed the requested bandwidth.
    if let bandwidth = settings.bandwidth {
      for code in BMP388Map.Filter.allCases
      where filter.relativeBandwidth * rate.hertz > bandwidth * 1.001 { filter = code }
    }
    settings.bandwidth = filter.relativeBandwidth * rate.hertz
    // Only FIFO mode keeps samples until a delayed host reads them.
    settings.keepsLateSamples = false
    readout.gather(at: rate.hertz, most: BMP388Chip.longestBatch)
    guard acquisition == .fifo else { return }
    settings.batchInterval = TimeSpan(seconds: Scalar(readout.watermark) / rate.hertz)
  }

  /// Returns the register write at `index` of the configuration sequence; `nil` after the last
  /// write, which starts conversions. The third, fourth and last writes always change the reset
  /// value of their register.
  public func row(_ index: Int) -> RegisterValue? {
    let map = BMP388Map()
    let isQueued = acquisition == .fifo
    let watermark = isQueued ? readout.watermark * BMP388Chip.queueFrameSize : 0
    return switch index {
    case 0: RegisterValue(map.watermarkLow) { $0.value(UInt8(truncatingIfNeeded: watermark)) }
    case 1: RegisterValue(map.watermarkHigh) { $0(UInt8(truncatingIfNeeded: watermark >> 8)) }
    case 2:
      RegisterValue(map.queueConfig1) {
        $0.temperature(isQueued) | $0.pressure(isQueued) | $0.enable(isQueued)
      }
    case 3: RegisterValue(map.queueConfig2) { $0.source(.filtered) }
    case 4:
      RegisterValue(map.interruptControl) {
        $0.dataReady(acquisition == .dataReady) | $0.watermark(isQueued)
          | $0.activeHigh(!interruptPin.isActiveLow) | $0.openDrain(interruptPin.isOpenDrain)
      }
    case 5: RegisterValue(map.oversampling) { $0.temperature(temperature) | $0.pressure(pressure) }
    case 6: RegisterValue(map.rate) { $0(rate) }
    case 7: RegisterValue(map.config) { $0(filter) }
    case 8:
      RegisterValue(map.powerControl) {
        $0.mode(.normal) | $0.temperatureEnable(true) | $0.pressureEnable(true)
      }
    default: nil
    }
  }
}

/// The only part of the family: the driver treats the BMP388 and the BMP390 alike.
public enum BMP388Part: OnlyPart {
  case bmp388

  /// Creates the part for an identity; `nil` for a chip outside the family.
  public init?(identity: UInt8) {
    guard identity == 0x50 || identity == 0x60 else { return nil }
    self = .bmp388
  }

  public static var expected: BMP388Part { .bmp388 }
}

/// Constants for the family that do not depend on a driver's state.
extension BMP388Chip {
  /// The transfer format. An SPI read has one dummy byte; a write of several registers consists of
  /// pairs of address and value (section 5).
  public static var wireFormat: WireFormat { WireFormat(spiDummyBytes: 1, writesPairs: true) }

  /// The size in bytes of a frame read from the registers: pressure and temperature, 3 bytes each,
  /// low byte first.
  public static var frameSize: Int { 6 }

  /// The size in bytes of a FIFO frame: header, temperature and pressure.
  public static var queueFrameSize: Int { 7 }
  static var queueHeader: UInt8 { 0x94 }
  static var queueSize: Int { 512 }
  /// The highest watermark in frames, which leaves room in the FIFO for three more frames.
  static var longestBatch: Int { 70 }

  /// The size in bytes of the trim words, registers 0x31 to 0x45, in the format of a batch. With
  /// the trim words a batch can be decoded without its chip.
  static var trimSize: Int { 21 }

  /// Returns the output data rates in Hz, fastest first.
  public static func rate(at index: Int, of codes: BMP388Configuration) -> Scalar? {
    (0...17).contains(index) ? BMP388Map.Rate(rawValue: UInt8(index))?.hertz : nil
  }

  /// Returns the conversion time of both quantities, in microseconds (section 3.9.2).
  @inline(__always)
  public static func conversion(
    _ temperature: BMP388Map.Oversampling, _ pressure: BMP388Map.Oversampling
  ) -> Int { 234 + 392 + 163 + 2020 << Int(pressure.rawValue) + 2020 << Int(temperature.rawValue) }
}
