// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The type of a floating-point literal whose context gives no type; the compiler looks for this
/// name. With this alias, `var sum = 0.0` is a `Scalar`, and no literal makes a computation double
/// precision by mistake.
typealias FloatLiteralType = Scalar
