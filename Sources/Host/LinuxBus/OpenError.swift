// SPDX-License-Identifier: Apache-2.0
internal import CLinux

/// The reason why something could not be opened. Kept apart from transfer errors, where the same
/// errno has other meanings (ENOENT: no such node here, no acknowledgement in a transfer), so each
/// has its own table.
public struct OpenError: Error, Equatable, Sendable {
  /// The meaning of the errno when it comes from opening.
  public enum Cause: Equatable, Sendable {
    /// There is no such node, chip, line or directory.
    case missing
    /// The node belongs to `group`, and this process is not in it.
    case noPermission(group: String)
    /// In use by a kernel driver, the consumer of a GPIO line, or another process; `nil` if
    /// unknown.
    case busy(driver: String?)
    /// The node is of another kind: it does not support the requests for this kind.
    case notThatKindOfDevice
    /// The kind is right, but the device does not support what was requested (an SPI mode, a bias,
    /// edges).
    case unsupported
    /// Any other cause; see the errno.
    case other
  }

  /// The kind of device that was to be opened.
  public let kind: DeviceKind
  /// The node's path; for a GPIO line its name, or label and offset.
  public let path: String
  /// The system's error number.
  public let errno: Int32
  /// The meaning of the errno.
  public let cause: Cause
  /// The I2C address, where one address and not the whole bus was refused.
  public let address: UInt8?
  /// The alternatives that exist: nodes, chip labels, line names.
  public let present: [String]
  /// The device that sysfs lists at the address or the chip select, where it explains the error.
  public let device: BoundDevice?
  /// True if no group may open the node, so that joining a group does not help.
  package let isRootsAlone: Bool

  package init(
    _ kind: DeviceKind, _ path: String, errno: Int32, cause: Cause, address: UInt8? = nil,
    present: [String] = [], device: BoundDevice? = nil, isRootsAlone: Bool = false
  ) {
    self.kind = kind
    self.path = path
    self.errno = errno
    self.cause = cause
    self.address = address
    self.present = present
    self.device = device
    self.isRootsAlone = isRootsAlone
  }

  /// Finds the cause, with the node's group or the alternatives that exist.
  package init(_ kind: DeviceKind, _ path: String, errno: Int32, sysfs: String = "/sys") {
    let node = nodeGroup(of: path)
    var cause = Cause(errno: errno, kind: kind, group: node.name ?? kind.usualGroup)
    var device: BoundDevice?
    var present: [String] = []
    if cause == .missing {
      present = kind.nodes
      if kind == .spi {
        device = BoundDevice.spi(node: path, sysfs: sysfs)
        // spidev creates the node, and does not while another driver is bound to the chip select.
        if let driver = device?.driver, driver != "spidev" { cause = .busy(driver: driver) }
        if device == nil { present += BoundDevice.spiWithoutNode(sysfs: sysfs).map(\.label) }
      }
    }
    self.init(
      kind, path, errno: errno, cause: cause, present: present, device: device,
      isRootsAlone: node.isRootsAlone)
  }
}

extension DeviceKind {
  /// All nodes of this kind that exist now.
  package var nodes: [String] {
    switch self {
    case .i2c: LinuxBuses.i2cPaths()
    case .spi: LinuxBuses.spiPaths()
    case .gpioChip, .gpioLine: LinuxBuses.gpioPaths()
    case .lock: []
    }
  }
}

/// Returns the group that can open a node: `nil` if there is no node, or where only root may
/// open it and a udev rule would have to assign it to the usual group first.
private func nodeGroup(of path: String) -> (name: String?, isRootsAlone: Bool) {
  var node = otolith_node()
  // The pointers are valid for the call only.
  guard unsafe otolith_node_at(path, &node) == 0 else { return (nil, false) }
  // Read and write permission for the group (inode(7)).
  guard node.group != 0, node.mode & 0o060 == 0o060 else { return (nil, true) }
  // The pointer is valid for the call only.
  let name = unsafe text(64) { unsafe otolith_group_name(node.group, $0, $1) }
  return (name ?? String(node.group), false)
}
