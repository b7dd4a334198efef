// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// Surroundings with constant values.
public final class HeldWorld: World {
  private let held: Sample

  public init(_ held: Sample) { self.held = held }

  public func sample(at time: Timestamp) -> Sample {
    var sample = held
    sample.timestamp = time
    return sample
  }
}
