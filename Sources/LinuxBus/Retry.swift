// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// Repeats a call that a signal interrupted, and one that lost the bus to another controller once.
/// Everything else is the caller's to judge: a second try would hide a fault, and cost time other
/// sensors need.
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
