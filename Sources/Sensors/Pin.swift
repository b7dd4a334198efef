// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A member that makes its owner be read in place: an atomic has to stay where it is. The 6.3
/// compiler copies any other value with an `InlineArray` inside, all of it, for each element and
/// each field that is read. Never used otherwise.
struct Pin: ~Copyable, Sendable { private let atomic = Atomic<Bool>(false) }
