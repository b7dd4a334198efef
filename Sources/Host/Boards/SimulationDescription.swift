// SPDX-License-Identifier: Apache-2.0
public import Simulation
public import Quantities
public import Sensors

/// The simulated surroundings of the chips on simulated buses.
public struct SimulationDescription: Sendable, Equatable {
  /// The motion of the simulated board.
  public enum Motion: Sendable, Equatable {
    /// A computed motion.
    case profile(MovingWorld.Motion)
    /// The motion that each step of a calibration or check requests; between such steps the board
    /// is at rest.
    case asAsked
    /// Constant values of all quantities, in device axes and Core Motion's units and signs.
    case held(Sample)
    /// The motion in a recording. A relative path starts at the working directory of the program.
    case recording(path: String)

    public static var still: Motion { .profile(.still) }
    public static var sway: Motion { .profile(.sway) }
  }

  public var motion: Motion
  /// The seed of all random numbers. Two runs with the same seed are equal.
  public var seed: UInt64
  /// The noise that chips add.
  public var noise: SimulatedNoise
  /// The error of the chips' clocks in parts per million, positive if the clocks are fast.
  public var clockError: Double
  /// The errors of the chips, by the chips' names.
  public var errors: [String: SimulatedErrors]
  /// The faults to be simulated.
  public var faults: [Fault]
  /// The quantities that the board measures without a chip. Such a quantity has the value of the
  /// surroundings, sampled at the channel's rate in Hz.
  public var senses: [Channel: Double]
  public var positions: Positions

  public init(
    motion: Motion = .sway, seed: UInt64 = 1, noise: SimulatedNoise = .typical,
    clockError: Double = 0, errors: [String: SimulatedErrors] = [:], faults: [Fault] = [],
    senses: [Channel: Double] = [:], positions: Positions
  ) {
    self.motion = motion
    self.seed = seed
    self.noise = noise
    self.clockError = clockError
    self.errors = errors
    self.faults = faults
    self.senses = senses
    self.positions = positions
  }
}

/// The errors of a simulated chip.
public struct SimulatedErrors: Sendable, Equatable {
  /// The errors of the simulated chip, in the form of the calibration that would correct them.
  public var chip: ChipCalibration
  /// The real mounting of the chip, if it differs from the mounting in the board file.
  public var mounting: Mounting?
  /// The real position of the chip in device axes, in metres, if it differs from the position in
  /// the board file.
  public var position: Vector3?
  /// The delay in seconds between a motion and the time stamp of the samples that show the motion.
  public var timeOffset: Double

  public init(
    chip: ChipCalibration = ChipCalibration(), mounting: Mounting? = nil,
    position: Vector3? = nil, timeOffset: Double = 0
  ) {
    self.chip = chip
    self.mounting = mounting
    self.position = position
    self.timeOffset = timeOffset
  }
}
