// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// The registers of the HMC5883L (Honeywell's data sheet 900405 rev. E, tables 2 to 20).
public struct HMC5883LMap: RegisterMap {
  public let configurationA = RW(
    0x00, reset: 0x10,
    (averaging: Bits<Averaging>(5...6), rate: Bits<Rate>(2...4), bias: Bits<Bias>(0...1)))
  public let configurationB = RW(0x01, reset: 0x20, Bits<Gain>(5...7))
  // A read of the mode register locks the outputs until all six output registers are read.
  public let mode = RW(0x02, reset: 0x01, (highSpeed: Bit(7), mode: Bits<Mode>(0...1)))
  public let x = RO.words(0x03, .highFirst)
  public let z = RO.words(0x05, .highFirst)
  public let y = RO.words(0x07, .highFirst)
  public let status = RO(0x09, (lock: Bit(1), ready: Bit(0)))
  public let identificationA = RO(0x0A, reset: 0x48)
  public let identificationB = RO(0x0B, reset: 0x34)
  public let identificationC = RO(0x0C, reset: 0x33)
  public init() {}

  /// The number of averaged samples (table 4).
  public enum Averaging: UInt8, FieldValue, CaseIterable {
    case samples1 = 0, samples2, samples4, samples8
  }

  /// The sample rates in continuous measurement mode (table 5).
  public enum Rate: UInt8, FieldValue, CaseIterable {
    case hz0_75 = 0, hz1_5, hz3, hz7_5, hz15, hz30, hz75

    public var hertz: Scalar {
      let hertz: InlineArray<7, Scalar> = [0.75, 1.5, 3, 7.5, 15, 30, 75]
      return hertz[Int(rawValue)]
    }
  }

  /// The magnetic field that the chip itself adds for a self-test (table 6).
  public enum Bias: UInt8, FieldValue, CaseIterable { case none = 0, positive, negative }

  /// The gains, named by the recommended field range in milligauss; 10 mG is 1 microtesla. Table 9
  /// gives the counts per gauss.
  public enum Gain: UInt8, FieldValue, CaseIterable {
    case mG880 = 0, mG1300, mG1900, mG2500, mG4000, mG4700, mG5600, mG8100

    public var microtesla: Scalar {
      let microtesla: InlineArray<8, Scalar> = [88, 130, 190, 250, 400, 470, 560, 810]
      return microtesla[Int(rawValue)]
    }

    public var countsPerMicrotesla: Scalar {
      let counts: InlineArray<8, Scalar> = [13.7, 10.9, 8.2, 6.6, 4.4, 3.9, 3.3, 2.3]
      return counts[Int(rawValue)]
    }
  }

  /// The operating modes (table 12); both idle codes have the same effect.
  public enum Mode: UInt8, FieldValue, CaseIterable { case continuous = 0, single, idle, idleToo }
}
