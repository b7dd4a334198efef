// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The default type of float literals; the compiler looks up this name. With this type `var sum =
/// 0.0` is a `Scalar`, and no literal makes a computation double precision by accident.
typealias FloatLiteralType = Scalar
