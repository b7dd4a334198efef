// SPDX-License-Identifier: Apache-2.0
import Glibc
import History
import Recognition
import Quantities

// HistoryVictim FOLDER [full]: writes blocks of fifty samples into the store in FOLDER until it is
// killed, and prints after each the number on disk. With `full` it writes two, fails at the next
// two because of the file size limit, and writes one more without it. With `some` it writes eight
// and ends, whatever fails. With `movement`, `movement-full` or `movement-some` it does the same
// with entries of one step.

let store = SampleStore(folder: CommandLine.arguments.dropFirst().first ?? "")

/// Prints with a system call for each line, because buffered text is lost when the process is
/// killed.
func say(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = unsafe Glibc.write(1, bytes, bytes.count)  // the array lives for the call
}

/// Limits the size of files to `size` bytes (setrlimit(2)).
func limitFiles(_ size: UInt) {
  var limit = rlimit(rlim_cur: size, rlim_max: rlim_t.max)
  // RLIMIT_FSIZE is 1; the pointer is used only during the call.
  _ = unsafe setrlimit(__rlimit_resource_t(1), &limit)
}

func samples(_ block: Int64) -> [TimedAcceleration] {
  let start = HostClocks.system.now().boot
  return (0..<50).map { index in
    TimedAcceleration(
      timestamp: start + TimeSpan(nanoseconds: index),
      acceleration: Vector3(Double(block % 1000) / 1024, 0, -1))
  }
}

/// Calls `write` until the process is killed, or according to `full`.
func run(_ mode: String, _ write: (Int64) throws(HistoryError) -> Void) throws(HistoryError) {
  if mode.hasSuffix("some") {
    for count in 1...8 as ClosedRange<Int64> {
      do throws(HistoryError) {
        try write(count)
        say("\(count)")
      } catch { say("error: \(error)") }
    }
    return
  }
  guard mode.hasSuffix("full") else {
    for count in 1... as PartialRangeFrom<Int64> {
      try write(count)
      say("\(count)")
    }
    return
  }
  // With SIGXFSZ ignored, write(2) fails instead.
  signal(SIGXFSZ, SIG_IGN)
  for block in 1...5 as ClosedRange<Int64> {
    // Two blocks fit, and part of a third.
    limitFiles(block == 3 || block == 4 ? 1000 : .max)
    do throws(HistoryError) {
      try write(block)
      say("\(block)")
    } catch { say("error: \(error)") }
  }
}

let mode = CommandLine.arguments.last ?? ""
do throws(HistoryError) {
  if mode.hasPrefix("movement") {
    var writer = try MovementWriter(MovementStore(folder: store.folder))
    var entry = MovementEntry(begin: HostClocks.system.now().boot, end: .zero)
    entry.counts.steps = 1
    try run(mode) { _ throws(HistoryError) in
      entry.end = HostClocks.system.now().boot
      try writer.append(entry)
      entry.begin = entry.end
    }
  } else {
    var writer = try SampleWriter(store)
    try run(mode) { block throws(HistoryError) in try writer.append(samples(block)) }
  }
} catch {
  say("error: \(error)")
}
