// SPDX-License-Identifier: Apache-2.0
import Chips
import Quantities
import Registers
import Sensors
import Testing

/// A driver that is refused has taken its connection, and destroys it. Swift 6.2 destroys a field
/// with an initial value twice if an initialiser throws before all other fields are set.
@Suite struct RefusedDriverTests {
  @Test func `a refused driver destroys its connection once`() {
    let ends = Ends()
    #expect(throws: ChipError.unsupportedSetting) {
      _ = try BMI160(
        CountedBus(ends),
        configuration: BMI160Configuration(ReadoutMode(.fifo, watermark: 53)) {
          $0.rate = .hz100
          $0.accelFullScale = .g4
          $0.gyroFullScale = .dps500
        })
    }
    #expect(ends.count == 1)
    // One driver has a second initialiser in between, another wraps the connection.
    #expect(throws: ChipError.unsupportedSetting) {
      _ = try BMP388(
        CountedBus(ends),
        configuration: BMP388Configuration(ReadoutMode(.fifo, watermark: 0)) {
          $0.rate = .hz25
          $0.temperature = .x1
          $0.pressure = .x1
          $0.filter = .off
        })
    }
    #expect(ends.count == 2)
    #expect(throws: ChipError.unsupportedSetting) {
      _ = try HTS221(
        TrimmedConnection(CountedBus(ends), for: Polling.self),
        configuration: HTS221Configuration(.fifo) {
          $0.rate = .hz1
        })
    }
    #expect(ends.count == 3)
  }

  @Test func `a driver that is made destroys its connection once`() throws {
    let ends = Ends()
    do {
      let driver = try BMI160(
        CountedBus(ends),
        configuration: BMI160Configuration(.polling) {
          $0.rate = .hz100
          $0.accelFullScale = .g4
          $0.gyroFullScale = .dps500
        })
      #expect(ends.count == 0)
      _ = driver.release()
    }
    #expect(ends.count == 1)
  }

  private final class Ends {
    var count = 0
  }

  private enum Polling: AbilityChoice {
    static var abilities: DriverAbilities { .polling }
  }

  /// A connection without a chip.
  private struct CountedBus: RegisterBus, ~Copyable {
    private let ends: Ends

    init(_ ends: Ends) { self.ends = ends }

    deinit { ends.count += 1 }

    var now: Timestamp { .zero }

    mutating func read(_ bytes: inout MutableSpan<UInt8>, from register: UInt8) throws(BusError) {
      throw .noAcknowledge
    }

    mutating func write(_ value: UInt8, to register: UInt8) throws(BusError) {
      throw .noAcknowledge
    }
  }
}
