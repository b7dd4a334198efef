// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Registers
public import Sensors

/// The settings that the driver writes into the chip: codes of its registers. `BMI160.configure`
/// finds them from physical settings; firmware whose settings never change names them, and then
/// nothing that searches is linked.
public struct BMI160Configuration: ChipCodes {
  /// Of both sensors.
  public internal(set) var rate: BMI160Map.Rate
  public internal(set) var accelRange: BMI160Map.AccelRange
  public internal(set) var gyroRange: BMI160Map.GyroRange
  public internal(set) var filter: BMI160Map.FilterMode
  public internal(set) var acquisition: Acquisition
  /// Frames that the queue gathers before they are read.
  public internal(set) var batch: Int
  /// True where the line announces each frame of the queue, which is then read at once.
  var announcesFrames = false
  public internal(set) var power: PowerMode
  public internal(set) var interruptPin: InterruptPin
  /// The identity to go by instead of the one that the chip gives.
  public internal(set) var assumedIdentity: UInt8?
  /// Thresholds and durations of what the chip is to detect, if anything.
  var detection = BMI160DetectionCodes()
  /// The registers of every configuration, in the order in which they are written: of codes that
  /// are constants the compiler makes a table of constants. What is detected has its lines behind
  /// them.
  var common = InlineArray<11, RegisterValue>(
    repeating: RegisterValue(BMI160Map().fifoConfig0) { $0.value(0) })

  /// Creates a configuration of codes as they stand in the registers (BST-BMI160-DS000-07, section
  /// 2.11).
  ///
  /// - Parameters:
  ///   - rate: Samples per second of both sensors, ACC_CONF and GYR_CONF.
  ///   - accelRange: Full scale of the accelerometer, ACC_RANGE.
  ///   - gyroRange: Full scale of the gyroscope, GYR_RANGE.
  ///   - filter: The low-pass of both sensors; in low power above which rate it must be
  ///     `oversampled4` follows from `FilterMode.averagedSamples`.
  ///   - acquisition: The way in which samples leave the chip.
  ///   - batch: Frames that the queue gathers before they are read: 1 to 52, of the accelerometer
  ///     alone 97.
  ///   - power: `low` is the accelerometer alone, asleep between its samples.
  ///   - interruptPin: INT1 or INT2, and how it drives its line.
  ///   - assumedIdentity: For a clone that says something else than 0xD1 or 0xD3.
  @inline(__always)
  public init(
    rate: BMI160Map.Rate, accelRange: BMI160Map.AccelRange, gyroRange: BMI160Map.GyroRange,
    filter: BMI160Map.FilterMode = .normal, acquisition: Acquisition, batch: Int = 1,
    power: PowerMode = .normal, interruptPin: InterruptPin = InterruptPin(),
    assumedIdentity: UInt8? = nil
  ) {
    self.rate = rate
    self.accelRange = accelRange
    self.gyroRange = gyroRange
    self.filter = filter
    self.acquisition = acquisition
    self.batch = batch
    self.power = power
    self.interruptPin = interruptPin
    self.assumedIdentity = assumedIdentity
    writeCommonLines()
  }

  public var part: BMI160Part { .bmi160 }

  public func makeClock() -> SampleClock { SampleClock(rate: rate.hertz) }

  @inline(__always)
  public var abilities: DriverAbilities {
    var abilities = DriverAbilities(acquisition)
    if announcesFrames { abilities.insert(.dataReady) }
    if power == .low { abilities.insert(.lowPower) }
    if detects { abilities.insert(.detections) }
    return abilities
  }

  @inline(__always)
  public func isPossible(isSPI: Bool) -> Bool {
    acquisition != .detections
      && batch >= 1 && batch <= BMI160Chip.longestBatch(of: queueFrameSize)
      && (interruptPin.number == 1 || interruptPin.number == 2)
      && (!isUndersampled || filter.rawValue == 0 || (filter.rawValue + rate.rawValue) < 12)
  }

  /// The time of two samples, microseconds: 80 000 at 25 Hz, halved for each code.
  @inline(__always)
  var twoPeriods: UInt32 { 80_000 >> UInt32(rate.rawValue &- BMI160Map.Rate.hz25.rawValue) }

  /// True where the accelerometer sleeps between its samples. It cannot sleep between the samples
  /// of an average of n where a period has no more than n of them: then it stays awake (data sheet,
  /// section 2.4.1.2: skipped samples = 1600 / rate - averaged samples).
  @inline(__always)
  var isUndersampled: Bool { power == .low && rate != .hz1600 }

  /// Nothing that the chip detects needs its gyroscope.
  @inline(__always)
  var hasGyro: Bool { power == .normal && acquisition != .detections }

  @inline(__always)
  var detects: Bool { !detection.kinds.isEmpty }

  /// Bytes of a frame of the queue.
  @inline(__always)
  var queueFrameSize: Int {
    hasGyro ? BMI160Chip.queueFrameSize : BMI160Chip.accelQueueFrameSize
  }
}
