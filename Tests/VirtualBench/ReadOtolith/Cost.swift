// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The cost of the reading in this process.
struct Cost {
  /// Nanoseconds of processor time, in user mode and in the kernel, of all threads except the one
  /// that measures (the first field of schedstat in proc(5)). The value is exact for a thread that
  /// sleeps.
  var processor: Int64
  /// The number of system calls of all threads, if `count_syscalls` started this program.
  var calls: Int64?

  /// Returns what the other threads cost while `body` runs.
  static func during(_ body: () -> Void) -> Cost {
    let processor = processor()
    let calls = calls()
    body()
    let callsAfter = Self.calls()
    let callsBetween = calls.flatMap { before in callsAfter.map { $0 - before } }
    return Cost(processor: Self.processor() - processor, calls: callsBetween)
  }

  private static func processor() -> Int64 {
    // The link leads to PID/task/TID.
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self"))?
      .split(separator: "/").last
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.filter { $0 != own ?? "" }.reduce(0) { sum, task in
      let text = try? String(contentsOfFile: "/proc/self/task/\(task)/schedstat", encoding: .utf8)
      return sum + (text?.split(separator: " ").first.flatMap { Int64($0) } ?? 0)
    }
  }

  private static func calls() -> Int64? {
    guard let name = ProcessInfo.processInfo.environment["OTOLITH_SYSCALL_COUNTER"],
      let descriptor = Int32(name)
    else { return nil }
    var count: Int64 = 0
    // The pointer is used only within the call, with the size of its variable.
    let size = unsafe read(descriptor, &count, MemoryLayout.size(ofValue: count))
    return size == MemoryLayout.size(ofValue: count) ? count : nil
  }
}
