// SPDX-License-Identifier: Apache-2.0
public import Quantities
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
  /// Whether chips add the noise that their data sheets state.
  public var noise: Bool
  /// How much faster than nominal the chips' clocks run, in parts per million.
  public var clockError: Double
  /// What shall go wrong.
  public var faults: [Fault]
  public var positions: Positions

  public init(
    motion: Motion = .sway, seed: UInt64 = 1, noise: Bool = true, clockError: Double = 0,
    faults: [Fault] = [], positions: Positions
  ) {
    self.motion = motion
    self.seed = seed
    self.noise = noise
    self.clockError = clockError
    self.faults = faults
    self.positions = positions
  }
}
