// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The type of a floating-point literal without a type from its context: the compiler looks for
/// this name. So the initial `0.0` of a sum has the type of the sum, and nothing is computed in
/// double precision by mistake.
typealias FloatLiteralType = Scalar
