// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Registers
public import Sensors

/// The codes that the driver writes into the chip's registers (DS-000347 revision 1.7, section 14).
public struct ICM42688PConfiguration: ChipCodes {
  /// Of both sensors; in low power 500 Hz at most.
  public var rate = ICM42688PMap.Rate.hz1000
  /// With the widest ranges of both sensors the queue has 20 bits.
  public var accelRange = ICM42688PMap.AccelRange.g16
  public var gyroRange = ICM42688PMap.GyroRange.dps2000
  public var filter = ICM42688PMap.Filter.half
  public var acquisition = Acquisition.fifo
  /// Packets that the queue gathers before they are read.
  public var batch = 1
  /// True where the line announces each packet of the queue, which is then read at once.
  var announcesFrames = false
  /// `low` is the accelerometer alone, asleep between its samples.
  public var power = PowerMode.normal
  public var interruptPin = InterruptPin()
  public var assumedIdentity: UInt8?

  public init() {}

  public var part: ICM42688PPart { .icm42688p }

  public var abilities: DriverAbilities {
    DriverAbilities(acquisition).union(power == .low ? .lowPower : [])
      .union(announcesFrames ? .dataReady : [])
  }

  public func isPossible(isSPI: Bool) -> Bool {
    acquisition != .detections && batch >= 1 && batch * frame.size <= ICM42688PChip.longestBatch
      && (1...2).contains(interruptPin.number) && rate.hertz >= 12.5
      && rate.hertz <= (power == .low ? 500 : 2000)
  }

  public func makeClock() -> SampleClock { SampleClock(rate: rate.hertz) }

  var hasGyro: Bool { power == .normal }

  /// The layout in which a sample leaves the chip. 20 bits have one scale, that of the widest
  /// ranges (section 6.1).
  var frame: ICM42688PFrame {
    guard acquisition == .fifo else { return hasGyro ? .registers : .accelRegisters }
    guard hasGyro else { return .packet1 }
    return accelRange == .g16 && gyroRange == .dps2000 ? .packet4 : .packet3
  }

  /// The sensors at work, without which there is not one sample.
  var running: RegisterValue {
    RegisterValue(ICM42688PMap().power) {
      $0.gyro(hasGyro ? .lowNoise : .off) | $0.accel(hasGyro ? .lowNoise : .lowPower)
    }
  }

  /// Returns line `index` of the configuration; `nil` past the last, which starts the sensors.
  func line(_ index: Int, isSPI: Bool) -> RegisterValue? {
    let map = ICM42688PMap()
    let pin = interruptPin
    let queue = acquisition == .fifo
    let level = UInt16(truncatingIfNeeded: batch * frame.size)
    switch index {
    case 0:
      return RegisterValue(map.interfaceConfig0) {
        $0.countHighFirst(true) | $0.dataHighFirst(true) | $0.disabled(isSPI ? .i2c : .neither)
      }
    case 1:
      // Pulses.
      return RegisterValue(map.intConfig) {
        pin.number == 2
          ? $0.int2PushPull(!pin.isOpenDrain) | $0.int2ActiveHigh(!pin.isActiveLow)
          : $0.int1PushPull(!pin.isOpenDrain) | $0.int1ActiveHigh(!pin.isActiveLow)
      }
    case 2:
      // Section 14.50: to be cleared for the pins to work as they should.
      return RegisterValue(map.intConfig1) { $0.asyncReset(false) }
    case 3: return RegisterValue(map.gyroConfig0) { $0.range(gyroRange) | $0.rate(rate) }
    case 4: return RegisterValue(map.accelConfig0) { $0.range(accelRange) | $0.rate(rate) }
    case 5: return RegisterValue(map.filterConfig) { $0.accel(filter) | $0.gyro(filter) }
    case 6:
      // Steps of 16 us, and no time of the FSYNC pin.
      return RegisterValue(map.timeConfig) {
        $0.reserved(true) | $0.coarse(true) | $0.enable(true)
      }
    case 7:
      return RegisterValue(map.fifoConfig1) {
        $0.highResolution(frame == .packet4) | $0.time(queue && hasGyro) | $0.temperature(queue)
          | $0.gyro(queue && hasGyro) | $0.accel(queue)
      }
    case 8:
      return RegisterValue(map.watermarkLow) { $0.value(UInt8(truncatingIfNeeded: level)) }
    case 9: return RegisterValue(map.watermarkHigh) { $0.value(UInt8(level >> 8)) }
    case 10: return RegisterValue(map.intSource0) { pin.number == 1 ? sources($0) : .nothing }
    case 11: return RegisterValue(map.intSource3) { pin.number == 2 ? sources($0) : .nothing }
    case 12: return RegisterValue(map.fifoConfig) { $0.mode(queue ? .stream : .bypass) }
    case 13: return running
    default: return nil
    }
  }

  private func sources(_ pin: ICM42688PMap.IntSources) -> Change {
    let tellsEach = acquisition == .dataReady || announcesFrames
    return pin.dataReady(tellsEach) | pin.watermark(acquisition == .fifo && !announcesFrames)
  }
}

// Physical settings turned into what the chip has.
extension ICM42688PConfiguration {
  public init(nearest settings: inout SensorSettings, of part: ICM42688PPart, isSPI: Bool) {
    let isLow = settings.power == .low
    rate = isLow ? .hz500 : .hz2000
    acquisition = settings.acquisition
    power = settings.power
    interruptPin = settings.interruptPin
    assumedIdentity = settings.assumedIdentity
    var index = 0
    while let hertz = ICM42688PChip.rate(at: index), hertz >= settings.rate * 0.999 {
      if hertz <= rate.hertz { rate = ICM42688PChip.code(at: index) }
      index += 1
    }
    settings.rate = rate.hertz
    accelRange = .smallest(holding: settings.accelerationRange, orElse: .g16) { $0.g }
    settings.accelerationRange = accelRange.g
    gyroRange = .smallest(holding: settings.rotationRateRange, orElse: .dps2000) {
      $0.radiansPerSecond
    }
    settings.rotationRateRange = gyroRange.radiansPerSecond
    if isLow {
      // The mean of one sample.
      filter = .quarter
      settings.bandwidth = rate.hertz / 2
    } else {
      chooseFilter(&settings)
    }
    settings.passesThrough = false
    settings.detection.kinds = []
    settings.keepsLateSamples = settings.keepsLateSamples && acquisition == .dataReady
    announcesFrames = settings.keepsLateSamples
    if announcesFrames { acquisition = .fifo }
    guard acquisition == .fifo, !announcesFrames else { return }
    let frames = (settings.batchInterval.seconds * rate.hertz).rounded(.down)
    batch = Int(min(max(frames, 1), Scalar(ICM42688PChip.longestBatch / frame.size)))
    settings.batchInterval = TimeSpan(seconds: Scalar(batch) / rate.hertz)
  }

  /// Creates the codes; `nil` where a rate or range is not positive and finite or beyond the chip,
  /// or where it lacks the pin.
  public init?(checking settings: inout SensorSettings, of part: ICM42688PPart, isSPI: Bool) {
    guard settings.acquisition != .detections,
      settings.isWithin(
        rate: settings.power == .low ? 500 : 2000, g: 16, degreesPerSecond: 2000, pins: 2)
    else { return nil }
    self.init(nearest: &settings, of: part, isSPI: isSPI)
  }

  /// The widest filter that lets no more through than asked and than half of the rate, and else the
  /// narrowest.
  private mutating func chooseFilter(_ settings: inout SensorSettings) {
    let hertz = rate.hertz
    let wanted = min(settings.bandwidth ?? hertz, hertz / 2)
    filter = .half
    for code in ICM42688PMap.Filter.allCases {
      let (new, old) = (code.cutoff(at: hertz), filter.cutoff(at: hertz))
      if new <= wanted ? old > wanted || new > old : old > wanted && new < old { filter = code }
    }
    settings.bandwidth = filter.cutoff(at: hertz)
  }
}
