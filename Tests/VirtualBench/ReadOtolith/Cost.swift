// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What the reading of this process has cost so far.
struct Cost {
  /// Nanoseconds of processor time of all threads but the one that asks, in user mode and in the kernel (proc(5), schedstat:
  /// first field). Of a thread that sleeps it is exact.
  var processor: Int64
  /// System calls of all threads, where `count_syscalls` started this program.
  var calls: Int64?

  /// What `body` costs, apart from itself.
  static func during(_ body: () -> Void) -> Cost {
    let processor = processor()
    let calls = calls()
    body()
    let callsAfter = Self.calls()
    let callsBetween = calls.flatMap { before in callsAfter.map { $0 - before } }
    return Cost(processor: Self.processor() - processor, calls: callsBetween)
  }

  private static func processor() -> Int64 {
    // PID/task/TID
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
    // The pointer is used within the call, for the size of what it points to.
    let size = unsafe read(descriptor, &count, MemoryLayout.size(ofValue: count))
    return size == MemoryLayout.size(ofValue: count) ? count : nil
  }
}
