// SPDX-License-Identifier: Apache-2.0
import Quantities
import Registers
import Sensors

/// The configuration of a chip that has no choices.
struct FixedCodes: ChipConfiguration {
  enum Part: OnlyPart {
    case only
    init?(identity: UInt8) { self = .only }
    func says(_ identity: UInt8) -> Bool { identity == 0xEA || identity == 0x86 }
    static var expected: Part { .only }
  }

  var readout = ReadoutMode.polling
  func makeClock() -> SampleClock { SampleClock(rate: 100) }
  func isPossible(isSPI: Bool) -> Bool { true }

  static func limits(of part: Part, power: PowerMode) -> SettingLimits {
    SettingLimits(rate: 100, ways: .polling)
  }
  mutating func choose(_ settings: inout SensorSettings, isSPI: Bool) {}
}

struct FixedDecoder: FrameDecoder {
  typealias Codes = FixedCodes
  init(_ batch: borrowing RawBatch) {}
  func reading(_ batch: borrowing RawBatch, _ frame: Int) -> ChipReading { ChipReading() }
}

/// The driver of `BankedModel`, with banks as those of an ICM-20948.
struct BankedChip: RegisterChip {
  typealias Codes = FixedCodes
  typealias Decoder = FixedDecoder

  static var channels: ChannelSet { [] }
  static func rate(at index: Int, of codes: FixedCodes) -> Scalar? { nil }
  static var verification: Verification { Verification(every: .milliseconds(10)) }

  enum StartStep: UInt8, ChipStep { case identity, reset, wake, offset, offsetHeld, configuration }

  static func start<Bus: RegisterBus & ~Copyable>(
    _ driver: inout RegisterDriver<Self, Bus>, at step: StartStep
  ) throws(ChipError) -> StepAction {
    let map = FourBanksMap()
    switch step {
    case .identity: return .identify(by: map.whoAmI)
    case .reset: return .write(map.power1, wait: 10_000) { $0.reset(true) }
    case .wake: return .write(map.power1) { $0.clock(1) }
    case .offset: return try driver.write(map.offsetHigh) { $0.value(0x3C) }
    case .offsetHeld:
      return try driver.poll(map.offsetHigh, each: 1000, times: 2) { $0.value(0x3C) }
    case .configuration: return .configure()
    }
  }

  static func row<Bus: RegisterBus & ~Copyable>(
    _ index: Int, of driver: borrowing RegisterDriver<Self, Bus>
  ) -> BankedValue? {
    let map = FourBanksMap()
    switch index {
    case 0: return BankedValue(map.power1) { $0.clock(1) }
    case 1: return BankedValue(map.gyroDivider) { $0.value(4) }
    case 2: return BankedValue(map.gyroConfig1) { $0.range(.dps1000) | $0.filters(true) }
    case 3: return BankedValue(map.slave0Address) { $0.value(0x8C) }
    default: return nil
    }
  }

  static func discardOldSamples<Bus: RegisterBus & ~Copyable>(
    _ driver: inout RegisterDriver<Self, Bus>, into batch: inout RawBatch
  ) throws(ChipError) {}

  static func run<Bus: RegisterBus & ~Copyable>(
    _ driver: inout RegisterDriver<Self, Bus>, _ event: Event, into batch: inout RawBatch
  ) throws(ChipError) { try driver.verifyInTurn(at: driver.now) }

  static func nextStep<Bus: RegisterBus & ~Copyable>(_ driver: borrowing RegisterDriver<Self, Bus>)
    -> NextStep
  { .after(.milliseconds(10)) }

  static func sleep<Bus: RegisterBus & ~Copyable>(_ driver: inout RegisterDriver<Self, Bus>)
    throws(ChipError)
  { try driver.bus.set(FourBanksMap().power1) { $0.sleep(true) } }
}

/// The driver of `WordModel`.
struct WordChip: RegisterChip {
  typealias Codes = FixedCodes
  typealias Decoder = FixedDecoder

  static var channels: ChannelSet { [] }
  static func rate(at index: Int, of codes: FixedCodes) -> Scalar? { nil }
  /// As a chip whose plain lines would be compared in bursts.
  static var verification: Verification { Verification(every: .milliseconds(10), catchesUp: true) }

  enum StartStep: UInt8, ChipStep { case identity, shutDown, isShutDown, configuration }

  static func start<Bus: RegisterBus & ~Copyable>(
    _ driver: inout RegisterDriver<Self, Bus>, at step: StartStep
  ) throws(ChipError) -> StepAction {
    let map = WordMap()
    switch step {
    case .identity: return .identify(by: RO(0x0C, reset: 0x86))
    case .shutDown: return try driver.write(map.proximityConfiguration) { $0.shutDown(true) }
    case .isShutDown:
      return try driver.poll(map.proximityConfiguration, each: 1000, times: 2) {
        $0.shutDown(true)
      }
    case .configuration: return .configure()
    }
  }

  static func row<Bus: RegisterBus & ~Copyable>(
    _ index: Int, of driver: borrowing RegisterDriver<Self, Bus>
  ) -> WideValue? {
    let map = WordMap()
    switch index {
    case 0: return WideValue(map.ambientConfiguration) { $0.integrationTime(.ms160) }
    case 1: return WideValue(map.proximityConfiguration) { $0.highResolution(true) }
    default: return nil
    }
  }

  static func discardOldSamples<Bus: RegisterBus & ~Copyable>(
    _ driver: inout RegisterDriver<Self, Bus>, into batch: inout RawBatch
  ) throws(ChipError) {}

  static func run<Bus: RegisterBus & ~Copyable>(
    _ driver: inout RegisterDriver<Self, Bus>, _ event: Event, into batch: inout RawBatch
  ) throws(ChipError) { try driver.verifyInTurn(at: driver.now) }

  static func nextStep<Bus: RegisterBus & ~Copyable>(_ driver: borrowing RegisterDriver<Self, Bus>)
    -> NextStep
  { .after(.milliseconds(10)) }

  static func sleep<Bus: RegisterBus & ~Copyable>(_ driver: inout RegisterDriver<Self, Bus>)
    throws(ChipError)
  { try driver.bus.set(WordMap().ambientConfiguration) { $0.shutDown(true) } }
}
