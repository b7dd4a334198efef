// SPDX-License-Identifier: Apache-2.0
package import Fusion
package import Quantities

/// The action of a key.
package enum MonitorKey: Equatable, Sendable {
  case quit
  case freeze
  case nextFrame
  case resetYaw
  case help
  case widen
  case narrow
  case nextChips
  case redraw
  /// Any other key, which only closes the help.
  case other

  /// Creates the key for a byte from the terminal.
  package init(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "q"), UInt8(ascii: "Q"), 0x03: self = .quit
    case UInt8(ascii: " "): self = .freeze
    case UInt8(ascii: "f"): self = .nextFrame
    case UInt8(ascii: "r"): self = .resetYaw
    case UInt8(ascii: "h"), UInt8(ascii: "?"): self = .help
    case UInt8(ascii: "+"), UInt8(ascii: "="): self = .widen
    case UInt8(ascii: "-"): self = .narrow
    case UInt8(ascii: "c"): self = .nextChips
    case 0x0C: self = .redraw
    default: self = .other
    }
  }
}

/// A meter for the sample rate. It uses the samples' timestamps over complete windows, of 1 s by
/// default.
package struct RateMeter: Equatable, Sendable {
  private var start: Timestamp?
  private var last = Timestamp.zero
  private var count = 0
  private var rate: Double?

  private let window: TimeSpan

  package init(window: TimeSpan = .seconds(1)) { self.window = window }

  /// Adds the time of the next sample, or of the last of `new` samples. The measurement restarts if
  /// the time goes back.
  package mutating func add(_ time: Timestamp, count new: Int = 1) {
    defer { last = time }
    guard let start, time > last else {
      (start, count) = (time, 0)
      return
    }
    count += new
    guard time - start >= window else { return }
    rate = Double(count) / (time - start).seconds
    (self.start, count) = (time, 0)
  }

  /// Returns the rate in Hz; `nil` before the end of the first window, and if there has been no
  /// sample for three seconds.
  package func rate(at now: Timestamp) -> Double? { now - last < .seconds(3) ? rate : nil }

  /// Returns the time since the last sample in seconds; `nil` before the first sample.
  package func age(at now: Timestamp) -> Double? { start == nil ? nil : (now - last).seconds }
}

/// A model that collects samples, events and key presses, and makes scenes from them. All times
/// come from the caller.
package struct MonitorModel: Sendable {
  private var current: MonitorScene
  /// The scene that is shown while the display is frozen.
  private var held: MonitorScene?
  private var showsHelp = false
  private var meters: [RateMeter]
  /// The rates of chips whose samples are not published, derived from the numbers of samples read.
  private var counters: [RateMeter]
  /// The ages of motions in the last second, with the times when they were measured.
  private var ages: [(seen: Timestamp, age: Double)] = []
  private var begin: Timestamp?

  package init(_ scene: MonitorScene) {
    current = scene
    meters = Array(repeating: RateMeter(), count: scene.chips.count)
    // With a window of 4 s the error is at most 3 percent if a count arrives 0.1 s late.
    counters = Array(repeating: RateMeter(window: .seconds(4)), count: scene.chips.count)
  }

  /// The current scene; the caller sets some of its values.
  package var scene: MonitorScene {
    get { current }
    set { current = newValue }
  }

  package var isFrozen: Bool { held != nil }

  /// Adds a motion.
  package mutating func add(_ motion: MotionSample) {
    current.motion = motion
    current.history.add(motion)
  }

  /// Adds the time of a chip's sample.
  package mutating func addSample(ofChip chip: Int, at time: Timestamp) {
    guard meters.indices.contains(chip) else { return }
    meters[chip].add(time)
  }

  /// Adds those values of a sample that no motion contains.
  package mutating func addReadings(_ sample: Sample) {
    for channel in Channel.allCases
    where !channel.isVector && !channel.row.isInMotion && sample.channels.contains(channel) {
      current.readings[channel] = sample.scalars[channel]
    }
  }

  /// Adds the number of samples that were read from a chip. The rate is derived from this number if
  /// the chip's samples are not published.
  package mutating func addSamples(_ count: Int, ofChip chip: Int, at time: Timestamp) {
    guard counters.indices.contains(chip) else { return }
    counters[chip].add(time, count: count)
  }

  /// Adds an event.
  package mutating func add(_ event: MonitorScene.Event) {
    if current.events.count == Self.eventCapacity { current.events.removeFirst() }
    current.events.append(event)
  }
  private static let eventCapacity = 64

  /// Performs the action of a key on the display. Keys that affect the source have no effect here.
  package mutating func press(_ key: MonitorKey) {
    // While the help is open, any key closes it.
    if showsHelp {
      showsHelp = false
      return
    }
    switch key {
    case .help: showsHelp = true
    case .freeze: held = held == nil ? current : nil
    case .widen:
      current.range.widen()
      held?.range.widen()
    case .narrow:
      current.range.narrow()
      held?.range.narrow()
    case .nextChips:
      current.chipPage += 1
      held?.chipPage += 1
    case .quit, .nextFrame, .resetYaw, .redraw, .other: break
    }
  }

  /// Returns the scene at the time `now` on the samples' clock.
  package mutating func scene(at now: Timestamp) -> MonitorScene {
    let begin = begin ?? now
    self.begin = begin
    for index in current.chips.indices {
      current.chips[index].measuredRate =
        meters[index].rate(at: now) ?? counters[index].rate(at: now)
      guard current.chips[index].state == .delivering else { continue }
      let limit = max(1, 5 / (current.chips[index].configuredRate ?? 5))
      let ages = [meters[index].age(at: now), counters[index].age(at: now)].compactMap(\.self)
      if let age = ages.min(), age > limit {
        current.chips[index].state = .silent(seconds: age)
      }
    }
    measureAge(now, begin)
    guard var held else { return shown(current) }
    held.cost = current.cost
    held.isFrozen = true
    return shown(held)
  }

  private mutating func measureAge(_ now: Timestamp, _ begin: Timestamp) {
    ages.removeAll { now - $0.seen > .seconds(1) }
    let age = current.motion.map { (now - $0.timestamp).seconds }
    if let age { ages.append((now, max(age, 0))) }
    let all = ages.map(\.age)
    if let least = all.min(), let most = all.max() { current.age = least...most }
    let silence = age ?? (now - begin).seconds
    current.silence = silence > 2 ? silence : nil
  }

  private func shown(_ scene: MonitorScene) -> MonitorScene {
    var scene = scene
    scene.showsHelp = showsHelp
    return scene
  }
}
