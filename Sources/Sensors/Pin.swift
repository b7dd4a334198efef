// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// What holds one is read in place: an atomic has to stay where it is. Anything else with an `InlineArray` inside the 6.3
/// compiler copies, all of it, for each element and each field that is read. Never used otherwise.
struct Pin: ~Copyable, Sendable {
  private let atomic = Atomic<Bool>(false)
}
