// SPDX-License-Identifier: Apache-2.0
public import ChipCatalog
public import Quantities
public import Sensors

/// The errors of a low-cost chip, which are added before the model's converter.
public struct Imperfection: Equatable, Sendable {
  /// The bias of the gyroscope in rad/s, in chip axes.
  public var gyroBias = Vector3.zero
  /// The standard deviation of white noise per sample: in g, rad/s and microtesla, and for scalar
  /// channels in their units.
  public var accelerationNoise = 0.0
  public var rotationRateNoise = 0.0
  public var magneticFieldNoise = 0.0
  public var scalarNoise = ScalarValues()

  public init() {}

  /// No errors.
  public static var none: Imperfection { Imperfection() }

  /// Creates errors as large as in the data sheet of `chip` with `settings`. Noise is the density
  /// times the root of the bandwidth, or else the given deviation; without figures there is no
  /// noise. The gyroscope's bias is well within the limits of every chip.
  public init(of chip: ChipDescription, with settings: SensorSettings) {
    gyroBias = Vector3(
      radians(fromDegrees: 0.6), radians(fromDegrees: -0.4), radians(fromDegrees: 0.3))
    let bandwidth = min(settings.bandwidth ?? .infinity, settings.rate / 2)
    func deviation(_ channel: Channel, at range: Double = 0) -> Double {
      chip.noiseDensity(of: channel, at: range).map { $0 * bandwidth.squareRoot() }
        ?? chip.noise.first { $0.channel == channel }?.deviation ?? 0
    }
    accelerationNoise = deviation(.acceleration, at: settings.accelerationRange)
    rotationRateNoise = deviation(.rotationRate, at: settings.rotationRateRange)
    magneticFieldNoise = deviation(.magneticField, at: settings.magneticFieldRange)
    for channel in Channel.allCases where !channel.isVector {
      scalarNoise[channel] = deviation(channel, at: settings[range: channel] ?? 0)
    }
  }
}

/// The surroundings as one chip senses them: rotated into the chip's axes, with the chip's errors.
public final class ChipInput: SensorInput {
  private let world: any World
  private let mounting: Mounting
  private let position: ChipPosition
  private let imperfection: Imperfection
  private let distortion: ChipDistortion?
  private var noise: Noise
  private var known: KnownNoiseSource?

  /// Creates the surroundings. `errors` are the chip's errors that a calibration should find:
  /// `measured = matrix^-1 * truth + offset`, in chip axes.
  public init(
    _ world: any World, mounting: Mounting, position: ChipPosition = ChipPosition(),
    imperfection: Imperfection = .none,
    known: KnownNoise? = nil, errors: ChipCalibration? = nil, seed: UInt64 = 1
  ) {
    self.world = world
    self.mounting = mounting
    self.position = position
    self.imperfection = imperfection
    distortion = errors.map(ChipDistortion.init)
    noise = Noise(seed: seed)
    self.known = known.map { KnownNoiseSource($0, seed: seed) }
  }

  /// Creates the surroundings with the noise that a board file sets. Typical noise is the noise of
  /// `chip` with `settings`; an unknown chip (`nil`) has no typical noise.
  public convenience init(
    _ world: any World, mounting: Mounting, position: ChipPosition = ChipPosition(),
    noise: SimulatedNoise, of chip: ChipDescription?,
    with settings: SensorSettings = SensorSettings(), errors: ChipCalibration? = nil, seed: UInt64
  ) {
    var imperfection = Imperfection.none
    var known: KnownNoise?
    switch noise {
    case .off: break
    case .typical: if let chip { imperfection = Imperfection(of: chip, with: settings) }
    case .known(let noise): known = noise
    }
    // A gyroscope bias in the board file replaces the typical bias.
    if let errors, errors.gyroBias != .zero { imperfection.gyroBias = .zero }
    self.init(
      world, mounting: mounting, position: position, imperfection: imperfection, known: known,
      errors: errors,
      seed: seed)
  }

  public func reading(at time: Timestamp) -> ChipReading {
    var reading = mounting.reading(position.sample(of: world, at: time))
    if let distortion { reading = distortion.distorted(reading) }
    reading.specificForce += noise.vector(imperfection.accelerationNoise)
    reading.rotationRate += imperfection.gyroBias + noise.vector(imperfection.rotationRateNoise)
    reading.magneticField += noise.vector(imperfection.magneticFieldNoise)
    for channel in Channel.allCases where !channel.isVector {
      reading.scalars[channel] += noise.scalar(imperfection.scalarNoise[channel])
    }
    known?.add(to: &reading, at: time)
    return reading
  }
}

/// A source of white noise. The same seed always gives the same noise.
struct Noise {
  private var state: UInt64

  init(seed: UInt64) {
    // The seed is mixed by the finaliser of SplitMix64, because adjacent seeds must not give
    // correlated noise.
    var mixed = seed &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    state = (mixed ^ (mixed >> 31)) | 1
  }

  mutating func vector(_ deviation: Double) -> Vector3 {
    guard deviation > 0 else { return .zero }
    return Vector3(normal(), normal(), normal()) * deviation
  }

  mutating func scalar(_ deviation: Double) -> Double {
    deviation > 0 ? normal() * deviation : 0
  }

  /// Returns an approximately normal random number with mean 0 and standard deviation 1: the sum of
  /// twelve uniform numbers minus six.
  mutating func normal() -> Double {
    var sum = -6.0
    for _ in 0..<12 { sum += uniform() }
    return sum
  }

  /// Returns a uniform random number in 0..<1.
  mutating func uniform() -> Double {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Double(state >> 11) / 9_007_199_254_740_992
  }
}
