// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Registers
public import Sensors

/// Physical values of the LIS3MDL's frames.
public struct LIS3MDLDecoder: FrameDecoder {
  public typealias Codes = LIS3MDLConfiguration

  private let countsPerMicrotesla: Scalar

  public init(_ batch: borrowing RawBatch) {
    let scale = LIS3MDLMap.FullScale(rawValue: batch.format[0]) ?? .gauss4
    countsPerMicrotesla =
      scale.countsPerMicrotesla(of: LIS3MDLPart(rawValue: batch.format[1]) ?? .lis3mdl)
  }

  @inline(__always)
  public init(
    _ batch: borrowing RawBatch, of codes: LIS3MDLConfiguration, with abilities: DriverAbilities
  ) {
    let scale = LIS3MDLMap.FullScale(rawValue: batch.format[0]) ?? .gauss4
    let part = abilities.contains(.relatives) ? LIS3MDLPart(rawValue: batch.format[1]) : nil
    countsPerMicrotesla = scale.countsPerMicrotesla(of: part ?? .lis3mdl)
  }

  public func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading {
    var reading = ChipReading(channels: .magneticField)
    reading.magneticField = batch.littleEndianVector(frame, 0) / countsPerMicrotesla
    if batch.frameSize > LIS3MDLChip.frameSize {
      // 8 counts a degree, 0 at 25 degC (section 2.2, and ST's own driver).
      reading.temperature = 25 + Scalar(batch.littleEndian(frame, 6)) / 8
      reading.channels.insert(.temperature)
    }
    return reading
  }
}
