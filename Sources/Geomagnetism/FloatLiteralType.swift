// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// What a literal is here of which nothing else says what it is: the compiler looks for this name. So the `0.0` that a
/// sum begins with is as precise as the sum, and nothing is computed in double precision by oversight.
typealias FloatLiteralType = Scalar
