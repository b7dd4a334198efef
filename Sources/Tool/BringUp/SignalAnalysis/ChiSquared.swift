// SPDX-License-Identifier: Apache-2.0
internal import CMath

/// The chi-squared distribution, for the uncertainty of an estimated variance.
package enum ChiSquared {
  /// Returns a quantile of a chi-squared variable divided by its degrees of freedom. The quantile's
  /// probability is the probability that a normal variable is below `deviations` standard
  /// deviations. The approximation of Wilson and Hilferty (1931) is accurate to 1 percent from 5
  /// degrees of freedom on.
  package static func quantile(_ deviations: Double, degreesOfFreedom: Double) -> Double {
    let spread = 2 / (9 * max(degreesOfFreedom, 1))
    let root = max(1 - spread + deviations * spread.squareRoot(), 0.05)
    return root * root * root
  }
}
