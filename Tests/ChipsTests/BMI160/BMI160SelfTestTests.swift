// SPDX-License-Identifier: Apache-2.0
import Simulation
import ChipCatalog
import Quantities
import Registers
import Sensors
import Boards
import Testing

@Suite struct BMI160SelfTestTests {
  /// The order and values are Bosch's: range code 8 is 8 g, 0x2C is 1600 Hz with the normal filter,
  /// 0x0D and 0x09 are the two directions, bit 4 starts the gyroscope's own test. A reset follows.
  @Test(arguments: [Wire.spi, .i2c])
  func `a sound chip passes its self-test byte by byte, then samples`(_ wire: Wire) throws {
    let rig = try BMI160Rig(SensorSettings(rate: 100), wire: wire)
    #expect(rig.driver.selfTest == nil)
    let time = try rig.runSelfTest()
    let start: [WireTransaction] = [
      .read(0x7F, 1), .read(0x00, 1), .write(0x7E, 0xB6), .read(0x7F, 1), .read(0x00, 1),
      .read(0x03, 1), .write(0x7E, 0x11), .read(0x03, 1), .write(0x7E, 0x15), .read(0x03, 1),
      .write(0x41, 0x08), .write(0x40, 0x2C), .write(0x6D, 0x0D), .read(0x12, 6),
      .write(0x6D, 0x09), .read(0x12, 6), .write(0x6D, 0x10), .read(0x1B, 1), .read(0x1B, 1),
      .write(0x7E, 0xB6),
    ]
    #expect(rig.port.log == start)
    #expect(time > .milliseconds(200) && time < .milliseconds(300))
    let report = try #require(rig.driver.selfTest)
    #expect(report.count == 4)
    #expect(report.isPassed)
    for axis in 0..<3 {
      let item = report.items[axis]
      #expect(item.channel == .acceleration)
      #expect(Int(item.axis) == axis)
      // The stimuli are 1.25 g in either direction.
      #expect(abs(item.response - 2.5) < 0.001)
      #expect(item.lowest == 8193.0 / 4096)
    }
    #expect(report.items[3].channel == .rotationRate)
    #expect(report.items[3].response == 1)
    rig.model.advance(to: rig.clock.now + .milliseconds(1))
    #expect(rig.model.read(0x03) == 0x00)
    #expect(rig.model.read(0x6D) == 0x00)
    #expect(rig.model.read(0x40) == 0x28)
    // Afterwards the chip can be used.
    rig.driver.start()
    rig.run(.milliseconds(500))
    #expect(rig.errors == [])
    #expect(rig.samples.count > 35)
  }

  /// The limit is 8193 counts. The counts of both directions are typed by hand, low bytes first.
  @Test(arguments: [(8192, false), (8193, true), (-9000, false)] as [(Int, Bool)])
  func `a change of 8193 counts passes the self-test, 8192 fail`(_ change: Int, _ passes: Bool)
    throws
  {
    let rig = try BMI160Rig(SensorSettings(rate: 100))
    var reads = 0
    rig.port.bend = { register, bytes in
      guard register == 0x12 else { return }
      reads += 1
      let value = UInt16(truncatingIfNeeded: reads == 1 ? -100 : change - 100)
      bytes[2] = UInt8(truncatingIfNeeded: value)
      bytes[3] = UInt8(value >> 8)
    }
    _ = try rig.runSelfTest()
    let report = try #require(rig.driver.selfTest)
    #expect(report.items[0].isPassed)
    #expect(report.items[1].isPassed == passes)
    #expect(abs(report.items[1].response - Double(change) / 4096) < 1e-9)
    #expect(report.isPassed == passes)
  }

  /// The gyroscope's result is polled for 100 ms.
  @Test func `a gyroscope that never says yes fails the self-test`() throws {
    let rig = try BMI160Rig(SensorSettings(rate: 100))
    rig.port.bend = { register, bytes in if register == 0x1B { bytes[0] &= 0xFD } }
    _ = try rig.runSelfTest()
    let report = try #require(rig.driver.selfTest)
    #expect(!report.isPassed)
    #expect(report.items[3].response == 0)
    #expect(rig.port.log.count { $0 == .read(0x1B, 1) } == 10)
    #expect(rig.port.log.last == .write(0x7E, 0xB6))
  }

  /// After an error the next step restarts the self-test, and it ends with a report.
  @Test func `an error at each transaction begins the self-test again`() throws {
    for index in 0..<20 {
      let rig = try BMI160Rig(SensorSettings(rate: 100), wire: .i2c)
      rig.port.failing = index
      do {
        _ = try rig.runSelfTest()
        // The transaction after the reset may fail without an error, because the chip may not
        // respond.
        #expect(index == 3)
      } catch {
        #expect(rig.driver.selfTest == nil)
        var batch = RawBatch()
        rig.clock.advance(to: rig.clock.now + .milliseconds(10))
        var loop = DriverLoop()
        while true {
          loop.take(try rig.driver.step(.due, into: &batch), at: rig.clock.now)
          if loop.isOver { break }
          rig.clock.advance(to: loop.due)
        }
      }
      #expect(rig.driver.selfTest?.isPassed == true, "transaction \(index)")
    }
  }
}
