// SPDX-License-Identifier: Apache-2.0
public import ChipModels
public import Quantities
public import Sensors

/// How far a chip of five euros is off: what is added to the world before its converter.
public struct Imperfection: Equatable, Sendable {
  /// Bias of the gyroscope, rad/s, chip axes.
  public var gyroBias = Vector3.zero
  /// Standard deviations of white noise, per sample: g, rad/s, microtesla.
  public var accelerationNoise = 0.0
  public var rotationRateNoise = 0.0
  public var magneticFieldNoise = 0.0

  public init() {}

  /// None at all.
  public static var none: Imperfection { Imperfection() }

  /// Of the size that the data sheets of the MPU-6050 and the LIS3MDL give at about 40 Hz bandwidth: 400 ug/rtHz,
  /// 0.005 (deg/s)/rtHz, 0.3 microtesla; a bias well inside the +-20 deg/s that are allowed.
  public static var typical: Imperfection {
    var imperfection = Imperfection()
    imperfection.gyroBias = Vector3(
      radians(fromDegrees: 0.6), radians(fromDegrees: -0.4), radians(fromDegrees: 0.3))
    imperfection.accelerationNoise = 0.0026
    imperfection.rotationRateNoise = radians(fromDegrees: 0.033)
    imperfection.magneticFieldNoise = 0.3
    return imperfection
  }
}

/// The world as one chip feels it: turned into its axes by its mounting, with its imperfections.
public final class ChipSurroundings: Surroundings {
  private let world: any World
  private let mounting: Mounting
  private let imperfection: Imperfection
  private let distortion: ChipDistortion?
  private var noise: Noise
  private var known: KnownNoiseSource?

  /// `errors` are what a calibration shall find: `measured = matrix^-1 * truth + offset`, in chip axes.
  public init(
    _ world: any World, mounting: Mounting, imperfection: Imperfection = .none,
    errors: ChipCalibration? = nil, seed: UInt64 = 1
  ) {
    self.world = world
    self.mounting = mounting
    self.imperfection = imperfection
    distortion = errors.map(ChipDistortion.init)
    noise = Noise(seed: seed)
  }

  /// With the noise that a board file asks for.
  public convenience init(
    _ world: any World, mounting: Mounting, noise: SimulatedNoise, errors: ChipCalibration? = nil,
    seed: UInt64
  ) {
    var imperfection: Imperfection = noise == .typical ? .typical : .none
    // A bias that the file states is the whole bias.
    if let errors, errors.gyroBias != .zero { imperfection.gyroBias = .zero }
    self.init(
      world, mounting: mounting, imperfection: imperfection, errors: errors, seed: seed)
    if case .known(let noise) = noise { known = KnownNoiseSource(noise, seed: seed) }
  }

  public func reading(at time: Timestamp) -> ChipReading {
    var reading = mounting.reading(world.sample(at: time))
    if let distortion { reading = distortion.distorted(reading) }
    reading.specificForce += noise.vector(imperfection.accelerationNoise)
    reading.rotationRate += imperfection.gyroBias + noise.vector(imperfection.rotationRateNoise)
    reading.magneticField += noise.vector(imperfection.magneticFieldNoise)
    known?.add(to: &reading, at: time)
    return reading
  }
}

/// White noise that repeats itself with its seed.
struct Noise {
  private var state: UInt64

  init(seed: UInt64) {
    // Neighbouring seeds must not give neighbouring noise (the finaliser of SplitMix64).
    var mixed = seed &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    state = (mixed ^ (mixed >> 31)) | 1
  }

  mutating func vector(_ deviation: Double) -> Vector3 {
    guard deviation > 0 else { return .zero }
    return Vector3(normal(), normal(), normal()) * deviation
  }

  /// Nearly normal with mean 0 and deviation 1: twelve uniform numbers less six.
  mutating func normal() -> Double {
    var sum = -6.0
    for _ in 0..<12 { sum += uniform() }
    return sum
  }

  /// From 0 on below 1, all alike.
  mutating func uniform() -> Double {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Double(state >> 11) / 9_007_199_254_740_992
  }
}
