// SPDX-License-Identifier: Apache-2.0
public import Simulation
public import Quantities
public import Sensors

/// The simulated world for the chips of simulated buses.
public struct SimulationDescription: Sendable, Equatable {
  /// The motion of the simulated board.
  public enum Motion: Sendable, Equatable {
    /// A computed motion.
    case profile(MovingWorld.Motion)
    /// The motion that each step of a calibration or check requests; still otherwise.
    case asAsked
    /// Constant values for all quantities, in device axes and Core Motion's units and signs.
    case held(Sample)
    /// The motion in a recording; the path can be opened as it is.
    case recording(path: String)

    public static var still: Motion { .profile(.still) }
    public static var sway: Motion { .profile(.sway) }
  }

  public var motion: Motion
  /// The random seed: two runs with one seed are the same.
  public var seed: UInt64
  /// The noise that chips add.
  public var noise: SimulatedNoise
  /// The error of the chips' clocks, in parts per million; positive where they are fast.
  public var clockError: Double
  /// The errors of the chips, by their names.
  public var errors: [String: SimulatedErrors]
  /// Faults to be simulated.
  public var faults: [Fault]
  /// Quantities that the board measures without a chip: the sample rate in Hz of each channel, with
  /// values directly from the world.
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
  /// The errors, in the form of the calibration that corrects them.
  public var chip: ChipCalibration
  /// The chip's real mounting, where it differs from the board file.
  public var mounting: Mounting?

  public init(chip: ChipCalibration = ChipCalibration(), mounting: Mounting? = nil) {
    self.chip = chip
    self.mounting = mounting
  }
}
