// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

/// Counts steps from the acceleration alone, wherever on the body the device is carried.
///
/// The magnitude of the acceleration, which does not depend on orientation, is averaged over cells
/// of 40 ms and band-pass filtered. Five times a second, the recogniser searches the last four
/// seconds for a rhythm (`StepRhythm`), locates steps along it (`StepPath`), and accumulates the
/// evidence for walking (`StepEvidence`).
///
/// Steps are held back until there is enough evidence, and then reported from the first on;
/// otherwise they are dropped. A walk is confirmed about three seconds after its start. Later steps
/// are reported about half a second after they are taken.
public struct StepRecognizer: Equatable, Sendable {
  public struct Params: Equatable, Sendable {
    /// The minimum range in g of the filtered magnitude in a step. Default 0.04.
    public var minimalSwing = 0.04
    /// The evidence that confirms a walk. Default 2, about two seconds of clear walking.
    public var confirmation = 2.0
    /// The evidence that confirms a walk if the person walked within the last `bout` seconds and
    /// the peaks of the acceleration are sharper upwards than downwards, as the impacts of feet
    /// cause. Defaults 1.25 and 60. Such a person probably walks again: at home and at work, most
    /// walks consist of a few steps, shortly after one another (Orendurff et al., J. Rehabil. Res.
    /// Dev. 45, 2008, 1077-1090).
    public var confirmationInBout = 1.25
    public var bout = 60.0
    /// The evidence that confirms a walk if less than half of the movement repeats with each step,
    /// and the activity is unknown. Default 4.
    public var confirmationOfStrides = 4.0
    /// The evidence that confirms a walk in a vehicle. Default 5, because bumps are regular only
    /// for a short time, whereas steps stay regular for longer.
    public var confirmationOfRide = 5.0
    /// The evidence that confirms a walk on a bicycle. Default 12, because pedals are regular for
    /// as long as they turn. After the person gets off, the activity changes to walking before that
    /// much evidence has accumulated.
    public var confirmationOfCycling = 12.0
    /// The longest gap between samples, in seconds, over which the state is kept. Default 0.5.
    public var longestGap = 0.5

    public init() {}
  }

  /// The confidence of a missed step that was inserted between two detected steps.
  private static let hiddenConfidence = 0.5

  /// The smallest swing of the first steps of a walk, and of later steps, relative to the mean
  /// swing.
  private static let leastOfFirst = 0.21
  private static let leastOfSwing = 0.15
  /// The longest interval between the first two steps in seconds.
  private static let longestBeforeSecond = 1.6
  /// The smallest fraction of the power that must repeat with each step. Below this fraction, much
  /// of the movement is something else.
  private static let leastStepShare = 0.4

  public let params: Params
  /// True while the person walks or runs.
  public var isWalking: Bool { evidence.isWalking }
  /// The person's activities, as far as they are known. During a ride, a walk needs more evidence.
  /// The steps of such a walk are held back and not dropped, so that walking is recognised within
  /// seconds after the person gets off.
  public var activities = ActivitySet.unknown
  private var spacing: SampleSpacing
  private var grid = MagnitudeGrid()
  private var filter = StepFilter()
  private var window = StepWindow()
  private var block = StepWindow.Block(repeating: 0)
  private var blockCount = 0
  private var newestCell = Timestamp.zero
  private var newestBlock = Timestamp.zero
  private var evidence = StepEvidence()
  private var bridge = StepBridge()
  /// The times of the last detected step and of the last reported step.
  private var lastFound: Timestamp?
  private var lastReported: Timestamp?
  /// The steps that have not been read yet: first the `confirmed` confirmed steps, then the steps
  /// that wait for confirmation. There is room for more steps than a walk has when it is confirmed.
  private var steps = Latest<48, Step>(placeholder: .none)
  private var confirmed = 0

  @inline(__always)  // inlined, so that the stack holds no second copy of the value
  public init(_ params: Params = Params()) {
    self.params = params
    spacing = SampleSpacing(longestGap: params.longestGap)
  }

  /// Adds an acceleration in g, gravity included, in any axes and with either sign, at 12.5 Hz or
  /// more. Ignores samples that are not finite or not later than the last sample.
  public mutating func update(_ acceleration: Vector3, at time: Timestamp) {
    guard acceleration.isFinite else { return }
    let magnitude = acceleration.norm
    switch spacing.step(to: time) {
    case .isStale: return
    case .begins:
      interrupt()
      lastFound = nil
      lastReported = nil
      grid.begin(magnitude)
      filter.begin(Float(magnitude))
    case .follows(let interval):
      grid.add(magnitude, interval: interval)
      while let cell = grid.next() {
        let middle = cell.age + MagnitudeGrid.cell / 2
        take(Float(cell.mean), at: time - TimeSpan(seconds: middle + StepFilter.delay))
      }
    }
  }

  /// Returns the next confirmed step, oldest first; `nil` if there are no more. Read all steps
  /// after each update. There is room for 48 steps, more than a walk has when it is confirmed;
  /// beyond that, the oldest steps are lost.
  public mutating func next() -> Step? {
    guard confirmed > 0 else { return nil }
    confirmed -= 1
    return steps.next()
  }

  /// Interrupts the recognition because the samples end. The newest steps of a walk are reported
  /// immediately, and unconfirmed steps are dropped.
  public mutating func interrupt() {
    if evidence.isWalking {
      // The filter still holds the newest cells, so feed it until they come out.
      for _ in 0..<9 {
        take(filter.newestInput, at: newestCell + TimeSpan(seconds: MagnitudeGrid.cell))
      }
      judge(newestBlock, settling: 0.2)
    }
    window = StepWindow()
    blockCount = 0
    evidence.clear()
    bridge = StepBridge()
    forgetWaiting()
    lastFound = lastReported
  }

  /// Adds the mean of a cell. `time` is the centre of the cell minus the delay of the filter.
  private mutating func take(_ mean: Float, at time: Timestamp) {
    newestCell = time
    block[blockCount] = filter.add(mean)
    blockCount += 1
    guard blockCount == StepWindow.blockLength else { return }
    blockCount = 0
    window.append(block)
    newestBlock = time
    judge(time, settling: 0.5)
  }

  /// Finds the steps in the window that are at least `settling` periods old. The newest cell of the
  /// window is at `time`. Never inlined, because otherwise its stack memory would become part of
  /// the caller's.
  @inline(never)
  private mutating func judge(_ time: Timestamp, settling: Scalar) {
    let cell = MagnitudeGrid.cell
    let rhythm = StepRhythm(window.cells.span)
    guard rhythm.period > 0 else { return add(nil, nil) }
    var anchor = -1
    if let lastFound {
      let age = min(((time - lastFound).seconds / cell).rounded(), 1e4)
      anchor = StepWindow.length - 1 - Int(age)
    }
    var judged = window.cells
    if rhythm.isOfStrides { window.free(&judged, ofStridesOf: rhythm.period) }
    let cells = judged.span
    let found = StepPath(cells, rhythm: rhythm, anchor: anchor)
    let path = found.places.span.extracting(last: found.count)
    guard let shape = StepShape(cells, rhythm: rhythm, path: path) else { return add(nil, nil) }
    let value = StepEvidence.value(rhythm, shape)
    let wasWalking = evidence.isWalking
    add(value, rhythm)
    guard evidence.level > 0, value > StepEvidence.leastOfStep else { return }
    for step in 0..<path.count {
      let place = Int(path[step])
      guard place > anchor else { continue }
      let age = Scalar(StepWindow.length - 1 - place)
      guard age >= settling * rhythm.period else { continue }
      let wave = StepWindow.wave(cells, at: place, period: rhythm.period, limit: rhythm.limit)
      guard wave.prominence >= StepShape.leastProminence * shape.prominence else { continue }
      let full = StepWindow.wave(cells, at: place, period: rhythm.period, limit: .infinity)
      let least = max(params.minimalSwing, Self.leastOfSwing * bridge.steadySwing)
      guard Scalar(wave.swing) >= least else { continue }
      let step = Step(
        timestamp: time - TimeSpan(seconds: age * cell),
        confidence: StepEvidence.confidence(value), swing: Scalar(full.swing))
      if let lastFound {
        let interval = (step.timestamp - lastFound).seconds
        let edge = 0.25 * bridge.period
        let motion = StepWindow.range(
          cells, from: place - Int((min(interval, 10) - edge) / cell),
          to: place + 1 - Int(edge / cell))
        let hidden = bridge.add(
          interval: interval, swing: Scalar(wave.swing), motion: Scalar(motion))
        addHidden(hidden, after: lastFound, before: step)
      }
      lastFound = step.timestamp
      wait(step)
    }
    guard evidence.isWalking else { return }
    if !wasWalking { leaveOutStirrings() }
    guard confirmed < steps.count else { return }
    lastReported = steps.last?.timestamp
    confirmed = steps.count
  }

  private mutating func wait(_ step: Step) {
    // If there is no room for another step, drop the oldest step.
    if steps.count == 48 { confirmed = max(0, confirmed - 1) }
    steps.append(step)
  }

  private mutating func forgetWaiting() { steps.remove(steps.count - confirmed, at: confirmed) }

  /// Drops movement before the first step, such as picking up the device.
  private mutating func leaveOutStirrings() {
    var sum = 0.0
    for i in confirmed..<steps.count { sum += steps[i].swing }
    let mean = sum / Scalar(max(1, steps.count - confirmed))
    var first = confirmed
    while first + 1 < steps.count,
      steps[first].swing < Self.leastOfFirst * mean
        || (steps[first + 1].timestamp - steps[first].timestamp).seconds > Self.longestBeforeSecond
    { first += 1 }
    steps.remove(first - confirmed, at: confirmed)
  }

  private mutating func addHidden(_ count: Int, after last: Timestamp, before step: Step) {
    guard count > 0 else { return }
    let interval = (step.timestamp - last).seconds / Scalar(count + 1)
    for k in 1...count {
      wait(
        Step(
          timestamp: last + TimeSpan(seconds: Scalar(k) * interval),
          confidence: Self.hiddenConfidence, swing: step.swing))
    }
  }

  private mutating func add(_ value: Scalar?, _ rhythm: StepRhythm?) {
    var value = value
    var confirmation = params.confirmation
    if let rhythm, rhythm.skewness > 0, let lastReported,
      (newestBlock - lastReported).seconds < params.bout
    {
      confirmation = params.confirmationInBout
    }
    if activities.isDisjoint(with: [.walking, .running]) {
      if activities.contains(.cycling) {
        confirmation = params.confirmationOfCycling
        if let rhythm { value? -= StepEvidence.objectionOfCycling(rhythm) }
      } else if activities.contains(.automotive) {
        confirmation = params.confirmationOfRide
      } else if let rhythm, rhythm.stepShare < Self.leastStepShare {
        confirmation = params.confirmationOfStrides
      }
    }
    evidence.add(value, confirmation: confirmation)
    if evidence.level == 0 {
      forgetWaiting()
      lastFound = lastReported
    }
  }
}
