// SPDX-License-Identifier: Apache-2.0
internal import LinuxSystem
public import Registers
internal import CLinux

/// An I2C adapter, open through i2c-dev. Safe to share: the kernel serialises transactions, and a
/// lock covers those that take two system calls (SMBus). A transaction allocates nothing.
public final class LinuxI2CAdapter: Sendable {
  /// The node, /dev/i2c-N.
  public let path: String
  /// N, which sysfs and kernel messages use; `nil` if the node is not an i2c-dev node.
  public let number: Int?
  private let transport: I2CTransport<SystemI2CKernel>

  /// Opens the node and reads the adapter's functionality (I2C_FUNCS). Throws with the open-time
  /// meaning of the errno.
  public init(path: String) throws(OpenError) {
    let descriptor = try OwnedDescriptor(opening: path, as: .i2c)
    var functionality: UInt64 = 0
    // The pointer is valid for the call only.
    let result = unsafe otolith_i2c_functionality(descriptor.rawValue, &functionality)
    guard result >= 0 else { throw OpenError(.i2c, path, errno: -result) }
    var node = otolith_node()
    // i2c-dev's nodes have major number 89 and the adapter's number as minor, whatever their name
    // (kernel Documentation/admin-guide/devices). The pointer is valid for the call only.
    let status = unsafe otolith_node_of(descriptor.rawValue, &node)
    number = status == 0 && node.major == 89 ? Int(node.minor) : nil
    self.path = path
    transport = I2CTransport(
      SystemI2CKernel(descriptor), I2CFunctionality(rawValue: functionality))
  }

  /// The transfers that the adapter supports.
  public var functionality: I2CFunctionality { transport.functionality }

  /// The longest write in bytes, register included.
  public var longestWrite: Int { transport.longestWrite }

  /// The longest read in bytes within one transaction: 8192, or 32 where the adapter supports SMBus
  /// only.
  public var longestRead: Int { transport.longestRead }

  /// Sends `bytes`, the register first, to the 7-bit `address`; does nothing if `bytes` is empty.
  public func write(_ bytes: Span<UInt8>, to address: UInt8) throws(BusError) {
    try transport.write(bytes, to: address)
  }

  /// Fills `bytes` after sending `register` to the 7-bit `address`; does nothing if `bytes` is
  /// empty.
  ///
  /// `advances` matters only on SMBus-only adapters, where a transfer ends after 32 bytes. With
  /// `true` a longer read continues in further transactions at the register after the last one
  /// read; that suits identity and calibration registers. With `false` a longer read throws
  /// `.tooLong(limit: 32)`: a FIFO port must not continue at the next register, nor be split inside
  /// a record, and only the driver knows the record's length.
  public func read(
    _ bytes: inout MutableSpan<UInt8>, after register: UInt8, from address: UInt8,
    advances: Bool = false
  ) throws(BusError) {
    try transport.read(&bytes, after: register, from: address, advances: advances)
  }

  /// Returns true if a device acknowledges `address`. Probes with a quick write, and at the
  /// addresses of memories by reading a byte, as i2cdetect(8) does. Throws `.busy` if a kernel
  /// driver owns the address.
  public func probe(_ address: UInt8) throws(BusError) -> Bool { try transport.probe(address) }

  /// The kernel driver bound to `address`; `nil` if the address is free, "unknown" where sysfs
  /// does not name the driver.
  public func ownerDriver(of address: UInt8) -> String? {
    guard address < 0x80, transport.claim(address) == -busyError else { return nil }
    return driverName(of: address) ?? "unknown"
  }

  /// Checks that no kernel driver is bound to `address`. Call it once when opening a sensor:
  /// I2C_RDWR does not check, so two drivers would use the chip at the same time. Throws `.busy`
  /// with the driver's name.
  public func claim(_ address: UInt8) throws(OpenError) {
    let result = address < 0x80 ? transport.claim(address) : -invalidError
    guard result < 0 else { return }
    throw OpenError(refusing: address, on: path, adapter: number, errno: -result)
  }

  private func driverName(of address: UInt8) -> String? {
    number.flatMap { BoundDevice.i2c(bus: $0, address: address)?.driver }
  }
}

extension OpenError {
  /// An error for one address that the adapter refuses, most likely because a kernel driver owns
  /// it.
  package init(
    refusing address: UInt8, on path: String, adapter number: Int?, errno: Int32,
    sysfs: String = "/sys"
  ) {
    let device = number.flatMap { BoundDevice.i2c(bus: $0, address: address, sysfs: sysfs) }
    self.init(
      .i2c, path, errno: errno,
      cause: Cause(
        errno: errno, kind: .i2c, group: DeviceKind.i2c.usualGroup, holder: device?.driver),
      address: address, device: device)
  }
}

/// Returns the name in sysfs of the device at an address: bus, dash, four hexadecimal digits.
package func i2cDeviceName(_ bus: Int, _ address: UInt8) -> String {
  "\(bus)-00\(hexadecimal(address))"
}
