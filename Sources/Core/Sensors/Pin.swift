// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A member that forces its owner to be read in place, because an atomic must not move. Swift 6.3
/// copies any other value that contains an `InlineArray` as a whole for each element or field read.
/// The atomic is never accessed.
struct Pin: ~Copyable, Sendable { private let atomic = Atomic<Bool>(false) }
