// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Sensors
public import Simulation

/// What the chips of simulated buses experience.
public struct SimulationDescription: Sendable, Equatable {
  /// How the simulated board moves.
  public enum Motion: Sendable, Equatable {
    /// By a formula.
    case profile(MovingWorld.Motion)
    /// As whoever guides somebody through a calibration or a check asks for at each step; still where nobody asks.
    case asAsked
    /// Nothing ever changes: each quantity has this value, in device axes and Core Motion's units and signs.
    case held(Sample)
    /// Moves as a recording says; the path is ready to open.
    case recording(path: String)

    public static var still: Motion { .profile(.still) }
    public static var sway: Motion { .profile(.sway) }
  }

  public var motion: Motion
  /// Two runs of one seed are the same.
  public var seed: UInt64
  /// What noise chips add.
  public var noise: SimulatedNoise
  /// How much faster than nominal the chips' clocks run, in parts per million.
  public var clockError: Double
  /// What the chips are off by, by their names.
  public var errors: [String: SimulatedErrors]
  /// What shall go wrong.
  public var faults: [Fault]
  /// What the board senses without a chip: samples a second of each channel, straight from its world.
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

/// What a simulated chip is off by.
public struct SimulatedErrors: Sendable, Equatable {
  /// In the words of the calibration that takes it away.
  public var chip: ChipCalibration
  /// How the chip really sits, where that is not what the board file says.
  public var mounting: Mounting?

  public init(chip: ChipCalibration = ChipCalibration(), mounting: Mounting? = nil) {
    self.chip = chip
    self.mounting = mounting
  }
}
