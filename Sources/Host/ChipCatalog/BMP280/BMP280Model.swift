// SPDX-License-Identifier: Apache-2.0
package import Chips
package import Quantities
internal import Registers
internal import Sensors

/// A model of the BMP280 and BME280. The chip sleeps after a reset. The model covers the delay
/// until the trim words can be read, forced and normal mode with their timing, the recursive
/// filter, and skipped quantities. A change of the humidity control takes effect at the next write
/// of the measurement control, and the configuration cannot be written in normal mode.
///
/// Codes have full resolution at every oversampling. A real part has 16 bits at x1, and one more
/// bit at each further step.
package final class BMP280Model: ChipModel {
  private let map = BMP280Map()
  private var registers = RegisterFile(BMP280Map())
  private let input: any SensorInput
  private let part: BMP280Part
  private let inverse: BMP280Inverse
  /// The ratio of this chip's clock rate to the nominal clock rate.
  private let pace: Double
  private var now = Timestamp.zero
  private var copyEnd: Timestamp?
  /// The end time of the running conversion; `nil` if none is running.
  private var conversionEnd: Timestamp?
  /// The end time of the pause in normal mode; `nil` if there is no pause.
  private var pauseEnd: Timestamp?
  /// The oversampling settings at the start of the conversion.
  private var temperatureOversampling = BMP280Map.Oversampling.skipped
  private var pressureOversampling = BMP280Map.Oversampling.skipped
  private var humidityOversampling = BMP280Map.Oversampling.skipped
  /// The humidity oversampling that is in effect: the last setting that was written before a write
  /// of the measurement control.
  private var humidityInForce = BMP280Map.Oversampling.skipped
  private var filteredPressure: Double?
  private var filteredTemperature: Double?
  /// The number of finished conversions.
  package private(set) var conversions = 0
  /// The end time of the last conversion.
  package private(set) var newestEnd = Timestamp.zero

  /// Creates a chip whose oscillator has the relative error `clockError`; 0.01 is 1 percent fast.
  package init(_ input: any SensorInput, part: BMP280Part, clockError: Double = 0) {
    self.input = input
    self.part = part
    inverse = BMP280Inverse(trim: .example)
    pace = 1 / (1 + clockError)
    reset()
    showTrim()
  }

  package func successor(of register: UInt8) -> UInt8 { register &+ 1 }

  /// Returns `nil`, because the chip has no interrupt pin.
  package func nextEdge(of pin: UInt8) -> Timestamp? { nil }

  package func takeEdges(of pin: UInt8) -> EdgeQueue { EdgeQueue() }

  package var samplesTaken: UInt64 { UInt64(conversions) }

  package func powerCycle() {
    reset()
    copyEnd = now + .milliseconds(1)
  }

  package func advance(to time: Timestamp) {
    if let end = copyEnd, end <= time {
      copyEnd = nil
      showTrim()
    }
    while let next = conversionEnd ?? pauseEnd, next <= time {
      if conversionEnd != nil {
        conversionEnd = nil
        convert(at: next)
        if registers[map.controlMeasurement]({ $0.mode }) == .normal {
          let pause = registers[map.config]({ $0.standby }) ?? .ms0_5
          pauseEnd = next + span(pause.milliseconds(on: part))
        } else {
          registers.change(map.controlMeasurement) { $0.mode(.sleep) }
        }
      } else {
        pauseEnd = nil
        beginConversion(at: next)
      }
    }
    now = time
  }

  package func read(_ register: UInt8) -> UInt8 {
    switch register {
    case map.status.address:
      return (conversionEnd == nil ? 0 : 0x08) | (copyEnd == nil ? 0 : 0x01)
    case map.id.address where part == .bme280: return 0x60
    case map.controlHumidity.address where !part.hasHumidity,
      map.humidityHigh.address where !part.hasHumidity:
      return 0
    default:
      return registers[register]
    }
  }

  package func write(_ value: UInt8, to register: UInt8) {
    guard copyEnd == nil else { return }
    switch register {
    case map.reset.address:
      guard value == BMP280Map.softReset else { return }
      reset()
      copyEnd = now + .milliseconds(1)
    case map.config.address:
      guard registers[map.controlMeasurement]({ $0.mode }) != .normal else { return }
      registers.store(value, at: register)
      if registers[map.config]({ $0.filter }) == .off {
        filteredPressure = nil
        filteredTemperature = nil
      }
    case map.controlMeasurement.address:
      registers.store(value, at: register)
      humidityInForce = registers[map.controlHumidity]({ $0 }) ?? .skipped
      switchMode()
    case map.controlHumidity.address where !part.hasHumidity:
      return
    default:
      registers.store(value, at: register)
    }
  }

  /// Applies the power mode. While a conversion is running, the mode takes effect only at the end
  /// of the conversion.
  private func switchMode() {
    guard conversionEnd == nil else { return }
    switch registers[map.controlMeasurement]({ $0.mode }) ?? .sleep {
    case .sleep: pauseEnd = nil
    case .forced, .forcedCode2:
      pauseEnd = nil
      beginConversion(at: now)
    case .normal:
      if pauseEnd == nil { beginConversion(at: now) }
    }
  }

  private func beginConversion(at time: Timestamp) {
    let control = registers[map.controlMeasurement]
    temperatureOversampling = control({ $0.temperatureOversampling }) ?? .skipped
    pressureOversampling = control({ $0.pressureOversampling }) ?? .skipped
    humidityOversampling = part.hasHumidity ? humidityInForce : .skipped
    let duration = BMP280Conversion(
      temperature: temperatureOversampling.count, pressure: pressureOversampling.count,
      humidity: humidityOversampling.count)
    conversionEnd = time + span(Double(duration.typical) / 1000)
  }

  private func span(_ milliseconds: Double) -> TimeSpan {
    TimeSpan(seconds: milliseconds / 1000 * pace)
  }

  /// Stores the sensor input at `time`, the end of a conversion, in the data registers.
  private func convert(at time: Timestamp) {
    conversions += 1
    newestEnd = time
    let reading = input.reading(at: time)
    let codes = inverse.codes(reading)
    let filter = registers[map.config]({ $0.filter }) ?? .off
    let isPressureOn = pressureOversampling != .skipped
    let isTemperatureOn = temperatureOversampling != .skipped
    var pressure = isPressureOn ? Double(codes.pressure) : 524_288
    var temperature = isTemperatureOn ? Double(codes.temperature) : 524_288
    if filter != .off {
      // The recursive filter starts with the first measured value.
      let coefficient = Double(filter.coefficient)
      func smooth(_ value: inout Double, _ before: inout Double?) {
        value = (before ?? value) + (value - (before ?? value)) / coefficient
        before = value
      }
      if isPressureOn { smooth(&pressure, &filteredPressure) }
      if isTemperatureOn { smooth(&temperature, &filteredTemperature) }
    }
    store(pressure, isOn: isPressureOn, at: map.pressureHigh.address)
    store(temperature, isOn: isTemperatureOn, at: map.temperatureHigh.address)
    let humidity = humidityOversampling != .skipped ? UInt16(codes.humidity) : 0x8000
    registers.put(humidity, at: map.humidityHigh.address, .highFirst)
  }

  /// Stores a code of twenty bits, left-aligned in three registers. A measured code is never the
  /// code that means "skipped".
  private func store(_ value: Double, isOn: Bool, at high: UInt8) {
    var code = UInt32(saturating: min(max(value, 0), 0xFFFFF))
    if isOn, code == 0x80000 { code = 0x80001 }
    registers[high] = UInt8(truncatingIfNeeded: code >> 12)
    registers[high + 1] = UInt8(truncatingIfNeeded: code >> 4)
    registers[high + 2] = UInt8(truncatingIfNeeded: code << 4)
  }

  private func reset() {
    registers.reset()
    conversionEnd = nil
    pauseEnd = nil
    humidityInForce = .skipped
    filteredPressure = nil
    filteredTemperature = nil
  }

  private func showTrim() {
    let trim = inverse.trim
    // The signed trim words, in registers 0x88 to 0x9F.
    let signed = [
      trim.p2, trim.p3, trim.p4, trim.p5, trim.p6, trim.p7, trim.p8, trim.p9,
    ]
    registers.put(trim.t1, at: map.trimT.address, .lowFirst)
    registers.put(trim.t2, at: map.trimT.address + 2, .lowFirst)
    registers.put(trim.t3, at: map.trimT.address + 4, .lowFirst)
    registers.put(trim.p1, at: map.trimP.address, .lowFirst)
    for (index, word) in signed.enumerated() {
      registers.put(word, at: map.trimP.address + 2 + 2 * UInt8(index), .lowFirst)
    }
    guard part.hasHumidity else { return }
    registers[map.trimH1.address] = trim.h1
    registers.put(trim.h2, at: map.trimH2.address, .lowFirst)
    registers[map.trimH3.address] = trim.h3
    registers[map.trimH4High.address] = UInt8(truncatingIfNeeded: trim.h4 >> 4)
    registers[map.trimH4H5Low.address] = UInt8(trim.h4 & 0x0F) | UInt8(trim.h5 & 0x0F) << 4
    registers[map.trimH5High.address] = UInt8(truncatingIfNeeded: trim.h5 >> 4)
    registers[map.trimH6.address] = UInt8(bitPattern: trim.h6)
  }
}
