// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The type of a literal that has none from its context: the compiler looks for this name. So the
/// `0.0` that a sum begins with is as precise as the sum, and nothing is computed in double
/// precision by oversight.
typealias FloatLiteralType = Scalar
