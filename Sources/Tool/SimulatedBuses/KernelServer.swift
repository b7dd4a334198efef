// SPDX-License-Identifier: Apache-2.0
internal import Registers
internal import CLinux
internal import Glibc
package import LinuxSystem
internal import Quantities
internal import SystemPackage

/// A server that offers the buses of the virtual bench through the kernel module's device, and
/// drives the bench's interrupt lines. One thread waits until a transaction arrives or an edge is
/// due; it allocates no memory for either.
package struct KernelServer: ~Copyable {
  /// The path of the kernel module's device.
  package static var usualPath: String { OTOLITH_BENCH_PATH }
  /// The number of the bench's interrupt lines.
  package static var lines: Int { BenchRecord.lines }

  /// The counts of failures that occurred while serving.
  package struct Shortfalls: Equatable, Sendable {
    /// The number of line changes that the kernel did not accept.
    package var edges = 0
    /// The number of answers that the kernel did not accept because it had stopped waiting.
    package var answers = 0
    /// The number of records whose format is unknown.
    package var garbled = 0

    package init() {}
  }

  package private(set) var shortfalls = Shortfalls()

  /// The longest time between two advances of the target if no request arrives.
  private static let idle = TimeSpan.milliseconds(50)
  /// The number of consecutive invalid records after which serving ends.
  private static let mostGarbled = 16

  private let device: OwnedDescriptor
  private let path: String
  private var request = [UInt8](repeating: 0, count: BenchRecord.longest)
  private var reply = [UInt8](repeating: 0, count: BenchRecord.longest)
  private var garbledOnEnd = 0

  /// Opens the device at `path`. The kernel allows only one process to open it.
  package init(path: String = usualPath) throws(BenchError) {
    let descriptor: FileDescriptor
    do {
      // The descriptor is non-blocking. The kernel may withdraw a request between poll and read,
      // and waiting for the next request would delay edges.
      descriptor = try FileDescriptor.open(
        FilePath(path), .readWrite, options: [.closeOnExec, .nonBlocking])
    } catch {
      throw BenchError(errno: (error as? Errno)?.rawValue ?? EIO, path)
    }
    let device = OwnedDescriptor(owning: descriptor)
    var status = stat()
    // `fstat` writes `status` only during the call.
    guard unsafe fstat(device.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else {
      throw BenchError(.notADevice, path)
    }
    self.init(device, path: path)
  }

  /// Creates a server on a non-blocking descriptor that preserves the boundaries of records, as the
  /// device does: a SOCK_SEQPACKET socket.
  package init(_ device: consuming OwnedDescriptor, path: String) {
    self.device = device
    self.path = path
  }

  /// Serves `target` and drives its interrupt lines until `wakeEvent` is signalled. Throws if the
  /// device is removed.
  package mutating func serve(
    _ target: some BusTarget & InterruptLines, until wakeEvent: WakeEvent
  ) throws(BenchError) {
    // Set the timer slack, because the kernel must not combine the wake-up for an edge with other
    // timers and so delay it.
    setTimerSlack()
    var poller = Poller()
    poller.add(wakeEvent.fileDescriptor)
    poller.add(device.rawValue)
    var moved = monotonicNow()
    // Set the initial levels of the lines.
    try move(target, until: moved)
    while true {
      try wait(&poller, until: min(target.nextEdge ?? moved + Self.idle, moved + Self.idle))
      if poller.events(of: 0).contains(.readable) { return }
      let now = monotonicNow()
      try move(target, until: now)
      let ready = poller.events(of: 1)
      if ready.contains(.readable) {
        try answer(target)
        // Drive the edges that the transaction caused. Edges that became due in the meantime are
        // driven next, because the next wait returns immediately.
        try move(target, until: now)
      } else if ready.isFailed {
        throw BenchError(.gone, path)
      }
      if now - moved >= Self.idle {
        target.advance()
        moved = now
        try move(target, until: now)
      }
    }
  }

  private borrowing func wait(
    _ poller: inout Poller, until deadline: Timestamp
  ) throws(BenchError) {
    do throws(SystemError) { try poller.wait(until: deadline) } catch {
      throw BenchError(.system(errno: error.errno), path)
    }
  }

  // MARK: Transactions

  private mutating func answer(_ target: some BusTarget) throws(BenchError) {
    // `read` writes to the buffer only during the call.
    let count = unsafe request.withUnsafeMutableBytes {
      unsafe read(device.rawValue, $0.baseAddress, $0.count)  // as above
    }
    guard count > 0 else {
      // The kernel has withdrawn the request, or a signal interrupted the call.
      if count < 0, errno == EAGAIN || errno == EINTR { return }
      throw BenchError(.gone, path)
    }
    let size = Self.answer(request, count, target, &reply)
    guard size > 0 else {
      shortfalls.garbled += 1
      garbledOnEnd += 1
      if garbledOnEnd == Self.mostGarbled { throw BenchError(.garbled, path) }
      return
    }
    garbledOnEnd = 0
    if try !send(size) { shortfalls.answers += 1 }
  }

  private static func answer(
    _ request: [UInt8], _ count: Int, _ target: some BusTarget, _ reply: inout [UInt8]
  ) -> Int {
    var room = reply.mutableSpan
    return BenchConversation.answer(
      request.span.extracting(first: count), from: target, into: &room)
  }

  // MARK: Lines

  private mutating func move(_ lines: some InterruptLines, until time: Timestamp) throws(BenchError)
  {
    while let edge = lines.takeEdge(until: time) {
      try put(edge, edge.level)
      if edge.isPulse { try put(edge, !edge.level) }
    }
  }

  private mutating func put(_ edge: LineEdge, _ level: Bool) throws(BenchError) {
    var room = reply.mutableSpan
    let size = BenchRecord.line(edge.line, level, at: edge.time, in: &room)
    if try !send(size) { shortfalls.edges += 1 }
  }

  /// Writes the first `size` bytes of `reply`. Returns true if the kernel accepted them; throws if
  /// the device is gone.
  private borrowing func send(_ size: Int) throws(BenchError) -> Bool {
    while true {
      // `write` reads the buffer only during the call.
      let count = unsafe reply.withUnsafeBytes {
        unsafe write(device.rawValue, $0.baseAddress, size)  // as above
      }
      if count == size { return true }
      guard count < 0 else { return false }
      switch errno {
      case EINTR: continue
      case ENODEV, EPIPE, ESHUTDOWN, EBADF: throw BenchError(.gone, path)
      default: return false
      }
    }
  }
}
