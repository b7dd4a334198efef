// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The type of a floating-point literal whose context gives no type; the compiler looks for this
/// name. With this alias, the initial `0.0` of a sum is a `Scalar`, and nothing is computed in
/// double precision by mistake.
typealias FloatLiteralType = Scalar
