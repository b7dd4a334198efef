// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// A chip of the LSM6 family. In all parts of the family, the registers for start, status, outputs
/// and self-test have the same addresses, so this protocol contains the driver functions that use
/// these registers.
public protocol LSM6Chip: TabledChip where Codes: LSM6Codes, StartStep == LSM6StartStep {
  /// Computes the configuration table, and resets the driver's counts of events since the start of
  /// the chip.
  static func prepareTable(_ driver: inout RegisterDriver<Self, some ChipBus>) throws(ChipError)

  /// Returns the values of the self-test that differ from part to part.
  static func selfTestFacts(of part: Codes.Part) -> LSM6SelfTestFacts

  /// Returns the register writes of a stage of the self-test: rate, range and stimulus. By default
  /// these are the writes for the LSM6DS3 and LSM6DSO.
  static func selfTestTable(
    at step: LSM6SelfTest<Self>.Step, of part: Codes.Part
  ) -> ConfigurationTable
}

/// The register codes for a chip of the LSM6 family.
public protocol LSM6Codes: TabledCodes {
  /// The settling time after a start, in microseconds.
  var settling: UInt32 { get }
}

/// The steps of the start. The main page is selected first, because on the page of embedded
/// functions another register has the address of the identity register.
public enum LSM6StartStep: UInt8, ChipStep {
  case mainPage, identity, reset, resetOver, configuration
}

extension LSM6Codes {
  /// True if only the accelerometer runs: in low power, and when only detections are requested.
  @inline(__always)
  public var isAccelAlone: Bool { power == .low || acquisition == .detections }
}

extension LSM6DS3Map.OutputRate {
  /// Returns the settling time after a start at this rate, in microseconds.
  @inline(__always)
  func settling(isAccelAlone: Bool) -> UInt32 {
    // Up to 3 samples of the accelerometer are wrong (ST's Linux drivers; Chrome OS). A fourth
    // period allows for a slow oscillator.
    let samples = isAccelAlone ? 4 : max(settlingSamples, 4)
    return (periodNanoseconds &* samples) / 1000
  }
}

extension LSM6Chip {
  public static var channels: ChannelSet { [.acceleration, .rotationRate, .temperature] }

  /// Returns the sampled channels. In low power only the accelerometer runs; if only detections are
  /// requested, there are no samples.
  public static func channels(of codes: Codes, with abilities: DriverAbilities) -> ChannelSet {
    if codes.acquisition == .detections { return [] }
    return codes.isAccelAlone ? .acceleration : channels
  }

  public static func start(
    _ driver: inout RegisterDriver<Self, some ChipBus>, at step: LSM6StartStep
  ) throws(ChipError) -> StepAction {
    let map = LSM6DS3Map()
    switch step {
    case .mainPage: return .write(map.funcCfgAccess) { _ in .nothing }
    case .identity: return .identify(by: map.whoAmI)
    case .reset: return reset
    case .resetOver: return hasReset
    case .configuration:
      try prepareTable(&driver)
      return .configure(wait: max(LSM6DS3Timing.turnOn, driver.configuration.settling))
    }
  }

  /// The step that resets the chip. The reset bit must not be set together with BOOT.
  static var reset: StepAction {
    .write(LSM6DS3Map().ctrl3C, wait: LSM6DS3Timing.reset) { $0.swReset(true) | $0.ifInc(true) }
  }

  static var hasReset: StepAction {
    .poll(
      LSM6DS3Map().ctrl3C, each: LSM6DS3Timing.reset, times: LSM6DS3Timing.resetPolls
    ) { $0.swReset(false) }
  }

  public static var temperatureOutput: RO<WholeByte> { LSM6DS3Map().outTemp.first }

  public static func hasSample(
    _ driver: inout RegisterDriver<Self, some ChipBus>
  ) throws(ChipError) -> Bool {
    let status = try driver.bus.read(LSM6DS3Map().statusReg)
    return (driver.configuration.isAccelAlone ? status { $0.xlda } : status { $0.gda }) == true
  }

  /// Reads temperature, gyroscope and accelerometer in one transaction, or only the accelerometer.
  public static func readOutputs(
    _ driver: inout RegisterDriver<Self, some ChipBus>, into batch: inout RawBatch
  ) throws(ChipError) {
    let map = LSM6DS3Map()
    if driver.configuration.isAccelAlone {
      try driver.readFrame(of: LSM6DS3Chip.accelSize, from: map.outXl.first, into: &batch)
    } else {
      try driver.readFrame(of: LSM6DS3Chip.burstSize, from: map.outTemp.first, into: &batch)
    }
  }

  /// Powers both sensors down. The second write is made even if the first failed.
  public static func sleep(_ driver: inout RegisterDriver<Self, some ChipBus>) throws(ChipError) {
    let map = LSM6DS3Map()
    var failure: ChipError?
    do { try driver.bus.set(map.ctrl1Xl) { _ in .nothing } } catch { failure = error }
    try driver.bus.set(map.ctrl2G) { _ in .nothing }
    if let failure { throw failure }
  }
}
