// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The default type of float literals; the compiler looks for this name. An initial `0.0` is then
/// as precise as its sum, and no computation is in double precision by accident.
typealias FloatLiteralType = Scalar
