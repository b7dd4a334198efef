// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc

/// The resources used by this process.
package enum ProcessUsage {
  /// The resident memory in bytes and the processor time in seconds. The memory is 0 if the kernel
  /// does not report it.
  package static var now: (memory: UInt64, seconds: Double) {
    var usage = rusage()
    // `getrusage` writes `usage` only during the call.
    _ = unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    // The second number in /proc/self/statm is the number of resident pages (proc(5)).
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = text.split(separator: " ").dropFirst().first.flatMap { UInt64($0) } ?? 0
    return (
      pages * UInt64(sysconf(Int32(_SC_PAGESIZE))),
      seconds(usage.ru_utime) + seconds(usage.ru_stime)
    )
  }
}
