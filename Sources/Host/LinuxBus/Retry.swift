// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// Repeats a call that a signal interrupted, and once a call that lost the arbitration for the bus
/// to another controller. The caller handles all other errors, because a second attempt would hide
/// a fault and take time that other sensors need.
@inline(__always)
package func retrying(_ call: () -> Int32) -> Int32 {
  var mayLoseBus = true
  while true {
    let result = call()
    if result == -EINTR { continue }
    if result == -EAGAIN, mayLoseBus {
      mayLoseBus = false
      continue
    }
    return result
  }
}
