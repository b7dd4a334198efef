// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The type of a floating-point literal whose context gives no type. The compiler looks up this
/// name. Without it, such literals would cause calculations in double precision by mistake.
typealias FloatLiteralType = Scalar
