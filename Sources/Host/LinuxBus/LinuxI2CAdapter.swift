// SPDX-License-Identifier: Apache-2.0
internal import LinuxSystem
public import Registers
internal import CLinux

/// An open I2C adapter (i2c-dev). Threads may share it: the kernel serialises transactions, and a
/// lock covers those that take two system calls (SMBus). A transaction allocates nothing.
public final class LinuxI2CAdapter: Sendable {
  /// The path of the adapter's node, /dev/i2c-N.
  public let path: String
  /// The number N, which sysfs and kernel messages use; `nil` if the node is not an i2c-dev node.
  public let number: Int?
  private let transport: I2CTransport<SystemI2CKernel>

  /// Opens the node and reads the transfers that the adapter supports (I2C_FUNCS). An error of
  /// either step is reported as an error of opening.
  public init(path: String) throws(OpenError) {
    let descriptor = try OwnedDescriptor(opening: path, as: .i2c)
    var functionality: UInt64 = 0
    // The C function does not keep the pointer.
    let result = unsafe otolith_i2c_functionality(descriptor.rawValue, &functionality)
    guard result >= 0 else { throw OpenError(.i2c, path, errno: -result) }
    var node = otolith_node()
    // A node of i2c-dev has the major number 89, and the adapter's number as minor number, whatever
    // its name (kernel Documentation/admin-guide/devices). fstat(2) does not keep the pointer.
    let status = unsafe otolith_node_of(descriptor.rawValue, &node)
    number = status == 0 && node.major == 89 ? Int(node.minor) : nil
    self.path = path
    transport = I2CTransport(
      SystemI2CKernel(descriptor), I2CFunctionality(rawValue: functionality))
  }

  /// The transfers that the adapter supports.
  public var functionality: I2CFunctionality { transport.functionality }

  /// The longest write in bytes, including the register.
  public var longestWrite: Int { transport.longestWrite }

  /// The longest read in bytes that fits into one transaction: 8192, or 32 if the adapter supports
  /// only SMBus.
  public var longestRead: Int { transport.longestRead }

  /// Sends `bytes`, the first of which is the register, to the 7-bit `address`. Does nothing if
  /// `bytes` is empty.
  public func write(_ bytes: Span<UInt8>, to address: UInt8) throws(BusError) {
    try transport.write(bytes, to: address)
  }

  /// Sends `register` to the 7-bit `address`, then fills `bytes` from the device. Does nothing if
  /// `bytes` is empty.
  ///
  /// `advances` matters only on adapters that support only SMBus, on which a transfer ends after 32
  /// bytes. With `true` a longer read continues in further transactions at the register after the
  /// last register that was read, which suits identity and calibration registers. With `false` a
  /// longer read throws `.tooLong(limit: 32)`: a read of a FIFO must not continue at the next
  /// register, nor be split inside a record, whose length only the driver knows.
  public func read(
    _ bytes: inout MutableSpan<UInt8>, after register: UInt8, from address: UInt8,
    advances: Bool = false
  ) throws(BusError) {
    try transport.read(&bytes, after: register, from: address, advances: advances)
  }

  /// Returns true if a device acknowledges `address`. Probes with a quick write, and at the
  /// addresses of memories with a byte read, as i2cdetect(8) does. Throws `.busy` if a kernel
  /// driver uses the address.
  public func probe(_ address: UInt8) throws(BusError) -> Bool { try transport.probe(address) }

  /// Returns the name of the kernel driver that is bound to `address`; `nil` if the address is
  /// free, "unknown" if sysfs does not name the driver.
  public func ownerDriver(of address: UInt8) -> String? {
    guard address < 0x80, transport.claim(address) == -busyError else { return nil }
    return driverName(of: address) ?? "unknown"
  }

  /// Checks that no kernel driver is bound to `address`. Call this function once when a sensor is
  /// opened: I2C_RDWR does not check, so two drivers would use the chip at the same time. Throws
  /// `.busy` with the driver's name.
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
  /// Creates the error for one address that the adapter refuses, most likely because a kernel
  /// driver uses it.
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

/// Returns the name in sysfs of the device at an address: bus number, dash, four hexadecimal
/// digits.
package func i2cDeviceName(_ bus: Int, _ address: UInt8) -> String {
  "\(bus)-00\(hexadecimal(address))"
}
