// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

/// Counts the floors that a barometer's bearer climbs and descends on foot.
///
/// Where steps are known, height counts only while steps are taken, and only as much as steps can
/// climb: a lift, a ride on an escalator or weather at night do not count. Without steps every
/// change of height counts, however the device was carried. In both cases the pressure pulse of a
/// slammed door, a step in pressure, and changes as slow as weather are not climbs.
/// docs/movement.md has the limits.
public struct FloorRecognizer: Equatable, Sendable {
  public struct Params: Equatable, Sendable {
    /// The height of a floor in metres. Default 3: Apple's value of about 10 feet.
    public var floorHeight = 3.0
    /// The height of the first floor of a climb in metres; each later floor is counted once as much
    /// of it was climbed. Default 2.5, the smallest storey height of houses. The floors of a long
    /// climb are counted at 2.5, 5, 8, 11 ... m.
    public var firstFloor = 2.5
    /// The rate at which height may drift without motion, m/s. Default 0.005: 2.2 hPa per hour,
    /// twice the rate of weather except storms. Part of a floor decays at this rate.
    public var weather = 0.005
    /// The change of a barometer's pressure with its temperature, kPa/K. Default 0.0015: the
    /// temperature coefficient of offset in the data sheet of the BMP280 (BST-BMP280-DS001, table
    /// 2).
    public var temperatureCoefficient = 0.0015
    /// The largest climb per step in metres, averaged over seven seconds. Default 0.5: two stairs
    /// of 0.19 m at once, or one on a moving escalator, with every fifth step missed.
    public var highestStep = 0.5
    /// The fastest climb on foot, m/s, averaged over three seconds. Default 1.2: about the speed of
    /// sprints up stairs.
    public var highestSpeed = 1.2
    /// A longer time between two steps is a pause, seconds. Default 4: 0.8 steps per second, with
    /// two of them missed.
    public var longestStep = 4.0
    /// The longest delay of reported steps, seconds. Default 10.
    public var patience = 10.0
    /// The largest acceleration of lifts and similar conveyances, m/s^2. Default 1.5: the design
    /// limit for lifts (CIBSE Guide D).
    public var largestAcceleration = 1.5
    /// A smaller change is never a jump in pressure, metres. Default 1.5.
    public var smallestJump = 1.5
    /// After a longer time without pressure the change in height is unknown, seconds. Default 20.
    public var longestGap = 20.0

    public init() {}
  }

  public let params: Params
  /// True if only height climbed by steps counts.
  public let usesSteps: Bool

  /// Floors climbed since the recogniser was created; never decreases.
  public var ascended: Int { counter.ascended }
  /// Floors descended since the recogniser was created; never decreases.
  public var descended: Int { counter.descended }

  /// The newest height in metres above the first pressure reading, in the standard atmosphere;
  /// readings are averaged over about a second. `nil` before the first.
  public private(set) var relativeAltitude: Scalar?

  private var smoother = PressureSmoother()
  /// The altitude of the first reading, metres.
  private var start: Scalar?
  private var spacing: SampleSpacing
  private var track: HeightTrack
  private var steps: StepTimes
  private var counter: FloorCounter
  private var warmth: Warmth
  /// The changes of height that are not counted yet, and those before them.
  private var changes = Latest<24, HeightChange>(
    placeholder: HeightChange(start: .zero, end: .zero, metres: 0))
  /// The number of `changes` already processed.
  private var decided = 0
  private var ride = Ride()

  /// Creates a recogniser that counts either height climbed by steps, or all height.
  @inline(__always)  // in the owner's memory: otherwise it is on the stack twice
  public init(usesSteps: Bool, _ params: Params = Params()) {
    self.params = params
    self.usesSteps = usesSteps
    spacing = SampleSpacing(longestGap: params.longestGap)
    track = HeightTrack(params)
    steps = StepTimes(longestStep: params.longestStep)
    counter = FloorCounter(params)
    warmth = Warmth()
  }

  /// Adds a pressure in kPa at any rate, with the barometer's temperature in degrees Celsius if
  /// known. Invalid pressures, and samples not later than the last, are ignored.
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

  /// Adds a step; steps must be in time order, and at most `Params.patience` late.
  public mutating func add(_ step: Step) {
    steps.add(step.timestamp)
  }

  /// Adds the bearer's activity from `activity.timestamp` on. Height climbed in a vehicle or on a
  /// bicycle does not count; floors counted before the activity was known stay.
  public mutating func note(_ activity: ActivityEstimate) {
    let isRide = !activity.activities.isDisjoint(with: [.automotive, .cycling])
    ride.note(isRide, from: activity.timestamp)
  }

  // MARK: - Counting

  private mutating func decideWhatIsKnown(at now: Timestamp) {
    while decided < changes.count {
      let end = changes[decided].end
      if usesSteps, (now - end).seconds < params.patience {
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

  /// Returns the part of a change that counts, metres.
  private mutating func metresOnFoot(_ index: Int) -> Scalar {
    let change = changes[index]
    guard !ride.covers(change.end) else { return 0 }
    guard usesSteps else { return change.metres }
    let walk = steps.walk(from: change.start, to: change.end)
    guard walk.steps > 0 else { return 0 }
    let close = climb(max(0, index - 1)...min(index + 1, changes.count - 1))
    guard abs(close.metres) <= params.highestSpeed * close.seconds else { return 0 }
    // Including the surrounding time, as far as steps are known: climbing, stairs and pressures
    // vary from second to second.
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

  /// Returns metres, seconds and steps over several changes.
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

/// The bearer's riding, now and before.
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

/// The temperature change of a barometer, with noise averaged out.
private struct Warmth: Equatable, Sendable {
  /// The averaging time in seconds; a chip's package takes longer to warm.
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

  /// Returns the change in kelvin since the last call.
  mutating func takeChange() -> Scalar {
    guard let value else { return 0 }
    defer { reported = value }
    return abs(value - reported)
  }
}
