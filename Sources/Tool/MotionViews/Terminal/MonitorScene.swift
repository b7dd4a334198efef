// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Fusion
public import Quantities

/// The contents of `otolith monitor` at one time.
public struct MonitorScene: Sendable {
  /// The kind of source of the values.
  public enum Origin: String, CaseIterable, Sendable {
    /// Chips on a bus.
    case live
    /// Models that replace chips, at least some.
    case simulated
    case recording
    /// Recorded bus transfers.
    case trace
  }

  /// The position in a recording that is repeated, and its length, in seconds.
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
      /// It is reported as delivering, but no sample has arrived for this time.
      case silent(seconds: Double)
      /// A sentence for people: the problem, and the first thing to check.
      case failed(String)
    }
    /// The name in the board file.
    public var name: String
    /// The kind, such as `invensense,mpu6050`.
    public var kind: String
    /// The samples per second according to their time stamps; `nil` without samples.
    public var measuredRate: Double?
    /// The configured samples per second; `nil` if unknown.
    public var configuredRate: Double?
    public var lost: UInt64 = 0
    public var late: UInt64 = 0
    public var busErrors: UInt64 = 0
    public var restarts: UInt64 = 0
    public var state = State.starting
    /// Remarks that apply while it delivers samples.
    public var notes: [String] = []
    /// True if fusion detects a fault in its samples.
    public var isFaulty = false

    public init(name: String, kind: String, configuredRate: Double? = nil) {
      self.name = name
      self.kind = kind
      self.configuredRate = configuredRate
    }
  }

  /// A fault that fusion can detect in a sensor's samples.
  public struct SensorFault: Equatable, Sendable {
    /// The name, such as `gyroscopeHung`.
    public var name: String
    /// The sensor, such as `gyroscope`.
    public var sensor: String
    /// The name of the chip whose samples fusion uses.
    public var chip: String
    /// True if it lasted for half a second, and ended less than ten seconds ago.
    public var isPresent: Bool
    /// The total duration in seconds, and the number of times it began.
    public var seconds: Double
    public var count: UInt64
    /// A sentence for people: the problem, and the remedy.
    public var text: String

    public init(
      name: String, sensor: String, chip: String, isPresent: Bool, seconds: Double, count: UInt64,
      text: String
    ) {
      (self.name, self.sensor, self.chip, self.text) = (name, sensor, chip, text)
      (self.isPresent, self.seconds, self.count) = (isPresent, seconds, count)
    }
  }

  /// Fusion's estimate of the sensors' errors.
  public struct Calibration: Equatable, Sendable {
    /// The standard deviation of the gyroscope's bias in its most uncertain axis, in rad/s.
    public var gyroBiasSigma: Double
    /// The relative amount by which the gyroscope's axes measure too little; `nil` if unknown.
    public var gyroScale: Vector3?
    /// Its standard deviation in the most uncertain axis.
    public var gyroScaleSigma: Double
    /// The delay from a motion to the time stamp of the field that shows it, in seconds; `nil` if
    /// unknown.
    public var magneticDelay: Double?
    /// Its standard deviation.
    public var magneticDelaySigma: Double
    public var magnetic: MagneticCalibration.Level
    /// The fraction of directions from which the field was measured recently, 0 ... 1.
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

  /// Steps and activity since the monitor started.
  public struct Movement: Equatable, Sendable {
    public var steps: Int
    /// Steps per second; `nil` while there are no steps.
    public var cadence: Double?
    /// The current activities; empty if the device moves without a recognised activity.
    public var activities: [Activity]
    /// The floors climbed and descended; `nil` if they are not counted.
    public var floors: Floors?

    public enum Activity: String, CaseIterable, Sendable {
      case automotive, cycling, running, walking, stationary, unknown
    }

    /// A text such as `automotive, stationary`.
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

  /// An event for the list.
  public struct Event: Equatable, Sendable {
    /// The subject of an event.
    public enum Kind: String, CaseIterable, Sendable {
      /// A chip starts or stops delivering samples.
      case chip
      /// A remark about a chip or the source.
      case note
      /// A chip's own detection.
      case detection
      case activity
    }
    public var date: Date
    public var kind: Kind
    public var text: String
    public var ink: TextStyle
    /// The local time of day, `HH:MM:SS`.
    public let time: String

    public init(_ kind: Kind, _ text: String, ink: TextStyle = .plain, at date: Date = Date()) {
      (self.kind, self.text, self.ink, self.date) = (kind, text, ink, date)
      let parts = Calendar.current.dateComponents([.hour, .minute, .second], from: date)
      time = String(
        format: "%02d:%02d:%02d", parts.hour ?? 0, parts.minute ?? 0, parts.second ?? 0)
    }
  }

  /// The cost of drawing.
  public struct Cost: Equatable, Sendable {
    /// The frames sent in the last second.
    public var frames = 0.0
    /// Bytes per second.
    public var bytes = 0.0
    /// The processor use, as a fraction of one processor: of the drawing thread, and of the whole
    /// program.
    public var drawing = 0.0
    public var program = 0.0
    /// The frames dropped since the start because the terminal had not read the last one.
    public var dropped = 0

    public init() {}
  }

  /// The board's name, and the reason for choosing it.
  public var board: String
  public var reason: String
  public var origin = Origin.live
  /// `nil` unless a recording is played.
  public var playback: Playback?
  /// The sampled channels.
  public var channels: ChannelSet
  /// The name of the reference frame, and whether its x points north.
  public var frame: String
  public var isNorth: Bool
  /// `nil` before the first motion.
  public var motion: MotionSample?
  /// The rotation from device to reference coordinates; `nil` if unknown.
  public var attitude: Quaternion?
  /// The lowest and highest age of the newest motion during the last second, in seconds.
  public var age: ClosedRange<Double>?
  /// The seconds without motion, if long enough to report.
  public var silence: Double?
  public var chips: [Chip]
  /// All faults that fusion can detect in the samples of the board's sensors.
  public var faults: [SensorFault] = []
  /// The time in which only the accelerometer updated the attitude, in seconds.
  public var coastingSeconds = 0.0
  public var calibration: Calibration?
  public var movement: Movement?
  /// The altitude in metres relative to the first pressure reading; `nil` if unknown.
  public var relativeAltitude: Double?
  /// The newest scalar values that motions do not contain, in their channels' units.
  public var readings: [Channel: Double] = [:]
  /// The events, newest last.
  public var events: [Event] = []
  public var history = MotionHistory()
  public var cost = Cost()
  public var range = GraphRange()
  public var isFrozen = false
  public var showsHelp = false
  /// The page of chips shown if not all fit; it increases without limit.
  public var chipPage = 0

  /// True while only the accelerometer updates the attitude, because the gyroscope is silent or
  /// unreliable.
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

/// The range of the bars and graphs of acceleration and rotation, in steps selected with `+` and
/// `-`.
public struct GraphRange: Equatable, Sendable {
  private var step = 3

  /// The full scale of user acceleration in g, and of rotation rate in rad/s.
  private static let steps: [(acceleration: Double, rotation: Double)] = [
    (0.1, 0.2), (0.25, 0.5), (0.5, 1), (1, 2), (2, 5), (4, 10), (8, 20), (16, 40),
  ]

  public init() {}

  /// The full scale of acceleration in g.
  public var acceleration: Double { Self.steps[step].acceleration }
  /// The full scale of rotation rate in rad/s.
  public var rotation: Double { Self.steps[step].rotation }

  public mutating func widen() { step = min(step + 1, Self.steps.count - 1) }
  public mutating func narrow() { step = max(step - 1, 0) }
}

/// The last seconds of motion, in slices of a tenth of a second.
public struct MotionHistory: Sendable {
  public struct Slice: Equatable, Sendable {
    /// The newest values in the slice, in g and rad/s.
    public var acceleration: Vector3
    public var rotation: Vector3
    /// The largest magnitudes in the slice.
    public var greatestAcceleration: Double
    public var greatestRotation: Double
  }
  /// The slices, newest last.
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
