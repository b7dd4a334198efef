// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Registers

/// The sampling of a BMI160 or BMI270: both sensors, the thermometer and the sensor time, all on
/// one oscillator.
struct BMISampling {
  /// The sample times of the faster sensor. The slower sensor samples at some of these times.
  private(set) var train: SampleTrain
  /// The time from one sample of the faster sensor to the next.
  private(set) var period = TimeSpan.zero
  private var temperatures: SampleTrain
  private var ticks: UInt = 0
  private var accelEvery: UInt = 0
  private var gyroEvery: UInt = 0
  private var origin = Timestamp.zero
  private let clockError: Double

  init(clockError: Double) {
    self.clockError = clockError
    train = SampleTrain(clockError: clockError)
    temperatures = SampleTrain(clockError: clockError)
  }

  mutating func stop() {
    train.stop()
    temperatures.stop()
  }

  /// Stops sampling and sets the sensor time to 0.
  mutating func reset(at time: Timestamp) {
    stop()
    origin = time
  }

  /// Restarts sampling at the rates with the codes `accel` (acc_odr) and `gyro` (gyr_odr). A code
  /// is `nil` for a sensor that is off.
  mutating func restart(at time: Timestamp, accel: UInt8?, gyro: UInt8?, hasThermometer: Bool) {
    stop()
    let accelCode = accel.map { min(max($0, 1), 12) } ?? 0
    let gyroCode = gyro.map { min(max($0, 6), 13) } ?? 0
    let fastest = max(accelCode, gyroCode)
    guard fastest > 0 else { return }
    accelEvery = accelCode > 0 ? 1 << UInt(fastest - accelCode) : 0
    gyroEvery = gyroCode > 0 ? 1 << UInt(fastest - gyroCode) : 0
    ticks = 0
    // The output rate is 100 / 2^(8 - code) Hz, computed as a multiple of the slowest rate.
    let rate = 0.78125 * Double(1 << UInt(fastest - 1))
    period = TimeSpan(seconds: 1 / rate / (1 + clockError))
    train.start(at: time, rate: rate)
    if hasThermometer { temperatures.start(at: time, rate: gyroCode > 0 ? 100 : 1 / 1.28) }
  }

  /// Returns the time of the next sample and the sensors that take it; `nil` if none is due by
  /// `time`.
  mutating func takeNext(
    until time: Timestamp
  ) -> (time: Timestamp, accel: Bool, gyro: Bool)? {
    guard let next = train.takeNext(until: time) else { return nil }
    ticks &+= 1
    return (
      next, accelEvery > 0 && ticks % accelEvery == 0, gyroEvery > 0 && ticks % gyroEvery == 0
    )
  }

  /// Writes the latest temperature that was measured up to `time`, if there is one, with 512 counts
  /// per degree and 0 at 23 degrees.
  mutating func takeTemperature(
    until time: Timestamp, from input: any SensorInput, into registers: inout RegisterFile,
    at address: UInt8
  ) {
    var newest: Timestamp?
    while let next = temperatures.takeNext(until: time) { newest = next }
    guard let newest else { return }
    let celsius = input.reading(at: newest).temperature
    // The most negative code means that there is no temperature, so that code is never stored for a
    // measurement.
    registers.put(max(counts(celsius - 23, 512), -32767), at: address, .lowFirst)
  }

  /// Returns the 24-bit sensor time, which is the time since the reset in ticks of 39 us (25.6
  /// kHz).
  func sensorTime(at now: Timestamp) -> UInt32 {
    let elapsed = Double((now - origin).nanoseconds) * (1 + clockError)
    return UInt32(truncatingIfNeeded: Int64(saturating: (elapsed / 39062.5).rounded(.towardZero)))
      & 0xFF_FFFF
  }
}
