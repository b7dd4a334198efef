// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import LinuxSystem

/// The reason why a device could not be opened. Errors of transfers have another type, because the
/// same errno has another meaning in a transfer: ENOENT is a missing node here, and in a transfer a
/// missing acknowledgement.
public struct OpenError: Error, Equatable, Sendable {
  /// The meaning of an errno that opening a device returned.
  public enum Cause: Equatable, Sendable {
    /// There is no device node, chip, line or directory with this name.
    case missing
    /// The device node belongs to `group`, of which this process is not a member.
    case noPermission(group: String)
    /// The device is in use by a kernel driver, by the user of a GPIO line, or by another process;
    /// `nil` if the name of the user is unknown.
    case busy(driver: String?)
    /// The node is of another kind: it does not support the requests for the expected kind.
    case notThatKindOfDevice
    /// The device is of the right kind but does not support what was requested: an SPI mode, a
    /// bias, edges.
    case unsupported
    /// The error has another cause; see the errno.
    case other
  }

  /// The kind of device that was to be opened.
  public let kind: DeviceKind
  /// The path of the node. For a GPIO line this is the line's name, or the chip's label and the
  /// line's offset.
  public let path: String
  /// The error number of the operating system, errno(3).
  public let errno: Int32
  /// The meaning of the errno.
  public let cause: Cause
  /// The I2C address, if only this address and not the whole bus was refused.
  public let address: UInt8?
  /// The devices that exist instead: nodes, chip labels or line names.
  public let present: [String]
  /// The device that sysfs lists at the address or the chip select, if that device explains the
  /// error.
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

  /// Creates the error with its cause, and with the node's group or the alternatives that exist.
  package init(_ kind: DeviceKind, _ path: String, errno: Int32, sysfs: String = "/sys") {
    let node = nodeGroup(of: path)
    var cause = Cause(errno: errno, kind: kind, group: node.name ?? kind.usualGroup)
    var device: BoundDevice?
    var present: [String] = []
    if cause == .missing {
      present = kind.nodes
      if kind == .spi {
        device = BoundDevice.spi(node: path, sysfs: sysfs)
        // spidev creates the node, but not while another driver is bound to the chip select.
        if let driver = device?.driver, driver != "spidev" { cause = .busy(driver: driver) }
        if device == nil { present += BoundDevice.spiWithoutNode(sysfs: sysfs).map(\.label) }
      }
    }
    self.init(
      kind, path, errno: errno, cause: cause, present: present, device: device,
      isRootsAlone: node.isRootsAlone)
  }
}

extension OpenError {
  /// Creates the error for a check of the registers of a sensor named `name`, which the kernel has.
  package init(registersOfKernelSensor name: String) {
    self.init(.kernelSensor, "the kernel's \(name)", errno: 0, cause: .unsupported)
  }

  /// Creates the error for a sensor of the kernel, named `name`, that no longer exists.
  package init(goneKernelSensor name: String) {
    self.init(
      .kernelSensor, "the kernel's \(name)", errno: notFoundError, cause: .missing,
      present: DeviceKind.kernelSensor.nodes)
  }
}

extension DeviceKind {
  /// Returns all device nodes of this kind that exist now.
  package var nodes: [String] {
    switch self {
    case .i2c: LinuxBuses.i2cPaths()
    case .spi: LinuxBuses.spiPaths()
    case .gpioChip, .gpioLine: LinuxBuses.gpioPaths()
    case .kernelSensor:
      Sysfs.names(in: "/dev").filter { $0.hasPrefix("iio:device") }.sorted().map { "/dev/\($0)" }
    case .lock: []
    }
  }
}

/// Returns the name of the group that can open a node; `nil` if there is no node, or if only root
/// may open it. In the second case a udev rule must first assign the node to the usual group.
private func nodeGroup(of path: String) -> (name: String?, isRootsAlone: Bool) {
  var node = otolith_node()
  // The C function does not keep the pointers.
  guard unsafe otolith_node_at(path, &node) == 0 else { return (nil, false) }
  // The mask of the permission bits is read and write permission for the group (inode(7)).
  guard node.group != 0, node.mode & 0o060 == 0o060 else { return (nil, true) }
  // The C function does not keep the pointer.
  let name = unsafe Sysfs.text(64) { unsafe otolith_group_name(node.group, $0, $1) }
  return (name ?? String(node.group), false)
}
