// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

/// Counts the floors that the bearer of a barometer climbs and descends on foot.
///
/// Where steps are known, height counts while they are taken, and only so much of it as steps can
/// climb: a lift, an escalator stood on or weather at night count nothing. Pressure alone is judged
/// by height, whatever carried the device. Either way neither the pulse of a slammed door, nor
/// pressure that steps to another value, nor what changes as slowly as weather does is a climb.
/// docs/movement.md has the limits.
public struct FloorRecognizer: Equatable, Sendable {
  public struct Params: Equatable, Sendable {
    /// Metres that make a floor. Default 3: what Apple takes for one, about 10 feet.
    public var floorHeight = 3.0
    /// Metres of the first floor of a climb; of those after it as much must be climbed before they
    /// are told. Default 2.5: storeys of houses begin there. The floors of a high climb are told at
    /// 2.5, 5, 8, 11 ... m.
    public var firstFloor = 2.5
    /// The speed at which height may seem to change by itself, m/s. Default 0.005: 2.2 hPa in an
    /// hour, twice what weather does short of a storm. Part of a floor is forgotten as fast.
    public var weather = 0.005
    /// The change of a barometer's pressure with its own temperature, kPa/K. Default 0.0015: the
    /// temperature coefficient of offset in the data sheet of the BMP280 (BST-BMP280-DS001, table
    /// 2).
    public var temperatureCoefficient = 0.0015
    /// Metres that a step can climb, averaged over seven seconds. Default 0.5: two stairs of 0.19 m
    /// at once, or one on an escalator that runs itself, and every fifth step missed.
    public var highestStep = 0.5
    /// The fastest climb on foot, m/s, averaged over three seconds. Default 1.2: about what sprints
    /// up stairs reach.
    public var highestSpeed = 1.2
    /// Longer than this between two steps is a pause, seconds. Default 4: 0.8 steps a second, and
    /// two of them missed.
    public var longestStep = 4.0
    /// The time within which steps may be reported after they were taken, seconds. Default 10.
    public var patience = 10.0
    /// The acceleration up to which conveyances of people begin and end to move, m/s^2. Default
    /// 1.5: the most that lifts are built for (CIBSE Guide D).
    public var largestAcceleration = 1.5
    /// Less than this is no jump of pressure in any time, metres. Default 1.5.
    public var smallestJump = 1.5
    /// After so long without pressure it is not known how the height changed, seconds. Default 20.
    public var longestGap = 20.0

    public init() {}
  }

  public let params: Params
  /// True where height must be climbed by steps to count.
  public let usesSteps: Bool

  /// Floors climbed since the recogniser was made; never less than before.
  public var ascended: Int { counter.ascended }
  /// Floors descended since the recogniser was made; never less than before.
  public var descended: Int { counter.descended }

  /// Metres above the first reading of the pressure, in the standard atmosphere, of the newest:
  /// each is of about a second. `nil` before the first.
  public private(set) var relativeAltitude: Scalar?

  private var smoother = PressureSmoother()
  /// The altitude of the first reading, metres.
  private var start: Scalar?
  private var spacing: SampleSpacing
  private var track: HeightTrack
  private var steps: StepTimes
  private var counter: FloorCounter
  private var warmth: Warmth
  /// Changes of height that were not counted yet, and those before them.
  private var changes = Latest<24, HeightChange>(
    placeholder: HeightChange(start: .zero, end: .zero, metres: 0))
  /// The number of `changes` that are decided.
  private var decided = 0
  private var ride = Ride()

  /// Creates a recogniser that either is given steps and counts by them, or judges by height alone.
  @inline(__always)  // where it is held: made elsewhere it is on the stack twice
  public init(usesSteps: Bool, _ params: Params = Params()) {
    self.params = params
    self.usesSteps = usesSteps
    spacing = SampleSpacing(longestGap: params.longestGap)
    track = HeightTrack(params)
    steps = StepTimes(longestStep: params.longestStep)
    counter = FloorCounter(params)
    warmth = Warmth()
  }

  /// Takes a pressure in kPa at any rate, and the barometer's own temperature in degrees Celsius
  /// where it is known. What is no pressure, or not later than the last, is left out.
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

  /// Takes a step; steps in the order of their times, told up to `Params.patience` after they were
  /// taken.
  public mutating func add(_ step: Step) {
    steps.add(step.timestamp)
  }

  /// Takes what the bearer does from `activity.timestamp` on. What a car or a bicycle climbs is not
  /// climbed on foot; what was counted before it was known stays.
  public mutating func note(_ activity: ActivityEstimate) {
    let isRide = !activity.activities.isDisjoint(with: [.automotive, .cycling])
    ride.note(isRide, from: activity.timestamp)
  }

  // MARK: - Deciding

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
    // Around it, as far as steps are known: what a second climbs is uneven, as are stairs and
    // pressures.
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

  /// Returns metres, seconds and steps of several changes.
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

/// The warming or cooling of a barometer, noise averaged out.
private struct Warmth: Equatable, Sendable {
  /// Seconds: noise is averaged over; a chip's package takes longer to warm.
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

  /// Returns the kelvin since this was last asked, up or down.
  mutating func takeChange() -> Scalar {
    guard let value else { return 0 }
    defer { reported = value }
    return abs(value - reported)
  }
}
