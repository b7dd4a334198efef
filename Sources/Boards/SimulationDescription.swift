// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Sensors

/// The world that the chips of simulated buses feel.
public struct SimulationDescription: Sendable, Equatable {
  /// The motion of the simulated board.
  public enum Motion: Sendable, Equatable {
    /// By a formula.
    case profile(MovingWorld.Motion)
    /// As each step of a calibration or a check asks for; still where none asks.
    case asAsked
    /// Nothing ever changes: each quantity has this value, in device axes and Core Motion's units
    /// and signs.
    case held(Sample)
    /// Moves as a recording says; the path is ready to open.
    case recording(path: String)

    public static var still: Motion { .profile(.still) }
    public static var sway: Motion { .profile(.sway) }
  }

  public var motion: Motion
  /// Two runs of one seed are the same.
  public var seed: UInt64
  /// The noise that chips add.
  public var noise: SimulatedNoise
  /// The error of the chips' clocks, in parts per million; positive where they run fast.
  public var clockError: Double
  /// The errors of the chips, by their names.
  public var errors: [String: SimulatedErrors]
  /// Faults to be simulated.
  public var faults: [Fault]
  /// Quantities that the board senses without a chip: samples a second of each channel, straight
  /// from its world.
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
  /// In the words of the calibration that takes it away.
  public var chip: ChipCalibration
  /// The chip's real mounting, where it is not that of the board file.
  public var mounting: Mounting?

  public init(chip: ChipCalibration = ChipCalibration(), mounting: Mounting? = nil) {
    self.chip = chip
    self.mounting = mounting
  }
}
