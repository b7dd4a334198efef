// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Sensors

/// Physical values of the HTS221's frames, by the factory's points that a batch carries.
public struct HTS221Decoder: FrameDecoder {
  public typealias Codes = HTS221Configuration

  private let humidity: HTS221Line
  private let temperature: HTS221Line

  public init(_ batch: borrowing RawBatch) {
    let points = HTS221Points(batch.format)
    humidity = points.humidity
    temperature = points.temperature
  }

  public func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    var reading = ChipReading(channels: [.humidity, .temperature])
    // Beyond its two points the line leads past what there is.
    reading.humidity = min(max(humidity.value(of: batch.littleEndian(frame, 0)), 0), 100)
    reading.temperature = temperature.value(of: batch.littleEndian(frame, 2))
    return reading
  }
}

/// A line through two points (section 8): counts of an output, and what they mean.
struct HTS221Line {
  let counts: (Int16, Int16)
  let values: (Scalar, Scalar)

  /// Two points that are one make no line.
  var isUsable: Bool { counts.0 != counts.1 && values.0 != values.1 }

  func value(of count: Int16) -> Scalar {
    let span = Scalar(Int(counts.1) - Int(counts.0))
    return values.0 + (Scalar(Int(count) - Int(counts.0)) / span) * (values.1 - values.0)
  }
}

/// The factory's points: registers 0x30 to 0x3F, as the first bytes of a batch's format.
struct HTS221Points {
  let humidity: HTS221Line
  let temperature: HTS221Line

  init(_ bytes: InlineArray<40, UInt8>) {
    func word(_ index: Int) -> Int16 {
      Int16(bitPattern: UInt16(bytes[index + 1]) << 8 | UInt16(bytes[index]))
    }
    // 0x35 has bits 8 and 9 of the temperatures.
    func degrees(_ low: UInt8, _ high: UInt8) -> Scalar {
      Scalar(Int(high & 3) << 8 | Int(low)) / 8
    }
    humidity = HTS221Line(
      counts: (word(6), word(10)), values: (Scalar(bytes[0]) / 2, Scalar(bytes[1]) / 2))
    temperature = HTS221Line(
      counts: (word(12), word(14)),
      values: (degrees(bytes[2], bytes[5]), degrees(bytes[3], bytes[5] >> 2)))
  }
}
