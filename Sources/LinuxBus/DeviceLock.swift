// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import SystemPackage

/// Keeps a second otolith process off a sensor: an exclusive lock on a byte of the device node,
/// which the kernel takes back however the process ends (fcntl(2), open file description locks). It
/// is in the way of no other program, no user can hold it who may not open the node, and it needs
/// no folder.
public struct DeviceLock: ~Copyable, Sendable {
  /// The node.
  public let path: String
  private let descriptor: OwnedDescriptor
  private let slot: UInt8

  /// Locks `address` on the bus at path `bus` (links are followed, so two names of one node are one
  /// lock); without an address the whole node, as for SPI. Throws `.busy` with the owner's process
  /// id, and what opening the node throws.
  public init(bus: String, address: UInt8? = nil) throws(OpenError) {
    let owned = try OwnedDescriptor(opening: bus, as: address == nil ? .spi : .i2c)
    // Zero is no device's address.
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

  /// False where the node is gone, as when an adapter was unplugged: the lock is in the way of
  /// none then, and keeps the kernel from letting the adapter go.
  package var isCurrent: Bool { otolith_is_linked(descriptor.rawValue) != 0 }

  /// Unlocks now instead of at the end of its life.
  public consuming func unlock() {}

  // Closing alone is not enough: a child that another thread has forked and that has not reached
  // exec yet holds the same lock (fcntl(2)).
  deinit { otolith_lock_release(descriptor.rawValue, slot) }

  private static func holder(_ id: Int) -> String? {
    guard id > 0 else { return nil }
    let words = contents(of: "/proc/\(id)/cmdline").map {
      $0.split(separator: 0, omittingEmptySubsequences: false).prefix(2).map {
        String(decoding: $0, as: UTF8.self)
      }
    }
    if let words, words.count == 2, words[0].split(separator: "/").last == "otolith",
      words[1] == "service"
    {
      return "\(serviceName) (process \(id))"
    }
    let name = contents(of: "/proc/\(id)/comm").map {
      String(decoding: $0.prefix { $0 != 10 }, as: UTF8.self)
    }
    return "process \(id)\(name.map { " (\($0))" } ?? "")"
  }
}

/// The name in errors of the process that shares its sensors.
let serviceName = "the otolith service"
