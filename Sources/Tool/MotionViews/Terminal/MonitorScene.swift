// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import Fusion
package import Quantities
package import Recognition

/// Everything that `otolith monitor` shows at one time.
package struct MonitorScene: Sendable {
  /// The kind of source from which the values come.
  package enum Origin: String, CaseIterable, Sendable {
    /// A board with chips on a bus.
    case live
    /// A board that has simulated chips, alone or in addition to hardware.
    case simulated
    case recording
    /// A trace of recorded bus transfers.
    case trace
  }

  /// The position in a repeated recording and the recording's length, both in seconds.
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
      /// The chip is reported as delivering, but no sample has arrived for `seconds`.
      case silent(seconds: Double)
      /// The chip failed; the text names the problem and the first thing to check.
      case failed(String)
    }
    /// The chip's name in the board file.
    package var name: String
    /// The chip's kind, such as `invensense,mpu6050`.
    package var kind: String
    /// The sample rate in Hz according to the timestamps; `nil` without samples.
    package var measuredRate: Double?
    /// The configured sample rate in Hz; `nil` if unknown.
    package var configuredRate: Double?
    package var lost: UInt64 = 0
    package var late: UInt64 = 0
    /// The number of values at the end of the chip's range.
    package var clipped: UInt64 = 0
    package var busErrors: UInt64 = 0
    package var restarts: UInt64 = 0
    package var state = State.starting
    /// The remarks that apply while the chip delivers samples.
    package var notes: [String] = []
    /// True if fusion detects a fault in the chip's samples.
    package var isFaulty = false

    package init(name: String, kind: String, configuredRate: Double? = nil) {
      self.name = name
      self.kind = kind
      self.configuredRate = configuredRate
    }
  }

  /// A fault that fusion can detect in a sensor's samples.
  package struct SensorFault: Equatable, Sendable {
    /// The name of the fault, such as `gyroscopeHung`.
    package var name: String
    /// The kind of sensor, such as `gyroscope`.
    package var sensor: String
    /// The name of the chip whose samples fusion uses.
    package var chip: String
    /// True if the fault lasted for at least 0.5 s, and ended less than 10 s ago.
    package var isPresent: Bool
    /// The total duration of the fault in seconds, and the number of times it began.
    package var seconds: Double
    package var count: UInt64
    /// The problem and its remedy, as a message for users.
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
    /// The fraction by which each gyroscope axis measures too little; `nil` if unknown.
    package var gyroScale: Vector3?
    /// The standard deviation of `gyroScale` in its most uncertain axis.
    package var gyroScaleSigma: Double
    /// The magnetometer's delay in seconds, from a motion to the timestamp of the magnetometer
    /// sample that shows this motion; `nil` if unknown.
    package var magneticDelay: Double?
    /// The standard deviation of `magneticDelay` in seconds.
    package var magneticDelaySigma: Double
    package var magnetic: MagneticCalibration.Level
    /// The fraction of all directions in which the field was measured recently, from 0 to 1.
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

  /// An entry of the event list.
  package struct Event: Equatable, Sendable {
    /// The subject of an event.
    package enum Kind: String, CaseIterable, Sendable {
      /// A chip started or stopped delivering samples.
      case chip
      /// A remark about a chip or the source.
      case note
      /// A detection that a chip reported.
      case detection
      case activity
    }
    package var date: Date
    package var kind: Kind
    package var text: String
    package var style: TextStyle
    /// The local time of the event, as `HH:MM:SS`.
    package let time: String

    package init(_ kind: Kind, _ text: String, style: TextStyle = .plain, at date: Date = Date()) {
      (self.kind, self.text, self.style, self.date) = (kind, text, style, date)
      let parts = Calendar.current.dateComponents([.hour, .minute, .second], from: date)
      time = String(
        format: "%02d:%02d:%02d", parts.hour ?? 0, parts.minute ?? 0, parts.second ?? 0)
    }
  }

  /// The cost of drawing the screen.
  package struct Cost: Equatable, Sendable {
    /// The number of frames sent in the last second.
    package var frames = 0.0
    /// The number of bytes sent per second.
    package var bytes = 0.0
    /// The processor time per second that the drawing thread uses, and that the whole program uses,
    /// as a fraction of one processor.
    package var drawing = 0.0
    package var program = 0.0
    /// The number of frames dropped since the start because the terminal had not accepted the
    /// previous frame.
    package var dropped = 0

    package init() {}
  }

  /// The board's name, and the reason why it was chosen.
  package var board: String
  package var reason: String
  package var origin = Origin.live
  /// The position in the recording; `nil` unless a recording is played.
  package var playback: Playback?
  /// The channels that the source samples.
  package var channels: ChannelSet
  /// The name of the reference frame, and whether its x axis points north.
  package var frame: String
  package var isNorth: Bool
  /// The newest motion; `nil` before the first motion.
  package var motion: MotionSample?
  /// The rotation from device to reference coordinates; `nil` if unknown.
  package var attitude: Quaternion?
  /// The smallest and largest age of the newest motion during the last second, in seconds.
  package var age: ClosedRange<Double>?
  /// The time without motion in seconds; `nil` if this time is too short to be shown.
  package var silence: Double?
  package var chips: [Chip]
  /// All faults that fusion can detect in the board's samples.
  package var faults: [SensorFault] = []
  /// The total time in which the attitude was updated from the accelerometer alone, in seconds.
  package var coastingSeconds = 0.0
  package var calibration: Calibration?
  /// The movement since the monitor started; `nil` if steps are not counted.
  package var movement: Movement?
  package var countsFloors = false
  /// The altitude in metres relative to the first pressure reading; `nil` if unknown.
  package var relativeAltitude: Double?
  /// The newest scalar values that no motion contains, in the units of their channels.
  package var readings: [Channel: Double] = [:]
  /// The events; the newest is last.
  package var events: [Event] = []
  package var history = MotionHistory()
  package var cost = Cost()
  package var range = GraphRange()
  package var isFrozen = false
  package var showsHelp = false
  /// The selected page of chips, which is used if not all chips fit. After the last page, the
  /// screen shows the first again.
  package var chipPage = 0

  /// True while the attitude is updated from the accelerometer alone, because the gyroscope is
  /// silent or unreliable.
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

/// The full scale of the bars and graphs of acceleration and rotation. The keys `+` and `-` select
/// the step.
package struct GraphRange: Equatable, Sendable {
  private var step = 3

  /// The steps, each with the full scale of user acceleration in g and of rotation rate in rad/s.
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

/// The last seconds of motion, divided into slices of 0.1 s.
package struct MotionHistory: Sendable {
  package struct Slice: Equatable, Sendable {
    /// The newest values in the slice, in g and rad/s.
    package var acceleration: Vector3
    package var rotation: Vector3
    /// The largest magnitudes in the slice.
    package var greatestAcceleration: Double
    package var greatestRotation: Double
  }
  /// The slices; the newest is last.
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
