// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A field that makes its owner immovable, so that the owner's other fields are read in place.
/// Swift 6.3 copies a movable value that contains an `InlineArray` as a whole for each element or
/// field read. The atomic itself is never used.
struct Pin: ~Copyable, Sendable { private let atomic = Atomic<Bool>(false) }
