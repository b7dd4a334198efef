// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Sensors

/// Physical values of the family's frames, by the trim words that a batch carries.
public struct BMP388Decoder: FrameDecoder {
  public typealias Codes = BMP388Configuration

  private let trim: BMP388Trim

  public init(_ batch: borrowing RawBatch) { trim = BMP388Trim { batch.format[$0] } }

  public func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    let start = frame * batch.frameSize
    // In the queue a header comes first and temperature before pressure.
    let isQueued = batch.frameSize == BMP388Chip.queueFrameSize
    let temperature = trim.celsius(Self.word(batch, start + (isQueued ? 1 : 3)))
    var reading = ChipReading(channels: [.pressure, .temperature])
    reading.temperature = temperature
    reading.pressure =
      trim.pascal(Self.word(batch, start + (isQueued ? 4 : 0)), at: temperature) / 1000
    return reading
  }

  /// Twenty-four bits without a sign.
  private static func word(_ batch: borrowing RawBatch, _ start: Int) -> Scalar {
    Scalar(
      Int(batch.byte(start + 2)) << 16 | Int(batch.byte(start + 1)) << 8 | Int(batch.byte(start)))
  }
}

/// The trim words of one part, and the compensation that they make: Bosch's formula in floating
/// point (BST-BMP388-DS001, section 9). Any words and codes give some number.
public struct BMP388Trim: Sendable {
  private let t: InlineArray<3, Scalar>
  private let p: InlineArray<11, Scalar>

  /// Of the bytes of registers 0x31 to 0x45, by their place.
  public init(_ byte: (Int) -> UInt8) {
    func word(_ index: Int) -> Int { Int(byte(index + 1)) << 8 | Int(byte(index)) }
    func signed(_ index: Int) -> Int { Int(Int16(truncatingIfNeeded: word(index))) }
    func small(_ index: Int) -> Int { Int(Int8(bitPattern: byte(index))) }
    /// `value` by 2 to the power of `bits`.
    func part(_ value: Int, _ bits: Int) -> Scalar {
      Scalar(value) * Scalar(sign: .plus, exponent: -bits, significand: 1)
    }
    t = [part(word(0), -8), part(word(2), 30), part(small(4), 48)]
    p = [
      part(signed(5) - 16_384, 20), part(signed(7) - 16_384, 29), part(small(9), 32),
      part(small(10), 37), part(word(11), -3), part(word(13), 6), part(small(15), 8),
      part(small(16), 15), part(signed(17), 48), part(small(19), 48), part(small(20), 65),
    ]
  }

  /// Returns the temperature in degrees Celsius, which the pressure needs.
  public func celsius(_ code: Scalar) -> Scalar {
    let above = code - t[0]
    return above * t[1] + above * above * t[2]
  }

  /// Returns the pressure in pascals at a temperature.
  public func pascal(_ code: Scalar, at celsius: Scalar) -> Scalar {
    func cubic(_ a: Scalar, _ b: Scalar, _ c: Scalar, _ d: Scalar) -> Scalar {
      a + celsius * (b + celsius * (c + celsius * d))
    }
    let linear = code * cubic(p[0], p[1], p[2], p[3])
    let bend = code * code * (p[8] + p[9] * celsius) + code * code * code * p[10]
    return cubic(p[4], p[5], p[6], p[7]) + linear + bend
  }
}
