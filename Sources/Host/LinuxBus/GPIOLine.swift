// SPDX-License-Identifier: Apache-2.0
public import Registers
internal import CLinux
public import Quantities
internal import Synchronization

/// A GPIO line that is a sensor's interrupt. The line returns edges with the kernel's timestamps
/// (libgpiod; kernel Documentation/userspace-api/gpio). This object may be moved between threads,
/// and reading allocates nothing.
public final class GPIOLine: Sendable {
  /// The edges of the line that the kernel reports.
  public enum Edge: Equatable, Sendable {
    case rising
    case falling
    case both
  }

  /// The pull-up or pull-down resistor in the GPIO chip. Setting the resistor requires Linux 5.5,
  /// and a chip that has such resistors.
  public enum Bias: Equatable, Sendable {
    /// The pull resistor of the line is not changed; in most cases the device tree has set it.
    case asIs
    case disabled
    case pullUp
    case pullDown
  }

  /// The path of the GPIO chip's node, which may change at a reboot.
  public let chipPath: String
  /// The number of the line on its GPIO chip.
  public let offset: Int
  /// The descriptor, which is readable while edges wait. The descriptor is valid as long as the
  /// line exists.
  public let fileDescriptor: Int32
  private let request: Mutex<LineRequest>

  /// Requests the line with this name on any chip. Throws `.missing` with similar names, `.busy`
  /// with the name of the line's user, and `.noPermission`.
  public convenience init(named name: String, edge: Edge, bias: Bias = .asIs) throws(OpenError) {
    let (path, offset) = try findLine(named: name)
    try self.init(path: path, offset: offset, name: name, edge: edge, bias: bias)
  }

  /// Requests the line at `offset` of the chip whose label is `chipLabel` (pinctrl-bcm2711,
  /// pinctrl-rp1...). Throws `.missing` with the existing labels, `.busy` with the name of the
  /// line's user, and `.noPermission`.
  public convenience init(
    chipLabel: String, offset: Int, edge: Edge, bias: Bias = .asIs
  ) throws(OpenError) {
    let path = try findChip(labelled: chipLabel)
    try self.init(
      path: path, offset: offset, name: "\(chipLabel):\(offset)", edge: edge, bias: bias)
  }

  private init(path: String, offset: Int, name: String, edge: Edge, bias: Bias)
    throws(OpenError)
  {
    let request = try LineRequest(path, offset, edge.shimValue, bias.shimValue, name: name)
    chipPath = path
    self.offset = offset
    fileDescriptor = request.descriptor
    self.request = Mutex(request)
  }

  /// Reads all waiting edges, at most 1024. Keeps only their number and the times of the first and
  /// the last. Never blocks. Throws `.adapterGone` if the chip was removed.
  public func readEdges() throws(BusError) -> EdgeBatch {
    var batch = EdgeBatch()
    var count = chunk
    // The number of edges is limited, because a line that changes faster than it can be read would
    // otherwise keep the reader in this loop.
    while count == chunk, batch.count < 1024 {
      count = try take(chunk, &batch) { _, _ in }
    }
    return batch
  }

  /// Reads waiting edges, oldest first, up to the size of `times`; further edges remain for the
  /// next read. Only the first `count` elements of `times` are written. Never blocks. Throws
  /// `.adapterGone` if the chip was removed.
  public func readEdges(into times: inout MutableSpan<Timestamp>) throws(BusError) -> EdgeBatch {
    var batch = EdgeBatch()
    while batch.count < times.count {
      let start = batch.count
      let room = min(chunk, times.count - start)
      let count = try take(room, &batch) { times[start + $0] = $1 }
      if count < room { break }
    }
    return batch
  }

  /// Returns true if the GPIO line is high now. Throws as `readEdges` does.
  public func isHigh() throws(BusError) -> Bool {
    let level = request.withLock { $0.level }
    guard level >= 0 else {
      throw level == -noDeviceError ? .adapterGone : .system(errno: -level)
    }
    return level > 0
  }

  private var chunk: Int { Int(OTOLITH_GPIO_EDGES_MAX) }

  private func take(
    _ room: Int, _ batch: inout EdgeBatch, _ each: (Int, Timestamp) -> Void
  ) throws(BusError) -> Int {
    let result = request.withLock { request in
      let count = request.read(room)
      for i in 0..<max(0, count) {
        let edge = request.edges.span[i]
        let time = Timestamp(nanoseconds: edge.nanoseconds)
        batch.append(time, sequence: edge.sequence, after: &request.lastSequence)
        each(i, time)
      }
      return count
    }
    guard result >= 0 else {
      throw -result == Int(noDeviceError) ? .adapterGone : .system(errno: Int32(-result))
    }
    return result
  }
}

extension GPIOLine.Edge {
  fileprivate var shimValue: otolith_gpio_edges {
    switch self {
    case .rising: OTOLITH_GPIO_RISING
    case .falling: OTOLITH_GPIO_FALLING
    case .both: OTOLITH_GPIO_BOTH
    }
  }
}

extension GPIOLine.Bias {
  fileprivate var shimValue: otolith_gpio_bias {
    switch self {
    case .asIs: OTOLITH_GPIO_BIAS_AS_IS
    case .disabled: OTOLITH_GPIO_BIAS_DISABLED
    case .pullUp: OTOLITH_GPIO_BIAS_PULL_UP
    case .pullDown: OTOLITH_GPIO_BIAS_PULL_DOWN
    }
  }
}
