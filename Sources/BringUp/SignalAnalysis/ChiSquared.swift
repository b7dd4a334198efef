// SPDX-License-Identifier: Apache-2.0
internal import CMath

/// The distribution of an estimated variance, for how far to trust it.
public enum ChiSquared {
  /// The value below which a chi-squared variable lies as often as a normal one lies below
  /// `deviations` standard deviations, over its degrees of freedom: 1 where nothing is left to
  /// chance. After Wilson and Hilferty (1931), within 1 % from 5 degrees of freedom on.
  public static func quantile(_ deviations: Double, degreesOfFreedom: Double) -> Double {
    let spread = 2 / (9 * max(degreesOfFreedom, 1))
    let root = max(1 - spread + deviations * spread.squareRoot(), 0.05)
    return root * root * root
  }
}
