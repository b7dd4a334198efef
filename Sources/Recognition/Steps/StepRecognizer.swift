// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

/// Counts steps by the acceleration alone, wherever on the body the device is carried.
///
/// The magnitude of the acceleration, which does not depend on how the device lies, is averaged
/// over cells of 40 ms and freed of its slow part. Five times a second the last four seconds are
/// asked for a rhythm (`StepRhythm`), the steps are laid out along it (`StepPath`), and what speaks
/// for walking is summed up (`StepEvidence`). Steps are held back until the sum suffices, then told
/// from the first on; those that come to nothing are dropped. So a walk is known some three seconds
/// after it began, and its steps are told about half a second after each from then on.
public struct StepRecognizer: Equatable, Sendable {
  public struct Params: Equatable, Sendable {
    /// From the lowest to the highest of the filtered magnitude a step measures at least this, g.
    /// Default 0.04.
    public var minimalSwing = 0.04
    /// So much evidence makes a walk. Default 2: two seconds of plain walking.
    public var confirmation = 2.0
    /// The same of a bearer who walked within the last `bout` seconds, and so probably does again,
    /// where the acceleration is sharper upwards than down, as feet make it: at home and at work
    /// most walks are of a few steps, one soon after the other (Orendurff et al., J. Rehabil. Res.
    /// Dev. 45, 2008, 1077-1090). Defaults 1.25 and 60.
    public var confirmationInBout = 1.25
    public var bout = 60.0
    /// The same where less than half of the movement repeats with each step, and it is not known
    /// what the bearer does. Default 4.
    public var confirmationOfStrides = 4.0
    /// The same in a vehicle: bumps are regular for a while, feet for longer. Default 5.
    public var confirmationOfRide = 5.0
    /// The same on a bicycle, whose pedals are regular for as long as they turn. Default 12: who
    /// gets off is known to walk before.
    public var confirmationOfCycling = 12.0
    /// The longest time between two samples over which anything is remembered, s. Default 0.5.
    public var longestGap = 0.5

    public init() {}
  }

  /// Of a step that was not seen, but belongs between two that were.
  private static let hiddenConfidence = 0.5

  /// Of the mean swing: the first steps of a walk and the others have at least this.
  private static let leastOfFirst = 0.21
  private static let leastOfSwing = 0.15
  /// Seconds.
  private static let longestBeforeSecond = 1.6
  /// Of the power; of less, much is something else.
  private static let leastStepShare = 0.4

  public let params: Params
  /// True while a walk or a run is going on.
  public var isWalking: Bool { evidence.isWalking }
  /// The bearer's activities, as far as they are known: one who rides has to show more before it is
  /// a walk. Steps are held, not dropped: who gets off walks, which is clear within seconds.
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
  /// The last step that was found, and the last that was also told.
  private var lastFound: Timestamp?
  private var lastTold: Timestamp?
  /// The steps that are told and were not taken yet, `told` of them, and behind them those that
  /// wait: more than a walk brings at its confirmation.
  private var steps = Latest<48, Step>(placeholder: .none)
  private var told = 0

  @inline(__always)  // where it is held: made elsewhere it is on the stack twice
  public init(_ params: Params = Params()) {
    self.params = params
    spacing = SampleSpacing(longestGap: params.longestGap)
  }

  /// Takes an acceleration in g with gravity, in any axes and of either sign, at any rate from 12.5
  /// Hz. Samples that are not finite or not later than the last are left out.
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

  /// Returns the next settled step, oldest first; `nil` after the last. Take all after each update:
  /// there is room for 48, more than a walk brings at its confirmation; after that the oldest are
  /// lost.
  public mutating func next() -> Step? {
    guard told > 0 else { return nil }
    told -= 1
    return steps.next()
  }

  /// Interrupts recognition, since the samples cease: the newest steps of a walk are reported at
  /// once, those not known to be steps are dropped.
  public mutating func interrupt() {
    if evidence.isWalking {
      // The filter still holds the newest cells back.
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

  /// Takes the mean of the cell whose middle is at `time` less the delay of the filter.
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

  /// Finds the steps of the window, whose newest cell is at `time`, that are `settling` periods
  /// old. Never a part of its caller, whose memory on the stack it would hold for good.
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
    // There is no room: the oldest goes.
    if steps.count == 48 { told = max(0, told - 1) }
    steps.append(step)
  }

  private mutating func forgetWaiting() { steps.remove(steps.count - told, at: told) }

  /// Leaves out what stirred before the first step: a hand that takes the device up.
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
