// SPDX-License-Identifier: Apache-2.0
import CAllocationCounter
import ChipCatalog
import Quantities
import Sensors
import Simulation
import Boards
import Testing

#if DEBUG
  private let isOptimised = false
#else
  private let isOptimised = true
#endif

/// One minute at the highest rate, without and with faults.
@Suite struct StreamTests {
  /// The best acquisition of each chip: the FIFO, otherwise the data-ready line, otherwise polling.
  static let ways: [Way] = Row.all.compactMap { row in
    let best = [Acquisition.fifo, .dataReady, .polling].first {
      row.description.acquisitions.contains($0)
    }
    return Way.normal.first {
      $0.row.testDescription == row.testDescription && $0.acquisition == best
    }
  }

  /// Returns the number of bytes of measured values per sample that the driver delivers.
  static func payload(_ way: Way) throws -> Int {
    let rig = Rig(way.row)
    _ = try rig.driver.configure(fastest(way))
    rig.driver.start()
    var batch = RawBatch()
    var loop = DriverLoop()
    for _ in 0..<1000 where batch.frames == 0 {
      loop.take(try rig.driver.step(.due, into: &batch), at: rig.clock.now)
      rig.clock.advance(to: loop.due)
    }
    try #require(batch.frames > 0)
    return batch.frameSize
  }

  static let minute = TimeSpan.seconds(isOptimised ? 60 : 10)

  static func fastest(_ way: Way) -> SensorSettings {
    // The BMI160's accelerometer ends at 1600 Hz, and so does its driver.
    var settings = way.settings(rate: way.row.description.rates.first)
    // A batch has twenty samples, even for slow chips.
    settings.batchInterval = max(.milliseconds(20), TimeSpan(seconds: 20 / settings.rate))
    settings.bandwidth = 8000
    return settings
  }

  @Test(arguments: ways) func `at the highest rate a minute loses nothing`(_ way: Way) throws {
    let rig = Rig(way.row)
    rig.collector.keeps = false
    let chosen = try rig.start(Self.fastest(way), tellsTime: true)
    rig.run(for: .seconds(1), until: { rig.collector.count > 0 })
    let (bytes, transactions, before) = (rig.bus.bytes, rig.bus.transactions, rig.collector.count)
    rig.run(for: Self.minute)
    let samples = rig.collector.count - before
    #expect(rig.driver.health.missing == 0 && rig.driver.health.busErrors == 0)
    #expect(rig.collector.missing == 0 && rig.collector.isMonotonic)
    #expect(rig.taken.rounded() == Double(rig.collector.count))
    #expect(abs(Double(samples) / Self.minute.seconds / chosen.rate - 1) < 0.2)
    let payload = samples * (try Self.payload(way))
    let ratio = Double(rig.bus.bytes - bytes) / Double(payload)
    // The overhead of a batch of 20 samples is below 10 percent on SPI, and on I2C if the FIFO has
    // no headers. A FIFO that holds fewer samples is read in smaller batches.
    let batch = min(20, (chosen.batchInterval.seconds * chosen.rate).rounded())
    let overhead = (way.row.wire == .spi ? 0.1 : 0.11) * 20 / batch
    if way.acquisition == .fifo { #expect(ratio < 1 + overhead) }
    let perThousand = Double((rig.bus.transactions - transactions) * 1000) / Double(samples)
    print(
      "stream: \(way.testDescription): \(chosen.rate.rounded()) Hz, \(samples) samples, lost 0,",
      "bytes per payload byte \((ratio * 1000).rounded() / 1000),",
      "transactions per 1000 samples \(perThousand.rounded())")
  }

  /// One transfer in a hundred is not acknowledged, the FIFO overflows every five seconds, and
  /// there is one brown-out.
  static let faults = [
    Fault(.noAcknowledge, .probability(0.01)),
    Fault(.fifoOverflow, .every(.seconds(5))),
    Fault(.brownOut, .at(.seconds(8))),
  ]

  @Test(arguments: ways)
  func `with faults every sample is delivered or counted as missing`(_ way: Way) throws {
    let rig = Rig(way.row, faults: Self.faults)
    rig.collector.keeps = false
    let chosen = try rig.start(Self.fastest(way), tellsTime: true)
    rig.run(for: Self.minute)
    let health = rig.driver.health
    #expect(rig.collector.isMonotonic)
    let said = rig.collector.count + rig.collector.missing
    // After a reset or a failed start the chip samples at another phase, so each time up to half a
    // sample may be counted wrongly.
    #expect(abs(rig.taken - Double(said)) <= max(1, Double(health.restarts) / 2))
    #expect(rig.collector.count > Int(chosen.rate * Self.minute.seconds * 0.8))
    // The brown-out, its detection, and the chip's start.
    let start = try Self.startUp(way)
    #expect(rig.collector.longestGap <= .milliseconds(200) + start)
    print(
      "faults: \(way.testDescription): taken \(Int(rig.taken.rounded())), received",
      "\(rig.collector.count) + missing \(rig.collector.missing), bus errors \(health.busErrors),",
      "overflows \(health.overflows), restarts \(health.restarts), longest gap",
      "\(rig.collector.longestGap.nanoseconds / 1_000_000) ms (start-up",
      "\(start.nanoseconds / 1_000_000) ms)")
  }

  /// Returns the time from the first transaction to the first sample, without faults.
  private static func startUp(_ way: Way) throws -> TimeSpan {
    let rig = Rig(way.row)
    _ = try rig.start(fastest(way))
    let begin = rig.clock.now
    rig.run(for: .seconds(5), until: { rig.collector.count > 0 })
    return rig.clock.now - begin
  }

  @Test(.enabled(if: isOptimised, "unoptimised code allocates"), arguments: Way.normal)
  func `two seconds of a stream allocate nothing`(_ way: Way) throws {
    let rig = Rig(way.row)
    rig.collector.keeps = false
    _ = try rig.start(way.settings())
    rig.run(for: .seconds(2))
    let before = otolith_allocations_of_thread()
    let count = rig.collector.count
    rig.run(for: .seconds(2))
    #expect(otolith_allocations_of_thread() == before)
    #expect(rig.collector.count > count)
  }
}
