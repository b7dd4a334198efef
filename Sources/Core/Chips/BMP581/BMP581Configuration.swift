// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The register codes of the driver's settings. `BMP581.configure` finds the codes for physical
/// settings. Firmware with fixed settings specifies the codes directly, so that the search is not
/// linked into it.
public struct BMP581Configuration: ListedCodes {
  /// The output data rate: odr of ODR_CONFIG. The period of the rate must be long enough for a
  /// conversion.
  public var rate = BMP581Map.Rate.hz240
  /// The number of averaged conversions: osr_t and osr_p of OSR_CONFIG.
  public var temperature = BMP581Map.Oversampling.x1
  public var pressure = BMP581Map.Oversampling.x1
  /// The chip's recursive filter of both quantities: DSP_IIR.
  public var filter = BMP388Map.Filter.off
  /// The readout mode. With `fifo` the pin signals after 1 to 10 samples. In low power the chip
  /// does not average, and the driver verifies the chip less often.
  public var readout = ReadoutMode.polling

  public init() {}

  @inline(__always)
  public func isPossible(isSPI: Bool) -> Bool {
    acquisition != .detections && interruptPin.number == 1
      && (1...BMP581Chip.longestBatch).contains(readout.watermark)
      && BMP581Chip.fits(temperature, pressure, at: rate)
  }

  public func makeClock() -> SampleClock { SampleClock(rate: rate.hertz, tolerance: 0.1) }

  public static func limits(of part: BMP581Part, power: PowerMode) -> SettingLimits {
    SettingLimits(rate: 240, pins: 1, ways: [.dataReady, .fifo, .polling])
  }

  public mutating func choose(_ settings: inout SensorSettings, isSPI: Bool) {
    rate.chooseSmallest(holding: &settings.rate) { $0.hertz }
    // Average as many conversions as the period allows. With pressure x32 and above, the
    // temperature averages a sixteenth as many conversions, as in the data sheet (section 4.4.2,
    // table 9).
    if power == .normal {
      for code in BMP581Map.Oversampling.allCases {
        let other = BMP581Map.Oversampling(rawValue: max(code.rawValue, 4) - 4) ?? .x1
        guard BMP581Chip.fits(other, code, at: rate) else { break }
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
    readout.gather(at: rate.hertz, most: BMP581Chip.longestBatch)
    guard acquisition == .fifo else { return }
    settings.batchInterval = TimeSpan(seconds: Scalar(readout.watermark) / rate.hertz)
  }

  /// Returns the register write at `index` of the configuration sequence, which is sent in standby;
  /// `nil` after the last write. The first, fifth, seventh and last writes change the contents that
  /// their registers have after a reset.
  public func row(_ index: Int) -> RegisterValue? {
    let map = BMP581Map()
    let isQueued = acquisition == .fifo
    return switch index {
    case 0:
      // The pin gives a pulse for each event. The pin's drive strength keeps its reset value.
      RegisterValue(map.interruptConfig) {
        $0.drive(3) | $0.enable(acquisition != .polling) | $0.openDrain(interruptPin.isOpenDrain)
          | $0.activeHigh(!interruptPin.isActiveLow)
      }
    case 1:
      RegisterValue(map.interruptSource) { $0.watermark(isQueued) | $0.dataReady(!isQueued) }
    case 2:
      RegisterValue(map.queueConfig) {
        $0.watermark(isQueued ? UInt8(truncatingIfNeeded: readout.watermark) : 0)
      }
    case 3: RegisterValue(map.queueSelection) { $0.pressure(isQueued) | $0.temperature(isQueued) }
    case 4:
      RegisterValue(map.signalPath) {
        $0.queuePressure(true) | $0.outputPressure(true) | $0.queueTemperature(true)
          | $0.outputTemperature(true) | $0.flushWhenForced(true) | $0.compensation(3)
      }
    case 5: RegisterValue(map.filter) { $0.pressure(filter) | $0.temperature(filter) }
    case 6:
      RegisterValue(map.oversampling) {
        $0.pressureEnable(true) | $0.pressure(pressure) | $0.temperature(temperature)
      }
    case 7: mode(.standby)
    default: nil
    }
  }

  /// Returns the register write that selects a power mode. Deep standby is disabled, because the
  /// chip leaves that mode only for rates up to 5 Hz without filter and FIFO (Bosch's API).
  func mode(_ mode: BMP581Map.Mode) -> RegisterValue {
    RegisterValue(BMP581Map().rate) { $0.deepStandbyDisable(true) | $0.rate(rate) | $0.mode(mode) }
  }
}

/// The only part of its family. The BMP580 has the same identity and registers. The BMP585 has
/// another identity, and its bits for the compensation are reserved.
public typealias BMP581Part = SinglePart<0x50>

/// Constants for the chip that do not depend on a driver's state.
extension BMP581Chip {
  /// The size in bytes of a sample in the registers and in the FIFO: temperature and pressure,
  /// 3 bytes each, low byte first.
  public static var frameSize: Int { 6 }

  /// The capacity of the FIFO in samples of both quantities.
  static var queueSize: Int { 16 }
  /// The highest watermark in samples, which leaves room in the FIFO for six more samples.
  static var longestBatch: Int { 10 }

  /// The counts per kilopascal and per degree Celsius (section 4.5): 64 per pascal, and 2^16.
  public static var countsPerKilopascal: Scalar { 64_000 }
  public static var countsPerDegree: Scalar { 65_536 }

  /// Returns the output data rates in Hz, fastest first.
  public static func rate(at index: Int, of codes: BMP581Configuration) -> Scalar? {
    (0...31).contains(index) ? BMP581Map.Rate(rawValue: UInt8(index))?.hertz : nil
  }

  /// Returns the typical time of a measurement of both quantities, in microseconds.
  @inline(__always)
  public static func conversion(
    _ temperature: BMP581Map.Oversampling, _ pressure: BMP581Map.Oversampling
  ) -> Int { temperature.temperatureTime + pressure.pressureTime }

  /// Returns true if a measurement fits into the period of a rate. A conversion takes up to 5
  /// percent longer than the typical time (section 2; ESPHome's component adds 5 percent too). If a
  /// measurement does not fit, the chip still samples at the requested rate, but averages only 1 or
  /// 2 conversions (section 4.3.4).
  @inline(__always)
  static func fits(
    _ temperature: BMP581Map.Oversampling, _ pressure: BMP581Map.Oversampling,
    at rate: BMP581Map.Rate
  ) -> Bool { Scalar(conversion(temperature, pressure)) * 1.05e-6 * rate.hertz <= 1 }
}
