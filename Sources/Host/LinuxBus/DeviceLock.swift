// SPDX-License-Identifier: Apache-2.0
internal import LinuxSystem
internal import CLinux
internal import SystemPackage

/// A lock that prevents a second otolith process from using a sensor: an exclusive lock on one byte
/// of the device node (fcntl(2), open file description locks). The kernel releases the lock however
/// the process ends. The lock does not affect other programs and needs no lock directory, and only
/// users who may open the node can hold it.
public struct DeviceLock: ~Copyable, Sendable {
  /// The path of the locked device node.
  public let path: String
  private let descriptor: OwnedDescriptor
  private let slot: UInt8

  /// Locks `address` on the bus at path `bus`. Links are followed, so that two names of a node
  /// share a lock. Without an address the whole node is locked, as for SPI. Throws `.busy` with the
  /// owner's process ID, and the errors of opening the node.
  public init(bus: String, address: UInt8? = nil) throws(OpenError) {
    let owned = try OwnedDescriptor(opening: bus, as: address == nil ? .spi : .i2c)
    // A lock on byte 0 stands for the whole node, because no device has address 0.
    let slot = address ?? 0
    let result = otolith_lock_take(owned.rawValue, slot)
    guard result >= 0 else {
      throw OpenError(
        .lock, bus, errno: -result,
        cause: OpenError.Cause(
          errno: -result, kind: .lock, group: DeviceKind.lock.usualGroup,
          holder: DeviceLock.holder(Int(otolith_lock_holder(owned.rawValue, slot)))),
        address: address)
    }
    path = bus
    descriptor = owned
    self.slot = slot
  }

  /// True while the device node exists; false if the node is gone, for example because the adapter
  /// was unplugged. The lock then has no effect, and its open descriptor prevents the kernel from
  /// removing the adapter.
  package var isCurrent: Bool { otolith_is_linked(descriptor.rawValue) != 0 }

  /// Releases the device lock now instead of when this value is destroyed.
  public consuming func unlock() {}

  // Closing the descriptor does not release the lock if a child process, forked by another thread,
  // has not called exec yet, because the child shares the lock (fcntl(2)).
  deinit { otolith_lock_release(descriptor.rawValue, slot) }

  private static func holder(_ id: Int) -> String? {
    guard id > 0 else { return nil }
    let words = Sysfs.contents(of: "/proc/\(id)/cmdline").map {
      $0.split(separator: 0, omittingEmptySubsequences: false).prefix(2).map {
        String(decoding: $0, as: UTF8.self)
      }
    }
    if let words, words.count == 2, words[0].split(separator: "/").last == "otolith",
      words[1] == "service"
    {
      return "\(serviceName) (process \(id))"
    }
    let name = Sysfs.contents(of: "/proc/\(id)/comm").map {
      String(decoding: $0.prefix { $0 != 10 }, as: UTF8.self)
    }
    return "process \(id)\(name.map { " (\($0))" } ?? "")"
  }
}

/// The word that errors use for the process that shares its sensors with others.
let serviceName = "the otolith service"
