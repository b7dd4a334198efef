// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Registers
public import Sensors

// How samples leave the chip by its registers.
extension RegisterDriver where Chip == BMI160Chip, Bus: ~Copyable {
  /// Answers a data-ready edge: the registers hold the newest sample, and it was taken at the edge.
  @usableFromInline mutating func readOnEdge(_ event: Event, into batch: inout RawBatch)
    throws(ChipError)
  {
    guard event.edges > 0 else {
      // A timeout: the line may be dead, the samples are not.
      counters.missedInterrupts &+= 1
      try readIfReady(into: &batch)
      return
    }
    try readRegisters(into: &batch)
    // The chip has no flag for a sample that was replaced: edges or time tell.
    if event.edges > 1 || clock.samplesElapsed(at: event.edgeTime) > 1 { hasGap = true }
    stamp(
      &batch, after: event.edgeTime.advanced(by: .microseconds(-1)), notAfter: event.edgeTime)
    batch.newest = event.edgeTime
  }

  /// Gyroscope, accelerometer, status of interrupts and temperature, in one burst that cannot fall
  /// between two samples.
  mutating func readRegisters(into batch: inout RawBatch) throws(ChipError) {
    let map = BMI160Map()
    let size = hasGyro ? BMI160Chip.registerFrameSize : BMI160Chip.accelRegisterFrameSize
    var span = batch.bytes.mutableSpan
    // The standard library's 6.3 name of what was `extracting(first:)`; SE-0467 is to drop the
    // underscore.
    var part = span._mutatingExtracting(first: size)
    try bus.read(&part, from: hasGyro ? map.gyrXLow : map.accXLow)
    // A temperature that was measured is never "none" again, unless the chip was reset: then these
    // are no samples. (In low power the sensor is awake now and then only.)
    let hadTemperature = chip.temperature[1] != 0x80 || chip.temperature[0] != 0x00
    chip.temperature = [batch.byte(size - 2), batch.byte(size - 1)]
    if hadTemperature, chip.temperature[1] == 0x80, chip.temperature[0] == 0x00, hasGyro {
      throw .rejected(register: map.temperature1.address, wrote: 0, readBack: 0x80)
    }
    // Without the magnetometer its flags are clear; set, the line is not driven, as by a chip on
    // SPI that was reset.
    let status = map.status.contents(batch.byte(size - 7))
    if status({ $0.drdyMag }) == true, status({ $0.magManOp }) == true {
      throw .rejected(register: map.status.address, wrote: 0, readBack: status.raw)
    }
    // Behind STATUS stand INT_STATUS 0 to 3: each look at a sample is one at what was detected.
    if Bus.abilities.contains(.detections) {
      let events: InlineArray<4, UInt8> = [
        batch.byte(size - 6), batch.byte(size - 5), batch.byte(size - 4), batch.byte(size - 3),
      ]
      try note(events, at: now, into: &batch)
    }
    batch.frames = 1
    batch.frameSize = size
    noteFormat(&batch)
  }

  func noteFormat(_ batch: inout RawBatch) {
    batch.format[BMI160Decoder.Format.accelRange] = codes.accelRange.rawValue
    batch.format[BMI160Decoder.Format.gyroRange] = codes.gyroRange.rawValue
    batch.format[BMI160Decoder.Format.temperatureLow] = chip.temperature[0]
    batch.format[BMI160Decoder.Format.temperatureHigh] = chip.temperature[1]
  }
}
