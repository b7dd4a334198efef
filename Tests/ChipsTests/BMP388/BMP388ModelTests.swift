// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Quantities
import Registers
import Sensors
import Testing

// Addresses are typed from BST-BMP388-DS001 revision 1, sections 3 and 4.
@Suite struct BMP388ModelTests {
  static func bench(_ part: BMP388Model.Part = .bmp388) -> ModelBench {
    let bench = ModelBench(WireFormat(spiDummyBytes: 1, writesPairs: true)) {
      BMP388Model($0, part: part)
    }
    // The values of 0x6D9F97 and 0x85D873 for the part with these calibration words.
    bench.world.held.pressure = 100.87600634692199
    bench.world.held.temperature = 30.499314453874284
    bench.at(0)
    return bench
  }

  static let pressure: [UInt8] = [0x97, 0x9F, 0x6D]
  static let temperature: [UInt8] = [0x73, 0xD8, 0x85]

  @Test(
    arguments: [
      (.bmp388, 0x00, 0x50), (.bmp390, 0x00, 0x60), (.bmp388, 0x03, 0x10), (.bmp388, 0x15, 0x01),
      (.bmp388, 0x17, 0x02), (.bmp388, 0x19, 0x02), (.bmp388, 0x1B, 0x00), (.bmp388, 0x1C, 0x02),
      (.bmp388, 0x1D, 0x00), (.bmp388, 0x1F, 0x00), (.bmp388, 0x31, 0x23), (.bmp388, 0x45, 0xC4),
    ] as [(BMP388Model.Part, UInt8, UInt8)])
  func `each register has its reset value`(part: BMP388Model.Part, register: UInt8, value: UInt8) {
    #expect(Self.bench(part).read(register) == [value])
  }

  @Test(
    arguments: [
      (0x00, 0x50), (0x16, 0x01), (0x17, 0x1F), (0x18, 0x1F), (0x19, 0x5F), (0x1A, 0x07),
      (0x1C, 0x3F), (0x1D, 0x1F), (0x1F, 0x0E), (0x31, 0x23),
    ] as [(UInt8, UInt8)])
  func `each register takes only the bits that can be written`(register: UInt8, holds: UInt8) {
    let bench = Self.bench()
    bench.write(register, 0xFF)
    #expect(bench.read(register) == [holds])
  }

  @Test func `several writes in one transfer are pairs`() {
    let bench = Self.bench()
    bench.write(0x1C, 0x0D, 0x1D, 0x05)
    #expect(bench.read(0x1C, 2) == [0x0D, 0x05])
  }

  @Test func `a forced conversion is over in its time, and the chip asleep`() {
    let bench = Self.bench()
    bench.write(0x1C, 0x00)
    bench.write(0x1B, 0x13)
    // The conversion takes 234 + 392 + 163 + 2 x 2020 us.
    bench.at(4.82)
    #expect(bench.read(0x03) == [0x10])
    bench.at(4.84)
    #expect(bench.read(0x03, 7) == [0x70] + Self.pressure + Self.temperature)
    #expect(bench.read(0x03) == [0x10] && bench.read(0x1B) == [0x03])
    bench.at(1000)
    #expect(bench.model.samplesTaken == 1)
  }

  @Test func `a rate that leaves no time is an error, and nothing is sampled`() {
    let bench = Self.bench()
    bench.write(0x1C, 0x01)
    bench.write(0x1B, 0x33)
    #expect(bench.read(0x02) == [0x04] && bench.read(0x02) == [0x00])
    bench.at(100)
    #expect(bench.model.samplesTaken == 0)
    bench.write(0x1C, 0x00)
    bench.at(120)
    #expect(bench.model.samplesTaken == 4)
  }

  /// Configures 200 Hz, with temperature and pressure in the FIFO, and a watermark of 14 bytes.
  static func queued(_ bench: ModelBench) {
    bench.write(0x15, 14, 0x17, 0x19, 0x18, 0x00, 0x19, 0x0A, 0x1C, 0x00, 0x1B, 0x33)
  }

  @Test func `the queue has frames with headers, and its line rises with the watermark`() {
    let bench = Self.bench()
    Self.queued(bench)
    #expect(bench.model.nextEdge == Timestamp(nanoseconds: 10_000_000))
    bench.at(6)
    #expect(bench.read(0x12, 2) == [7, 0] && bench.edges() == 0)
    bench.at(11)
    #expect(bench.read(0x12, 2) == [14, 0] && bench.edges() == 1)
    #expect(bench.read(0x11) == [0x09] && bench.read(0x11) == [0x00])
    bench.at(16)
    #expect(bench.edges() == 0)
    let frame = [0x94] + Self.temperature + Self.pressure
    #expect(bench.read(0x14, 21) == frame + frame + frame)
    #expect(bench.read(0x12, 2) == [0, 0] && bench.read(0x14) == [0x80])
  }

  /// A frame that was read in part is sent again, as Bosch's other parts do (BST-BMI160-DS000-07,
  /// section 2.5), so that a read that was interrupted costs no sample.
  @Test func `a frame of which a part was read is sent again`() {
    let bench = Self.bench()
    Self.queued(bench)
    bench.at(11)
    let frame = [0x94] + Self.temperature + Self.pressure
    #expect(bench.read(0x14, 10) == frame + frame.prefix(3))
    bench.at(12)
    #expect(bench.read(0x12, 2) == [7, 0] && bench.read(0x14, 9) == frame + [0x80, 0x00])
  }

  @Test func `a full FIFO loses its oldest frames, and a command empties it`() {
    let bench = Self.bench()
    Self.queued(bench)
    bench.at(1000)
    // 73 frames of 7 bytes fill the FIFO.
    #expect(bench.read(0x12, 2) == [0xFF, 0x01])
    bench.write(0x7E, 0xB0)
    #expect(bench.read(0x12, 2) == [0, 0])
  }

  /// BST-BMP388-DS001, section 3.6; the headers, and two bytes for a control frame, are also in Bosch's
  /// BMP3 driver (unpack_time_frame, parse_fifo_data_frame).
  @Test(
    arguments: [
      // FIFO_CONFIG_1: enable, and pressure (bit 3) or temperature (bit 4) alone.
      (0x09, [0x84] + pressure), (0x11, [0x90] + temperature),
    ] as [(UInt8, [UInt8])])
  func `the queue has what its configuration says`(config: UInt8, frame: [UInt8]) {
    let bench = Self.bench()
    bench.write(0x17, config, 0x18, 0x00, 0x1C, 0x00, 0x1B, 0x33)
    bench.at(11)
    #expect(bench.read(0x12, 2) == [8, 0])
    #expect(bench.read(0x14, 10) == frame + frame + [0x80, 0x00])
  }

  /// FIFO_CONFIG_2: 2 after a reset, one sample of four.
  @Test func `the queue keeps one sample of four after a reset`() {
    let bench = Self.bench()
    bench.write(0x15, 7, 0x17, 0x19, 0x19, 0x0A, 0x1C, 0x00, 0x1B, 0x33)
    #expect(bench.model.nextEdge == Timestamp(nanoseconds: 20_000_000))
    bench.at(16)
    #expect(bench.read(0x12, 2) == [0, 0])
    bench.at(41)
    #expect(bench.read(0x12, 2) == [14, 0] && bench.edges() == 1)
  }

  /// FIFO_CONFIG_1 bit 2: 0xA0 and 24 bits once behind the last frame.
  @Test func `a read beyond the last frame gets the time once`() {
    let bench = Self.bench()
    bench.write(0x17, 0x1D, 0x18, 0x00, 0x1C, 0x00, 0x1B, 0x33)
    bench.at(6)
    let bytes = bench.read(0x14, 15)
    #expect(Array(bytes.prefix(7)) == [0x94] + Self.temperature + Self.pressure)
    // 6 ms of 25.6 kHz are 153 (0x99).
    #expect(Array(bytes.dropFirst(7)) == [0xA0, 0x99, 0x00, 0x00, 0x80, 0x00, 0x80, 0x00])
  }

  @Test func `a change of the configuration, and an error of it, are frames`() {
    let bench = Self.bench()
    Self.queued(bench)
    bench.at(6)
    // The filter's coefficient 3, then 200 Hz with a conversion that takes longer.
    bench.write(0x1F, 0x04, 0x1C, 0x05)
    let frame = [0x94] + Self.temperature + Self.pressure
    #expect(bench.read(0x14, 13) == frame + [0x48, 0x01, 0x48, 0x01, 0x44, 0x01])
    #expect(bench.read(0x02) == [0x04])
  }

  /// ERR_REG bit 1 (section 4.3.2), which Bosch's driver looks at after its soft reset.
  @Test func `an unknown command is an error`() {
    let bench = Self.bench()
    bench.write(0x7E, 0x00)
    #expect(bench.read(0x02) == [0x00])
    bench.write(0x7E, 0x34)
    #expect(bench.read(0x02) == [0x02] && bench.read(0x02) == [0x00])
  }

  @Test func `a queue that stops when it is full keeps its oldest frames`() {
    let bench = Self.bench()
    bench.write(0x17, 0x1B, 0x18, 0x00, 0x1C, 0x00, 0x1B, 0x33)
    bench.at(6)
    bench.world.held.pressure = 90
    bench.at(1000)
    #expect(bench.read(0x12, 2) == [0xFF, 0x01])
    #expect(bench.read(0x14, 7) == [0x94] + Self.temperature + Self.pressure)
  }

  @Test func `the data-ready pin pulses with each sample`() {
    let bench = Self.bench()
    bench.write(0x19, 0x42, 0x1C, 0x00, 0x1B, 0x33)
    #expect(bench.model.nextEdge == Timestamp(nanoseconds: 5_000_000))
    bench.at(16)
    #expect(bench.edges() == 3 && bench.model.nextEdge == Timestamp(nanoseconds: 20_000_000))
  }

  @Test func `the filter follows a step slowly`() {
    let bench = Self.bench()
    // The filter is y += (x - y) / 4.
    bench.write(0x1C, 0x00, 0x1F, 0x04, 0x1B, 0x33)
    bench.at(6)
    #expect(bench.read(0x04, 3) == Self.pressure)
    bench.world.held.pressure = 90
    func code() -> Int {
      let bytes = bench.read(0x04, 3)
      return Int(bytes[2]) << 16 | Int(bytes[1]) << 8 | Int(bytes[0])
    }
    bench.at(11)
    let first = code() - 0x6D9F97
    bench.at(501)
    let all = code() - 0x6D9F97
    #expect(all > 500_000 && abs(first - all / 4) < 2)
  }

  @Test func `a soft reset takes its time and forgets everything`() {
    let bench = Self.bench()
    Self.queued(bench)
    bench.at(20)
    bench.write(0x7E, 0xB6)
    #expect(bench.read(0x03)[0] & 0x10 == 0)
    bench.at(30)
    #expect(bench.read(0x03) == [0x10] && bench.read(0x1B) == [0x00])
    #expect(bench.read(0x12, 2) == [0, 0] && bench.read(0x31) == [0x23])
    bench.at(100)
    #expect(bench.model.samplesTaken == 4)
  }
}
