// SPDX-License-Identifier: Apache-2.0
internal import CMath

/// The distribution of an estimated variance, for its uncertainty.
package enum ChiSquared {
  /// Returns the quantile of a chi-squared variable, divided by its degrees of freedom, with the
  /// probability that a normal variable is below `deviations` standard deviations; tends to 1 for
  /// many degrees of freedom. After Wilson and Hilferty (1931), within 1 % from 5 degrees of
  /// freedom on.
  package static func quantile(_ deviations: Double, degreesOfFreedom: Double) -> Double {
    let spread = 2 / (9 * max(degreesOfFreedom, 1))
    let root = max(1 - spread + deviations * spread.squareRoot(), 0.05)
    return root * root * root
  }
}
