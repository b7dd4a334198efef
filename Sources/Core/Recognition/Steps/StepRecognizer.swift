// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

/// Counts steps from the acceleration alone, wherever on the body the device is carried.
///
/// The magnitude of the acceleration, which does not depend on orientation, is averaged over cells
/// of 40 ms and high-pass filtered. Five times a second the recogniser searches the last four
/// seconds for a rhythm (`StepRhythm`), locates steps along it (`StepPath`), and accumulates the
/// evidence for walking (`StepEvidence`).
///
/// Steps are held back until the evidence is sufficient and are then reported from the first on;
/// otherwise the steps are dropped. A walk is confirmed about three seconds after its start, and
/// later steps are reported about half a second after each.
public struct StepRecognizer: Equatable, Sendable {
  public struct Params: Equatable, Sendable {
    /// The minimum range in g of the filtered magnitude in a step. Default 0.04.
    public var minimalSwing = 0.04
    /// The evidence that confirms a walk. Default 2, about two seconds of clear walking.
    public var confirmation = 2.0
    /// The evidence that confirms a walk of a person who walked within the last `bout` seconds, if
    /// the acceleration is sharper upwards than downwards, as from feet. Defaults 1.25 and 60. Such
    /// a person probably walks again: at home and at work most walks have a few steps, shortly
    /// after one another (Orendurff et al., J. Rehabil. Res. Dev. 45, 2008, 1077-1090).
    public var confirmationInBout = 1.25
    public var bout = 60.0
    /// The evidence that confirms a walk if less than half of the movement repeats with each step
    /// and the activity is unknown. Default 4.
    public var confirmationOfStrides = 4.0
    /// The evidence that confirms a walk in a vehicle. Default 5, because bumps are regular for a
    /// short time and steps for longer.
    public var confirmationOfRide = 5.0
    /// The evidence that confirms a walk on a bicycle, whose pedals are regular as long as they
    /// turn. Default 12. After getting off, the activity changes to walking before that much
    /// evidence has accumulated.
    public var confirmationOfCycling = 12.0
    /// The longest gap between samples, in seconds, after which the state is kept. Default 0.5.
    public var longestGap = 0.5

    public init() {}
  }

  /// The confidence of a step that was missed between two detected steps.
  private static let hiddenConfidence = 0.5

  /// The minimum swing of the first steps of a walk, and that of later steps, relative to the mean
  /// swing.
  private static let leastOfFirst = 0.21
  private static let leastOfSwing = 0.15
  /// The longest time between the first two steps in seconds.
  private static let longestBeforeSecond = 1.6
  /// The minimum fraction of the power that repeats with each step. Below this fraction, much of
  /// the movement is something else.
  private static let leastStepShare = 0.4

  public let params: Params
  /// True while the person walks or runs.
  public var isWalking: Bool { evidence.isWalking }
  /// The person's activities, as far as they are known. While the person rides, a walk needs more
  /// evidence. The steps of such a walk are held back, not dropped, so that after getting off
  /// walking is recognised within seconds.
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
  /// The time of the last detected step, and that of the last reported step.
  private var lastFound: Timestamp?
  private var lastTold: Timestamp?
  /// The steps that were not read yet: first the confirmed steps, `told` of them, then those that
  /// wait for confirmation. There is room for more steps than a walk has when it is confirmed.
  private var steps = Latest<48, Step>(placeholder: .none)
  private var told = 0

  @inline(__always)  // inlined into the owner's memory, so that the stack does not hold it twice
  public init(_ params: Params = Params()) {
    self.params = params
    spacing = SampleSpacing(longestGap: params.longestGap)
  }

  /// Adds an acceleration in g with gravity, in any axes and with either sign, at any rate from
  /// 12.5 Hz. Ignores samples that are not finite or not later than the last.
  public mutating func update(_ acceleration: Vector3, at time: Timestamp) {
    guard acceleration.isFinite else { return }
    let magnitude = acceleration.norm
    switch spacing.step(to: time) {
    case .isStale: return
    case .begins:
      interrupt()
      lastFound = nil
      lastTold = nil
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

  /// Returns the next confirmed step, oldest first; `nil` after the last. Read all steps after each
  /// update: there is room for 48, more than a walk has when it is confirmed, and beyond that the
  /// oldest steps are lost.
  public mutating func next() -> Step? {
    guard told > 0 else { return nil }
    told -= 1
    return steps.next()
  }

  /// Interrupts recognition because the samples end. The newest steps of a walk are reported
  /// immediately, and unconfirmed steps are dropped.
  public mutating func interrupt() {
    if evidence.isWalking {
      // The filter still holds the newest cells, so the filter is fed until these cells come out.
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
    lastFound = lastTold
  }

  /// Adds the mean of a cell. `time` is the cell's centre minus the filter's delay.
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

  /// Finds the steps in the window, whose newest cell is at `time`, that are at least `settling`
  /// periods old. Never inlined, because the stack memory of this function would then be part of
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
    guard told < steps.count else { return }
    lastTold = steps.last?.timestamp
    told = steps.count
  }

  private mutating func wait(_ step: Step) {
    // If there is no room for another step, the oldest step is dropped.
    if steps.count == 48 { told = max(0, told - 1) }
    steps.append(step)
  }

  private mutating func forgetWaiting() { steps.remove(steps.count - told, at: told) }

  /// Drops movement before the first step, such as picking the device up.
  private mutating func leaveOutStirrings() {
    var sum = 0.0
    for i in told..<steps.count { sum += steps[i].swing }
    let mean = sum / Scalar(max(1, steps.count - told))
    var first = told
    while first + 1 < steps.count,
      steps[first].swing < Self.leastOfFirst * mean
        || (steps[first + 1].timestamp - steps[first].timestamp).seconds > Self.longestBeforeSecond
    { first += 1 }
    steps.remove(first - told, at: told)
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
    if let rhythm, rhythm.skewness > 0, let lastTold,
      (newestBlock - lastTold).seconds < params.bout
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
      lastFound = lastTold
    }
  }
}
