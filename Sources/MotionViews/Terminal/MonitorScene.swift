// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Fusion
public import Quantities

/// All that `otolith monitor` shows at one moment.
public struct MonitorScene: Sendable {
  /// The kind of source behind the values.
  public enum Origin: String, CaseIterable, Sendable {
    /// Chips on a bus.
    case live
    /// Models in the place of chips, of some of them at least.
    case simulated
    case recording
    /// Transfers of a bus that were written down.
    case trace
  }

  /// The place in a recording that is played again and again, and its length: seconds.
  public struct Playback: Equatable, Sendable {
    public var position: Double
    public var length: Double

    public init(position: Double, length: Double) {
      (self.position, self.length) = (position, length)
    }
  }

  /// The state and the rates of one chip.
  public struct Chip: Equatable, Sendable {
    public enum State: Equatable, Sendable {
      case starting
      case delivering
      /// It says that it delivers, and nothing has come for so many seconds.
      case silent(seconds: Double)
      /// A sentence for people: what is wrong, and what to look at first.
      case failed(String)
    }
    /// Its name in the board file.
    public var name: String
    /// Such as `invensense,mpu6050`.
    public var kind: String
    /// Samples a second, by the samples' own times; `nil` while none came.
    public var measuredRate: Double?
    /// Samples a second that it is configured for; `nil` where it is not known.
    public var configuredRate: Double?
    public var lost: UInt64 = 0
    public var late: UInt64 = 0
    public var busErrors: UInt64 = 0
    public var restarts: UInt64 = 0
    public var state = State.starting
    /// Remarks about it that hold while it gives samples.
    public var notes: [String] = []
    /// True where fusion finds its samples faulty.
    public var isFaulty = false

    public init(name: String, kind: String, configuredRate: Double? = nil) {
      self.name = name
      self.kind = kind
      self.configuredRate = configuredRate
    }
  }

  /// A fault that fusion looks for in the samples of a sensor.
  public struct SensorFault: Equatable, Sendable {
    /// Such as `gyroscopeHung`.
    public var name: String
    /// Such as `gyroscope`.
    public var sensor: String
    /// The name of the chip that fusion takes the samples from.
    public var chip: String
    /// True where it has lasted for half a second, and ended less than ten seconds ago.
    public var isPresent: Bool
    /// The time for which it has lasted, s, and the number of times that it began.
    public var seconds: Double
    public var count: UInt64
    /// A sentence for people: what is wrong, and what to do.
    public var text: String

    public init(
      name: String, sensor: String, chip: String, isPresent: Bool, seconds: Double, count: UInt64,
      text: String
    ) {
      (self.name, self.sensor, self.chip, self.text) = (name, sensor, chip, text)
      (self.isPresent, self.seconds, self.count) = (isPresent, seconds, count)
    }
  }

  /// The state of fusion's knowledge of the sensors' errors.
  public struct Calibration: Equatable, Sendable {
    /// rad/s: one standard deviation of the gyroscope's bias, in its least known axis.
    public var gyroBiasSigma: Double
    /// The part by which the gyroscope's axes turn too little, of one; `nil`: not known.
    public var gyroScale: Vector3?
    /// One standard deviation of that, in its least known axis.
    public var gyroScaleSigma: Double
    /// s: from a motion to the time stamp of the field that shows it; `nil`: not known.
    public var magneticDelay: Double?
    /// One standard deviation of that.
    public var magneticDelaySigma: Double
    public var magnetic: MagneticCalibration.Level
    /// Share of the directions from which the field was seen lately, 0 ... 1.
    public var coverage: Double

    public init(
      gyroBiasSigma: Double, gyroScale: Vector3? = nil, gyroScaleSigma: Double = 0,
      magneticDelay: Double? = nil, magneticDelaySigma: Double = 0,
      magnetic: MagneticCalibration.Level,
      coverage: Double
    ) {
      self.gyroBiasSigma = gyroBiasSigma
      self.gyroScale = gyroScale
      self.gyroScaleSigma = gyroScaleSigma
      self.magneticDelay = magneticDelay
      self.magneticDelaySigma = magneticDelaySigma
      self.magnetic = magnetic
      self.coverage = coverage
    }
  }

  /// Steps and activity since the monitor began.
  public struct Movement: Equatable, Sendable {
    public var steps: Int
    /// Steps a second; `nil` while there are none.
    public var cadence: Double?
    /// The device moves, and the motion is not recognised.
    public var activities: [Activity]
    /// Climbed and descended; `nil` where nothing counts them.
    public var floors: Floors?

    public enum Activity: String, CaseIterable, Sendable {
      case automotive, cycling, running, walking, stationary, unknown
    }

    /// Such as `automotive, stationary`.
    public var activity: String {
      activities.isEmpty ? "moving" : activities.map(\.rawValue).joined(separator: ", ")
    }

    public struct Floors: Equatable, Sendable {
      public var ascended: Int
      public var descended: Int

      public init(ascended: Int, descended: Int) {
        self.ascended = ascended
        self.descended = descended
      }
    }

    public init(steps: Int, cadence: Double?, activities: [Activity], floors: Floors?) {
      self.steps = steps
      self.cadence = cadence
      self.activities = activities
      self.floors = floors
    }
  }

  /// Something that happened.
  public struct Event: Equatable, Sendable {
    /// The subject of an event.
    public enum Kind: String, CaseIterable, Sendable {
      /// A chip that gives samples, or fails to.
      case chip
      /// A remark about a chip or the source.
      case note
      /// Something that a chip detected by itself.
      case detection
      case activity
    }
    public var date: Date
    public var kind: Kind
    public var text: String
    public var ink: Ink
    /// The time of day of the local zone, `HH:MM:SS`.
    public let time: String

    public init(_ kind: Kind, _ text: String, ink: Ink = .plain, at date: Date = Date()) {
      (self.kind, self.text, self.ink, self.date) = (kind, text, ink, date)
      let parts = Calendar.current.dateComponents([.hour, .minute, .second], from: date)
      time = String(
        format: "%02d:%02d:%02d", parts.hour ?? 0, parts.minute ?? 0, parts.second ?? 0)
    }
  }

  /// The cost of drawing.
  public struct Cost: Equatable, Sendable {
    /// Frames that were sent in the last second.
    public var frames = 0.0
    /// Bytes a second.
    public var bytes = 0.0
    /// Shares of one processor: of the thread that draws, and of the whole program.
    public var drawing = 0.0
    public var program = 0.0
    /// Frames that were left out since the beginning, as the terminal had not taken the last one.
    public var dropped = 0

    public init() {}
  }

  /// The board's name, and why it was chosen.
  public var board: String
  public var reason: String
  public var origin = Origin.live
  /// `nil` where nothing is played.
  public var playback: Playback?
  /// The channels that it samples.
  public var channels: ChannelSet
  /// The name of the reference frame, and whether its x points north.
  public var frame: String
  public var isNorth: Bool
  /// `nil` before the first.
  public var motion: MotionSample?
  /// Device to reference; `nil` where it is not known.
  public var attitude: Quaternion?
  /// Seconds since the newest motion was taken, the least and the most of the last second.
  public var age: ClosedRange<Double>?
  /// Seconds without motion, where that is worth a word.
  public var silence: Double?
  public var chips: [Chip]
  /// Every fault that fusion looks for in the samples of the board's sensors.
  public var faults: [SensorFault] = []
  /// The time for which the accelerometer alone has carried the attitude on, s.
  public var coastingSeconds = 0.0
  public var calibration: Calibration?
  public var movement: Movement?
  /// Metres above the first reading of the pressure; `nil` where it is not known.
  public var relativeAltitude: Double?
  /// The newest of what a motion does not say: single numbers, in their channels' units.
  public var readings: [Channel: Double] = [:]
  /// Newest last.
  public var events: [Event] = []
  public var history = MotionHistory()
  public var cost = Cost()
  public var range = GraphRange()
  public var isFrozen = false
  public var showsHelp = false
  /// The chips that are shown where not all have room: the page, counted on for ever.
  public var chipPage = 0

  /// True while the accelerometer alone carries the attitude on: the gyroscope is silent, or not to
  /// be trusted.
  public var isCoasting: Bool {
    guard let motion, channels.contains(.rotationRate) else { return false }
    return motion.contents.contains(.attitude) && !motion.contents.contains(.rotationRate)
  }

  public init(
    board: String, reason: String, channels: ChannelSet, frame: String, isNorth: Bool,
    chips: [Chip]
  ) {
    self.board = board
    self.reason = reason
    self.channels = channels
    self.frame = frame
    self.isNorth = isNorth
    self.chips = chips
  }
}

/// The range of the bars and graphs of acceleration and rotation: steps that `+` and `-` go
/// through.
public struct GraphRange: Equatable, Sendable {
  private var step = 3

  /// Full scale of user acceleration in g, and of rotation rate in rad/s.
  private static let steps: [(acceleration: Double, rotation: Double)] = [
    (0.1, 0.2), (0.25, 0.5), (0.5, 1), (1, 2), (2, 5), (4, 10), (8, 20), (16, 40),
  ]

  public init() {}

  /// g.
  public var acceleration: Double { Self.steps[step].acceleration }
  /// rad/s.
  public var rotation: Double { Self.steps[step].rotation }

  public mutating func widen() { step = min(step + 1, Self.steps.count - 1) }
  public mutating func narrow() { step = max(step - 1, 0) }
}

/// The last seconds of motion, a tenth of a second each.
public struct MotionHistory: Sendable {
  public struct Slice: Equatable, Sendable {
    /// The newest of the slice: g and rad/s.
    public var acceleration: Vector3
    public var rotation: Vector3
    /// The greatest lengths in it.
    public var greatestAcceleration: Double
    public var greatestRotation: Double
  }
  /// Newest last.
  public private(set) var slices: [Slice] = []
  private var index: Int64?

  static let interval = TimeSpan.milliseconds(100)
  private static let capacity = 400

  public init() {}

  public mutating func add(_ motion: MotionSample) {
    let (acceleration, rotation) = (motion.userAcceleration, motion.rotationRate)
    let index = motion.timestamp.nanoseconds / Self.interval.nanoseconds
    let new = Slice(
      acceleration: acceleration, rotation: rotation, greatestAcceleration: acceleration.norm,
      greatestRotation: rotation.norm)
    defer { self.index = index }
    guard index == self.index, let last = slices.last else {
      if slices.count == Self.capacity { slices.removeFirst(Self.capacity / 4) }
      slices.append(new)
      return
    }
    slices[slices.count - 1] = Slice(
      acceleration: acceleration, rotation: rotation,
      greatestAcceleration: max(last.greatestAcceleration, new.greatestAcceleration),
      greatestRotation: max(last.greatestRotation, new.greatestRotation))
  }
}
