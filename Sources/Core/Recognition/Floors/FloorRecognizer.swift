// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

/// Counts the floors that a person climbs and descends on foot, from a barometer.
///
/// If steps are known, height counts only while steps are taken, and only as much as steps can
/// climb. Lifts, standing on an escalator, and weather changes at night then do not count. Without
/// steps, every change of height counts.
///
/// In both cases, the pressure pulse of a slammed door, a sudden step in pressure, and changes as
/// slow as the weather do not count as climbs. docs/movement.md gives the limits.
public struct FloorRecognizer: Equatable, Sendable {
  public struct Params: Equatable, Sendable {
    /// The height of a floor in metres. Default 3, Apple's value of about 10 feet.
    public var floorHeight = 3.0
    /// The height in metres at which the first floor of a climb is counted. Each later floor is
    /// counted when the same part of it has been climbed. Default 2.5, the smallest storey height
    /// of houses: the floors of a long climb are counted at 2.5, 5, 8, 11 ... m.
    public var firstFloor = 2.5
    /// The rate in m/s at which the weather may change the measured height. A partly climbed floor
    /// decays at this rate. Default 0.005, which is 2.2 hPa per hour: twice the rate of weather
    /// other than storms.
    public var weather = 0.005
    /// The change of a barometer's pressure with its temperature, in kPa/K. Default 0.0015, the
    /// temperature coefficient of the offset of a BMP280 (data sheet BST-BMP280-DS001, table 2).
    public var temperatureCoefficient = 0.0015
    /// The largest climb per step in metres, averaged over seven seconds. Default 0.5: two stairs
    /// of 0.19 m at once, or one stair on a moving escalator, with every fifth step undetected.
    public var highestStep = 0.5
    /// The fastest climb on foot in m/s, averaged over three seconds. Default 1.2, about the speed
    /// of sprints up stairs.
    public var highestSpeed = 1.2
    /// The longest interval in seconds between two steps that does not count as a pause. Default 4:
    /// 0.8 steps per second, with two steps in a row undetected.
    public var longestStep = 4.0
    /// The longest delay in seconds with which steps are reported. Default 10.
    public var latenessLimit = 10.0
    /// The largest acceleration in m/s^2 of lifts and similar conveyances. Default 1.5, the design
    /// limit for lifts (CIBSE Guide D).
    public var largestAcceleration = 1.5
    /// The smallest change in metres that can be a jump in pressure. Default 1.5.
    public var smallestJump = 1.5
    /// The time in seconds without a pressure reading after which the change of height is unknown.
    /// Default 20.
    public var longestGap = 20.0

    public init() {}
  }

  public let params: Params
  /// True if height counts only while steps are taken.
  public let usesSteps: Bool

  /// The number of floors climbed since the recogniser was created. The number never decreases.
  public var ascended: Int { counter.ascended }
  /// The number of floors descended since the recogniser was created. The number never decreases.
  public var descended: Int { counter.descended }

  /// The latest height in metres above the first pressure reading, in the standard atmosphere,
  /// averaged over about a second. `nil` before the first reading.
  public private(set) var relativeAltitude: Scalar?

  private var smoother = PressureSmoother()
  /// The altitude of the first pressure reading in metres.
  private var start: Scalar?
  private var spacing: SampleSpacing
  private var track: HeightTrack
  private var steps: StepTimes
  private var counter: FloorCounter
  private var warmth: Warmth
  /// The latest changes of height. Some of them are not processed yet.
  private var changes = Latest<24, HeightChange>(
    placeholder: HeightChange(start: .zero, end: .zero, metres: 0))
  /// The number of `changes` for which floors have been counted.
  private var decided = 0
  private var ride = Ride()

  /// Creates a recogniser. If `usesSteps` is true, only height that was climbed with steps counts;
  /// otherwise all height counts.
  @inline(__always)  // inlined, so that the stack holds no second copy of the value
  public init(usesSteps: Bool, _ params: Params = Params()) {
    self.params = params
    self.usesSteps = usesSteps
    spacing = SampleSpacing(longestGap: params.longestGap)
    track = HeightTrack(params)
    steps = StepTimes(longestStep: params.longestStep)
    counter = FloorCounter(params)
    warmth = Warmth()
  }

  /// Adds a pressure in kPa, at any rate, and the temperature of the barometer in degrees Celsius
  /// if it is known. Ignores invalid pressures and samples that are not later than the last sample.
  public mutating func update(pressure: Scalar, temperature: Scalar?, at time: Timestamp) {
    if let temperature { warmth.add(temperature, at: time) }
    guard let reading = smoother.update(pressure, at: time),
      let height = StandardAtmosphere.altitude(at: reading.pressure)
    else { return }
    let start = start ?? height
    self.start = start
    relativeAltitude = height - start
    switch spacing.step(to: reading.timestamp) {
    case .isStale: return
    case .begins:
      while decided < changes.count { decide() }
      changes.removeAll()
      decided = 0
      steps.removeAll()
      track.begin()
    case .follows: break
    }
    let metresPerKelvin =
      params.temperatureCoefficient * StandardAtmosphere.metresPerKilopascal(at: reading.pressure)
    counter.add(0, drift: warmth.takeChange() * metresPerKelvin)
    guard let change = track.update(height, at: reading.timestamp) else { return }
    while changes.count - decided >= 20 { decide() }
    if changes.count == 24 {
      changes.removeFirst()
      decided -= 1
    }
    changes.append(change)
    decideWhatIsKnown(at: reading.timestamp)
  }

  /// Adds a step. Steps must be added in order of time, at most `Params.latenessLimit` after they
  /// were taken.
  public mutating func add(_ step: Step) {
    steps.add(step.timestamp)
  }

  /// Adds the person's activity from `activity.timestamp` on. Height that is climbed in a vehicle
  /// or on a bicycle does not count. Floors that were counted before the activity became known are
  /// kept.
  public mutating func note(_ activity: ActivityEstimate) {
    let isRide = !activity.activities.isDisjoint(with: [.automotive, .cycling])
    ride.note(isRide, from: activity.timestamp)
  }

  // MARK: - Counting

  private mutating func decideWhatIsKnown(at now: Timestamp) {
    while decided < changes.count {
      let end = changes[decided].end
      if usesSteps, (now - end).seconds < params.latenessLimit {
        guard let last = steps.last, last >= end else { return }
      }
      decide()
    }
  }

  private mutating func decide() {
    let change = changes[decided]
    counter.add(metresOnFoot(decided), drift: params.weather * change.seconds)
    decided += 1
  }

  /// Returns the part of a change of height that was climbed on foot and counts, in metres.
  private mutating func metresOnFoot(_ index: Int) -> Scalar {
    let change = changes[index]
    guard !ride.covers(change.end) else { return 0 }
    guard usesSteps else { return change.metres }
    let walk = steps.walk(from: change.start, to: change.end)
    guard walk.steps > 0 else { return 0 }
    let close = climb(max(0, index - 1)...min(index + 1, changes.count - 1))
    guard abs(close.metres) <= params.highestSpeed * close.seconds else { return 0 }
    // Include the time before and after the change, as far as steps are known, because climbing,
    // stairs and pressures vary from second to second.
    var end = index
    while end < min(index + 3, changes.count - 1), let last = steps.last,
      changes[end + 1].end <= last
    {
      end += 1
    }
    let wide = climb(max(0, index - 3)...end)
    guard abs(wide.metres) <= params.highestStep * wide.steps else { return 0 }
    return change.metres * min(1, walk.seconds / change.seconds)
  }

  /// Returns the sums of the metres, seconds and steps of several changes of height.
  private mutating func climb(
    _ range: ClosedRange<Int>
  ) -> (metres: Scalar, seconds: Scalar, steps: Scalar) {
    var climb = (metres: 0.0, seconds: 0.0, steps: 0.0)
    for index in range {
      let change = changes[index]
      climb.metres += change.metres
      climb.seconds += change.seconds
      climb.steps += steps.walk(from: change.start, to: change.end).steps
    }
    return climb
  }
}

/// The times at which the person rides or rode in a vehicle or on a bicycle.
private struct Ride: Equatable, Sendable {
  private var isRiding = false
  private var wasRiding = false
  private var since = Timestamp.zero

  mutating func note(_ riding: Bool, from time: Timestamp) {
    guard riding != isRiding else { return }
    wasRiding = isRiding
    isRiding = riding
    since = time
  }

  func covers(_ time: Timestamp) -> Bool { time >= since ? isRiding : wasRiding }
}

/// Measures the change of a barometer's temperature, averaged to remove noise.
private struct Warmth: Equatable, Sendable {
  /// The averaging time of the temperature in seconds. The package of a chip takes longer than this
  /// to warm up.
  private static var tau: Scalar { 10 }
  private var value: Scalar?
  private var reported = 0.0
  private var last = Timestamp.zero

  mutating func add(_ temperature: Scalar, at time: Timestamp) {
    guard temperature.isFinite else { return }
    guard let value else {
      value = temperature
      reported = temperature
      last = time
      return
    }
    let interval = (time - last).seconds
    last = time
    guard interval > 0 else { return }
    self.value = value + (1 - exp(-interval / Self.tau)) * (temperature - value)
  }

  /// Returns the change of the temperature in kelvin since the last call of this function.
  mutating func takeChange() -> Scalar {
    guard let value else { return 0 }
    defer { reported = value }
    return abs(value - reported)
  }
}
