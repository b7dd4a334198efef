// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import Fusion
package import Quantities

/// The contents of `otolith monitor` at one time.
package struct MonitorScene: Sendable {
  /// The kind of source of the values.
  package enum Origin: String, CaseIterable, Sendable {
    /// Chips on a bus.
    case live
    /// Models that replace chips, at least some.
    case simulated
    case recording
    /// Recorded bus transfers.
    case trace
  }

  /// The position in a recording that is repeated, and its length, in seconds.
  package struct Playback: Equatable, Sendable {
    package var position: Double
    package var length: Double

    package init(position: Double, length: Double) {
      (self.position, self.length) = (position, length)
    }
  }

  /// The state and the rates of one chip.
  package struct Chip: Equatable, Sendable {
    package enum State: Equatable, Sendable {
      case starting
      case delivering
      /// It is reported as delivering, but no sample has arrived for this time.
      case silent(seconds: Double)
      /// A sentence for people: the problem, and the first thing to check.
      case failed(String)
    }
    /// The name in the board file.
    package var name: String
    /// The kind, such as `invensense,mpu6050`.
    package var kind: String
    /// The samples per second according to their time stamps; `nil` without samples.
    package var measuredRate: Double?
    /// The configured samples per second; `nil` if unknown.
    package var configuredRate: Double?
    package var lost: UInt64 = 0
    package var late: UInt64 = 0
    package var busErrors: UInt64 = 0
    package var restarts: UInt64 = 0
    package var state = State.starting
    /// Remarks that apply while it delivers samples.
    package var notes: [String] = []
    /// True if fusion detects a fault in its samples.
    package var isFaulty = false

    package init(name: String, kind: String, configuredRate: Double? = nil) {
      self.name = name
      self.kind = kind
      self.configuredRate = configuredRate
    }
  }

  /// A fault that fusion can detect in a sensor's samples.
  package struct SensorFault: Equatable, Sendable {
    /// The name, such as `gyroscopeHung`.
    package var name: String
    /// The sensor, such as `gyroscope`.
    package var sensor: String
    /// The name of the chip whose samples fusion uses.
    package var chip: String
    /// True if it lasted for half a second, and ended less than ten seconds ago.
    package var isPresent: Bool
    /// The total duration in seconds, and the number of times it began.
    package var seconds: Double
    package var count: UInt64
    /// A sentence for people: the problem, and the remedy.
    package var text: String

    package init(
      name: String, sensor: String, chip: String, isPresent: Bool, seconds: Double, count: UInt64,
      text: String
    ) {
      (self.name, self.sensor, self.chip, self.text) = (name, sensor, chip, text)
      (self.isPresent, self.seconds, self.count) = (isPresent, seconds, count)
    }
  }

  /// Fusion's estimate of the sensors' errors.
  package struct Calibration: Equatable, Sendable {
    /// The standard deviation of the gyroscope's bias in its most uncertain axis, in rad/s.
    package var gyroBiasSigma: Double
    /// The relative amount by which the gyroscope's axes measure too little; `nil` if unknown.
    package var gyroScale: Vector3?
    /// Its standard deviation in the most uncertain axis.
    package var gyroScaleSigma: Double
    /// The delay from a motion to the time stamp of the field that shows it, in seconds; `nil` if
    /// unknown.
    package var magneticDelay: Double?
    /// Its standard deviation.
    package var magneticDelaySigma: Double
    package var magnetic: MagneticCalibration.Level
    /// The fraction of directions from which the field was measured recently, 0 ... 1.
    package var coverage: Double

    package init(
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
  package struct Movement: Equatable, Sendable {
    package var steps: Int
    /// Steps per second; `nil` while there are no steps.
    package var cadence: Double?
    /// The current activities; empty if the device moves without a recognised activity.
    package var activities: [Activity]
    /// The floors climbed and descended; `nil` if they are not counted.
    package var floors: Floors?

    package enum Activity: String, CaseIterable, Sendable {
      case automotive, cycling, running, walking, stationary, unknown
    }

    /// A text such as `automotive, stationary`.
    package var activity: String {
      activities.isEmpty ? "moving" : activities.map(\.rawValue).joined(separator: ", ")
    }

    package struct Floors: Equatable, Sendable {
      package var ascended: Int
      package var descended: Int

      package init(ascended: Int, descended: Int) {
        self.ascended = ascended
        self.descended = descended
      }
    }

    package init(steps: Int, cadence: Double?, activities: [Activity], floors: Floors?) {
      self.steps = steps
      self.cadence = cadence
      self.activities = activities
      self.floors = floors
    }
  }

  /// An event for the list.
  package struct Event: Equatable, Sendable {
    /// The subject of an event.
    package enum Kind: String, CaseIterable, Sendable {
      /// A chip starts or stops delivering samples.
      case chip
      /// A remark about a chip or the source.
      case note
      /// A chip's own detection.
      case detection
      case activity
    }
    package var date: Date
    package var kind: Kind
    package var text: String
    package var ink: TextStyle
    /// The local time of day, `HH:MM:SS`.
    package let time: String

    package init(_ kind: Kind, _ text: String, ink: TextStyle = .plain, at date: Date = Date()) {
      (self.kind, self.text, self.ink, self.date) = (kind, text, ink, date)
      let parts = Calendar.current.dateComponents([.hour, .minute, .second], from: date)
      time = String(
        format: "%02d:%02d:%02d", parts.hour ?? 0, parts.minute ?? 0, parts.second ?? 0)
    }
  }

  /// The cost of drawing.
  package struct Cost: Equatable, Sendable {
    /// The frames sent in the last second.
    package var frames = 0.0
    /// Bytes per second.
    package var bytes = 0.0
    /// The processor use, as a fraction of one processor: of the drawing thread, and of the whole
    /// program.
    package var drawing = 0.0
    package var program = 0.0
    /// The frames dropped since the start because the terminal had not read the last one.
    package var dropped = 0

    package init() {}
  }

  /// The board's name, and the reason for choosing it.
  package var board: String
  package var reason: String
  package var origin = Origin.live
  /// `nil` unless a recording is played.
  package var playback: Playback?
  /// The sampled channels.
  package var channels: ChannelSet
  /// The name of the reference frame, and whether its x points north.
  package var frame: String
  package var isNorth: Bool
  /// `nil` before the first motion.
  package var motion: MotionSample?
  /// The rotation from device to reference coordinates; `nil` if unknown.
  package var attitude: Quaternion?
  /// The lowest and highest age of the newest motion during the last second, in seconds.
  package var age: ClosedRange<Double>?
  /// The seconds without motion, if long enough to report.
  package var silence: Double?
  package var chips: [Chip]
  /// All faults that fusion can detect in the samples of the board's sensors.
  package var faults: [SensorFault] = []
  /// The time in which only the accelerometer updated the attitude, in seconds.
  package var coastingSeconds = 0.0
  package var calibration: Calibration?
  package var movement: Movement?
  /// The altitude in metres relative to the first pressure reading; `nil` if unknown.
  package var relativeAltitude: Double?
  /// The newest scalar values that motions do not contain, in their channels' units.
  package var readings: [Channel: Double] = [:]
  /// The events, newest last.
  package var events: [Event] = []
  package var history = MotionHistory()
  package var cost = Cost()
  package var range = GraphRange()
  package var isFrozen = false
  package var showsHelp = false
  /// The page of chips shown if not all fit; it increases without limit.
  package var chipPage = 0

  /// True while only the accelerometer updates the attitude, because the gyroscope is silent or
  /// unreliable.
  package var isCoasting: Bool {
    guard let motion, channels.contains(.rotationRate) else { return false }
    return motion.contents.contains(.attitude) && !motion.contents.contains(.rotationRate)
  }

  package init(
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
package struct GraphRange: Equatable, Sendable {
  private var step = 3

  /// The full scale of user acceleration in g, and of rotation rate in rad/s.
  private static let steps: [(acceleration: Double, rotation: Double)] = [
    (0.1, 0.2), (0.25, 0.5), (0.5, 1), (1, 2), (2, 5), (4, 10), (8, 20), (16, 40),
  ]

  package init() {}

  /// The full scale of acceleration in g.
  package var acceleration: Double { Self.steps[step].acceleration }
  /// The full scale of rotation rate in rad/s.
  package var rotation: Double { Self.steps[step].rotation }

  package mutating func widen() { step = min(step + 1, Self.steps.count - 1) }
  package mutating func narrow() { step = max(step - 1, 0) }
}

/// The last seconds of motion, in slices of a tenth of a second.
package struct MotionHistory: Sendable {
  package struct Slice: Equatable, Sendable {
    /// The newest values in the slice, in g and rad/s.
    package var acceleration: Vector3
    package var rotation: Vector3
    /// The largest magnitudes in the slice.
    package var greatestAcceleration: Double
    package var greatestRotation: Double
  }
  /// The slices, newest last.
  package private(set) var slices: [Slice] = []
  private var index: Int64?

  static let interval = TimeSpan.milliseconds(100)
  private static let capacity = 400

  package init() {}

  package mutating func add(_ motion: MotionSample) {
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
