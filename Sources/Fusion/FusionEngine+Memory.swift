// SPDX-License-Identifier: Apache-2.0

extension FusionEngine {
  /// What it has learned until now. Empty until the bias is known better than at the start.
  public var memory: FusionMemory {
    guard hasAttitude, gyroBiasSigma < params.biasSigmaAtStart / 2 else { return FusionMemory() }
    return FusionMemory(gyroscope: FusionMemory.Gyroscope(bias: gyroBias, sigma: gyroBiasSigma))
  }

  /// Starts with what an earlier engine learned of the same device.
  public mutating func assume(_ memory: FusionMemory) {
    if let gyro = memory.gyroscope { assume(gyroBias: gyro.bias, sigma: gyro.sigma) }
  }
}
