// SPDX-License-Identifier: Apache-2.0
internal import Registers
internal import CLinux
internal import Glibc
public import LinuxBus
internal import Quantities
internal import SystemPackage

/// Answers for the buses of the virtual bench, and drives its interrupt lines: the one process
/// behind the kernel module's device. One thread, which sleeps until a transaction comes or an edge
/// is due, and allocates nothing for either.
public struct KernelServer: ~Copyable {
  /// The path at which the module makes its device.
  public static var usualPath: String { OTOLITH_BENCH_PATH }
  /// The number of interrupt lines that the bench has.
  public static var lines: Int { BenchRecord.lines }

  /// Counts of what could not be done as it should.
  public struct Shortfalls: Equatable, Sendable {
    /// Changes of a line that the kernel did not take.
    public var edges = 0
    /// Answers that the kernel did not take: it had stopped waiting.
    public var answers = 0
    /// Records that were none of this program's.
    public var garbled = 0

    public init() {}
  }

  public private(set) var shortfalls = Shortfalls()

  /// The longest time for which the target's time may stand still while nothing happens.
  private static let idle = TimeSpan.milliseconds(50)
  /// After so many on end that are no records, nothing but such will come.
  private static let mostGarbled = 16

  private let device: OwnedDescriptor
  private let path: String
  private var request = [UInt8](repeating: 0, count: BenchRecord.longest)
  private var reply = [UInt8](repeating: 0, count: BenchRecord.longest)
  private var garbledOnEnd = 0

  /// Takes the device at `path`. The kernel lets one process have it.
  public init(path: String = usualPath) throws(BenchError) {
    let descriptor: FileDescriptor
    do {
      // A request that the kernel takes back between poll and read must not hold up the edges.
      descriptor = try FileDescriptor.open(
        FilePath(path), .readWrite, options: [.closeOnExec, .nonBlocking])
    } catch {
      throw BenchError(errno: (error as? Errno)?.rawValue ?? EIO, path)
    }
    let device = OwnedDescriptor(owning: descriptor)
    var status = stat()
    // Written within the call alone.
    guard unsafe fstat(device.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else {
      throw BenchError(.notADevice, path)
    }
    self.init(device, path: path)
  }

  /// Speaks to whatever keeps records apart as the device does: to a socket of SOCK_SEQPACKET. It
  /// must not block.
  package init(_ device: consuming OwnedDescriptor, path: String) {
    self.device = device
    self.path = path
  }

  /// Answers from `target` and moves its lines until `bell` rings. Throws when the device goes
  /// away.
  public mutating func serve(
    _ target: some BusTarget & InterruptLines, until bell: Doorbell
  ) throws(BenchError) {
    // An edge that is due shall not wait for others.
    setTimerSlack()
    var waiter = Waiter()
    waiter.add(bell.fileDescriptor)
    waiter.add(device.rawValue)
    var moved = monotonicNow()
    // The levels that the lines begin with.
    try move(target, until: moved)
    while true {
      let ready = try wait(
        &waiter, until: min(target.nextEdge ?? moved + Self.idle, moved + Self.idle))
      if ready.contains(0) { return }
      let now = monotonicNow()
      try move(target, until: now)
      if ready.contains(1) {
        try answer(target)
        // What the transaction itself brought about. What became due meanwhile comes next: the wait
        // is over at once.
        try move(target, until: now)
      } else if ready.failed != 0 {
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
    _ waiter: inout Waiter, until deadline: Timestamp
  ) throws(BenchError) -> ReadySet {
    do throws(BusError) { return try waiter.wait(until: deadline) } catch {
      if case .system(let number) = error { throw BenchError(.system(errno: number), path) }
      throw BenchError(.gone, path)
    }
  }

  // MARK: Transactions

  private mutating func answer(_ target: some BusTarget) throws(BenchError) {
    // Written within the call alone.
    let count = unsafe request.withUnsafeMutableBytes {
      unsafe read(device.rawValue, $0.baseAddress, $0.count)  // as above
    }
    guard count > 0 else {
      // Taken back by the kernel, or interrupted.
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

  /// Writes the first `size` bytes of `reply`. Returns whether they were taken; throws where
  /// nothing will be any more.
  private borrowing func send(_ size: Int) throws(BenchError) -> Bool {
    while true {
      // Read within the call alone.
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
