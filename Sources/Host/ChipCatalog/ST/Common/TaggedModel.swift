// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Quantities
internal import Registers
internal import Sensors

/// The model of a chip with a tagged FIFO. All such chips route their events to the two interrupt
/// pins in the same way.
protocol TaggedModel: AnyObject {
  var registers: RegisterFile { get set }
  /// The chip's latest outputs: temperature, gyroscope, accelerometer.
  var outputs: HeldOutputs { get set }
  var queue: TaggedQueue { get set }
  var functions: MotionFunctions { get }
  var pins: PinPair { get set }
  var train: SampleTrain { get }
  var clockError: Double { get }

  /// The number of samples of the faster sensor since the rates were last set.
  var taken: Int { get set }
  /// The chip's output rate in Hz, which is the rate of the faster sensor; 0 if both sensors are
  /// powered down.
  var rate: Double { get }
  /// The number of samples of the faster sensor per sample of each sensor, and per FIFO word of
  /// each sensor; 0 if the sensor has no samples or no words.
  var accelEvery: Int { get }
  var gyroEvery: Int { get }
  var accelBatch: Int { get }
  var gyroBatch: Int { get }
  /// The code in FIFO_CTRL4 for the number of time slots per timestamp.
  var stampCode: UInt8 { get }
  /// True if the FIFO collects words.
  var isQueueing: Bool { get }
  var watermark: Int { get }
  /// Two settings of the FIFO: it stops at its watermark, and it stops when it is full.
  var stopsOnWatermark: Bool { get }
  var stopsWhenFull: Bool { get }
  /// True if data-ready is a pulse, which does not change the pin's level.
  var isPulsed: Bool { get }
}

extension TaggedModel {
  /// The number of time slots per timestamp in the FIFO: 1, 8 or 32.
  var stampEvery: Int {
    let codes: InlineArray<4, Int> = [0, 1, 8, 32]
    return codes[Int(stampCode & 3)] * min(max(accelBatch, 1), max(gyroBatch, 1))
  }

  /// The number of FIFO words per sample of the chip.
  var wordsPerSample: Int {
    guard isQueueing else { return 0 }
    return (gyroBatch > 0 ? 1 : 0) + (accelBatch > 0 ? 1 : 0) + (stampEvery > 0 ? 1 : 0)
  }

  var isAtWatermark: Bool { watermark > 0 && queue.count >= watermark }
  var isNearlyFull: Bool { queue.count + max(wordsPerSample, 1) > queue.capacity }

  /// Completes a sample: updates the output registers, the FIFO and the pins. `stamp` is the
  /// timestamp counter; `nil` while it is off.
  func endSample(isAccel: Bool, isGyro: Bool, stamp: UInt32?, at time: Timestamp) {
    outputs.show(in: &registers, newAccel: isAccel, newGyro: isGyro)
    fillQueue(isAccel: isAccel, isGyro: isGyro, stamp: stamp)
    taken += 1
    if isPulsed { pulse(isAccel: isAccel, isGyro: isGyro, at: time) }
    updatePins(at: time)
  }

  /// Adds the words of one time slot to the FIFO. Each sensor that is due has one word, and all
  /// words have the same counter value.
  private func fillQueue(isAccel: Bool, isGyro: Bool, stamp: UInt32?) {
    guard isQueueing else { return }
    let gyro = isGyro && gyroBatch > 0 && taken % gyroBatch == 0
    let accel = isAccel && accelBatch > 0 && taken % accelBatch == 0
    guard gyro || accel else { return }
    queue.beginSlot()
    if let stamp, stampEvery > 0, taken % stampEvery == 0 {
      append(
        .timestamp,
        [UInt16(truncatingIfNeeded: stamp), UInt16(truncatingIfNeeded: stamp >> 16), 0])
    }
    if gyro { append(.gyro, outputs.words(at: 1)) }
    if accel { append(.accel, outputs.words(at: 4)) }
  }

  private func append(_ tag: LSM6DSOMap.Tag, _ words: InlineArray<3, UInt16>) {
    queue.append(
      tag, words, stopsAt: stopsOnWatermark ? watermark : stopsWhenFull ? queue.capacity : nil)
  }

  /// Overruns the FIFO: fills it and drops its oldest words, so that it begins in the middle of a
  /// sample.
  func overrun(at time: Timestamp) {
    guard train.isRunning, wordsPerSample > 0 else { return }
    for _ in 0..<(queue.capacity - queue.count + 5) { append(.accel, outputs.words(at: 4)) }
    updatePins(at: time)
  }

  private func routed(_ pin: UInt8) -> UInt8 {
    registers[pin == 1 ? LSM6DSOMap().int1Ctrl.address : LSM6DSOMap().int2Ctrl.address]
  }

  private func routedFunctions(_ pin: UInt8) -> UInt8 {
    registers[pin == 1 ? LSM6DSOMap().md1Cfg.address : LSM6DSOMap().md2Cfg.address]
  }

  /// Returns true if the pin is active. Data-ready pulses do not change the pin's level.
  private func level(_ pin: UInt8) -> Bool {
    let routed = routed(pin)
    // The data-ready flags have the same bits in STATUS_REG as in the routing registers.
    if !isPulsed, routed & registers[LSM6DS3Map().statusReg.address] & 0x03 != 0 { return true }
    if routed & 0x08 != 0, isAtWatermark { return true }
    if routed & 0x10 != 0, queue.hasOverrun { return true }
    if routed & 0x20 != 0, isNearlyFull { return true }
    return routedFunctions(pin) & functions.basicCauses & 0xFC != 0
  }

  func updatePins(at time: Timestamp) { pins.update(at: time) { level($0) } }

  /// Signals data-ready with a pulse on the interrupt pins to which data-ready is routed.
  private func pulse(isAccel: Bool, isGyro: Bool, at time: Timestamp) {
    let ready: UInt8 = (isAccel ? 0x01 : 0) | (isGyro ? 0x02 : 0)
    for pin in UInt8(1)...2 where routed(pin) & ready != 0 { pins.pulse(pin, at: time) }
  }

  /// Predicts the next interrupt edge. Sample times are predictable, but detections are not. If
  /// detections are routed to the pin, the accelerometer's next sample therefore counts as an edge.
  func predictEdge(of pin: UInt8) -> Timestamp? {
    guard (1...2).contains(pin), let next = train.next else { return nil }
    guard !pins.isActive(pin) || isPulsed else { return nil }
    let routed = routed(pin)
    var soonest: Timestamp?
    // The parameter is inout, because a captured variable would allocate a box at each call.
    func note(_ every: Int, after samples: Int = 0, _ soonest: inout Timestamp?) {
      guard every > 0 else { return }
      let time = next + period * Int64(samples * every + (every - taken % every) % every)
      soonest = min(soonest ?? time, time)
    }
    if routed & 0x02 != 0 { note(gyroEvery, &soonest) }
    if routed & 0x01 != 0 || routedFunctions(pin) & 0xFC != 0 { note(accelEvery, &soonest) }
    if routed & 0x08 != 0, wordsPerSample > 0, watermark > queue.count {
      let samples = (watermark - queue.count + wordsPerSample - 1) / wordsPerSample
      note(max(gyroBatch, accelBatch), after: samples - 1, &soonest)
    }
    return soonest
  }

  /// The sample period of the chip's faster sensor.
  private var period: TimeSpan { TimeSpan(seconds: 1 / rate / (1 + clockError)) }
}
