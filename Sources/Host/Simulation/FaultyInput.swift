// SPDX-License-Identifier: Apache-2.0
public import ChipCatalog
public import Quantities
public import Sensors

/// The sensor input of a chip whose mounting is wrong, whose supply is noisy, or near which a motor
/// runs or a draught blows.
public final class FaultyInput: SensorInput {
  private let base: any SensorInput
  private var faults: [FaultTiming]
  private var noise: Noise

  /// Applies the faults that change the input. The faults' times are relative to `origin`.
  public init(_ base: any SensorInput, faults: [Fault], origin: Timestamp, seed: UInt64) {
    self.base = base
    self.faults =
      faults
      .filter { [.swappedAxes, .noisySupply, .motorField, .draught].contains($0.kind) }
      .map { FaultTiming($0, origin: origin, seed: seed) }
    noise = Noise(seed: seed &+ 104_729)
  }

  public func reading(at time: Timestamp) -> ChipReading {
    var reading = base.reading(at: time)
    for index in faults.indices where faults[index].holds(at: time) {
      switch faults[index].fault.kind {
      case .swappedAxes:
        reading.specificForce = Self.turned(reading.specificForce)
        reading.rotationRate = Self.turned(reading.rotationRate)
        reading.magneticField = Self.turned(reading.magneticField)
      case .noisySupply:
        reading.specificForce += noise.vector(0.05)
        reading.rotationRate += noise.vector(radians(fromDegrees: 3))
        reading.magneticField += noise.vector(5)
      case .motorField: reading.magneticField += Vector3(30, 0, 0)
      case .draught: reading.pressure += 0.02
      default: break
      }
    }
    return reading
  }

  /// Returns a vector in the axes of a chip that is soldered a quarter turn to the left.
  private static func turned(_ vector: Vector3) -> Vector3 {
    Vector3(vector.y, -vector.x, vector.z)
  }
}
