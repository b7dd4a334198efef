// SPDX-License-Identifier: Apache-2.0
import CAllocationCounter
import ChipCatalog
import Quantities
import Registers
import Sensors
import Simulation
import Boards
import Testing

#if DEBUG
  private let isOptimised = false
#else
  private let isOptimised = true
#endif

/// From the conversion to the decoded reading, neither the driver nor the model allocates memory.
@Suite(.enabled(if: isOptimised, "unoptimised code allocates"))
struct BarometerAllocationTests {
  @Test(arguments: ["bosch,bmp280", "bosch,bme280"], [100.0, 25, 1])
  func `twenty seconds of samples allocate nothing`(name: String, rate: Double) throws {
    let entry = try #require(ChipCatalog.entry(named: name))
    let clock = VirtualClock()
    let bus = SimulatedBus(clock: clock)
    let format = entry.description.wireFormat
    bus.attach(ModelPort(entry.model(World.weather(remembers: false), 0), format: format), at: 0x76)
    let driver = entry.driver(
      HostConnection(
        ConnectionPort(I2CConnection(SimulatedI2C(bus), address: 0x76, format: format))))
    _ = try driver.configure(SensorSettings(rate: rate))
    driver.start()
    var batch = RawBatch()
    var loop = DriverLoop()

    func run(_ span: TimeSpan) throws -> Int {
      let end = clock.now + span
      var count = 0
      while clock.now < end {
        batch.removeAll()
        loop.take(try driver.step(.due, into: &batch), at: clock.now)
        clock.advance(to: min(loop.due, end))
        for frame in 0..<batch.frames where driver.decode(batch, frame: frame).pressure > 100 {
          count += 1
        }
      }
      return count
    }
    _ = try run(.seconds(5))
    let before = otolith_allocations_of_thread()
    let delivered = try run(.seconds(20))
    #expect(otolith_allocations_of_thread() - before == 0)
    #expect(Double(delivered) >= rate * 20 - 1)
  }
}
