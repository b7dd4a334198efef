// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Registers
public import Sensors

/// Physical values of the family's frames, by the trim words that a batch carries.
public struct BMP280Decoder: FrameDecoder {
  private let trim: BMP280Trim
  private let hasHumidity: Bool

  public init(_ batch: borrowing RawBatch) {
    trim = BMP280Trim(batch)
    hasHumidity = batch.format[BMP280Chip.partFormat] == BMP280Part.bme280.rawValue
  }

  @inline(__always)
  public init(
    _ batch: borrowing RawBatch, of codes: BMP280Configuration, with abilities: DriverAbilities
  ) {
    trim = BMP280Trim(batch)
    hasHumidity =
      abilities.contains(.relatives)
      && batch.format[BMP280Chip.partFormat] == BMP280Part.bme280.rawValue
  }

  /// A word that says "skipped" is no reading: its channel is absent. Without temperature there is
  /// nothing at all, because the others are compensated by it.
  @inline(__always)
  public func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    let start = frame * batch.frameSize
    var reading = ChipReading()
    let temperatureWord = Self.word(batch, start + 3)
    guard temperatureWord != BMP280Chip.skippedWord else { return reading }
    let fine = trim.fineTemperature(Int64(temperatureWord))
    reading.temperature = Scalar(BMP280Trim.centidegrees(fine)) / 100
    reading.channels = .temperature
    let pressureWord = Self.word(batch, start)
    if pressureWord != BMP280Chip.skippedWord,
      let pressure = trim.pressure(Int64(pressureWord), fine)
    {
      // 256ths of a pascal.
      reading.pressure = Scalar(pressure) / 256_000
      reading.channels.insert(.pressure)
    }
    guard hasHumidity else { return reading }
    let humidityWord = Int(batch.byte(start + 6)) << 8 | Int(batch.byte(start + 7))
    if humidityWord != BMP280Chip.skippedHumidity {
      reading.humidity = Scalar(trim.humidity(Int64(humidityWord), fine)) / 1024
      reading.channels.insert(.humidity)
    }
    return reading
  }

  /// Twenty bits, left-aligned in three bytes.
  private static func word(_ batch: borrowing RawBatch, _ start: Int) -> Int {
    Int(batch.byte(start)) << 12 | Int(batch.byte(start + 1)) << 4
      | Int(batch.byte(start + 2)) >> 4
  }
}
