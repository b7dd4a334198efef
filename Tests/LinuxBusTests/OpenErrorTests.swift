// SPDX-License-Identifier: Apache-2.0
import CLinuxBusTestSupport
import Foundation
import LinuxBus
import LinuxSystem
import Synchronization
import Testing

/// Numbers are typed from asm-generic/errno.h, so that a wrong constant in the source cannot agree
/// with itself.
@Suite struct OpenErrorTests {
  @Test(
    arguments: [
      (2, DeviceKind.i2c, OpenError.Cause.missing),  // ENOENT
      (20, .i2c, .missing),  // ENOTDIR
      (6, .spi, .missing),  // ENXIO
      (19, .i2c, .missing),  // ENODEV
      (19, .gpioChip, .notThatKindOfDevice),
      (13, .i2c, .noPermission(group: "i2c")),  // EACCES
      (1, .i2c, .noPermission(group: "i2c")),  // EPERM
      (16, .gpioLine, .busy(driver: "button")),  // EBUSY
      (11, .lock, .busy(driver: "button")),  // EWOULDBLOCK
      (25, .i2c, .notThatKindOfDevice),  // ENOTTY
      (21, .spi, .notThatKindOfDevice),  // EISDIR
      (22, .spi, .unsupported),  // EINVAL
      (95, .gpioLine, .unsupported),  // EOPNOTSUPP
      (24, .i2c, .other),  // EMFILE
    ] as [(Int32, DeviceKind, OpenError.Cause)])
  func `each errno of an open is its cause`(errno: Int32, kind: DeviceKind, cause: OpenError.Cause)
  {
    #expect(OpenError.Cause(errno: errno, kind: kind, group: "i2c", holder: "button") == cause)
  }

  @Test func `a missing node is reported with what to enable`() {
    let error = #expect(throws: OpenError.self) { try LinuxI2CAdapter(path: "/dev/i2c-256") }
    #expect(error?.cause == .missing)
    #expect(error?.errno == 2)
    #expect(error?.description.hasPrefix("/dev/i2c-256 does not exist: enable I2C (sudo ") == true)
    #expect(error?.description.contains("buses present: ") == true)
  }

  @Test func `/dev/null is not an I2C bus`() {
    let error = #expect(throws: OpenError.self) { try LinuxI2CAdapter(path: "/dev/null") }
    #expect(error?.cause == .notThatKindOfDevice)
    #expect(error?.errno == 25)
    #expect(error?.description.hasPrefix("/dev/null is no I2C bus: check the path") == true)
  }

  @Test func `/dev/null is not an SPI device`() {
    let error = #expect(throws: OpenError.self) {
      try LinuxSPIDevice(path: "/dev/null", mode: 0, speed: 1_000_000)
    }
    #expect(error?.cause == .notThatKindOfDevice)
    #expect(error?.kind == .spi)
  }

  @Test func `a directory is not a bus`() {
    let error = #expect(throws: OpenError.self) { try LinuxI2CAdapter(path: "/dev") }
    #expect(error?.cause == .notThatKindOfDevice)
  }

  @Test func `a refused permission names the group and the command`() {
    let error = OpenError(.i2c, "/dev/i2c-1", errno: 13, cause: .noPermission(group: "i2c"))
    #expect(
      error.description
        == "no permission to open /dev/i2c-1: your user is not in group i2c; "
        + "run: sudo usermod -aG i2c $USER, then log in again")
  }

  @Test func `the group is that of the device node`() {
    // /dev/tty belongs to group tty (5) on Debian; if it belongs to root, the usual group of the
    // kind is named.
    let error = OpenError(.i2c, "/dev/tty", errno: 13)
    #expect(
      error.cause == .noPermission(group: "tty") || error.cause == .noPermission(group: "i2c"))
    #expect(OpenError(.spi, "/dev/null", errno: 13).cause == .noPermission(group: "spi"))
    #expect(OpenError(.gpioLine, "INT1", errno: 13).cause == .noPermission(group: "gpio"))
  }

  @Test func `a refusal in a container names the option of the container`() {
    let error = OpenError(.i2c, "/dev/i2c-1", errno: 1, cause: .noPermission(group: "i2c"))
    #expect(error.description.contains("--device /dev/i2c-1"))
  }

  @Test func `an address that is in use names its driver`() {
    let error = OpenError(
      .i2c, "/dev/i2c-1", errno: 16, cause: .busy(driver: "inv-mpu6050-i2c"), address: 0x68)
    #expect(
      error.description.hasPrefix("address 0x68 on /dev/i2c-1 is in use by inv-mpu6050-i2c: "))
  }

  /// Calls `body` with a simulated sysfs: a folder for each device, with a link to its driver.
  func withSysfs(
    _ devices: [(bus: String, name: String, driver: String?)], _ body: (String) throws -> Void
  )
    throws
  {
    let root = FileManager.default.temporaryDirectory
      .appendingPathComponent("otolith-sysfs-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: root) }
    for (bus, name, driver) in devices {
      let device = "\(root)/bus/\(bus)/devices/\(name)"
      try FileManager.default.createDirectory(atPath: device, withIntermediateDirectories: true)
      guard let driver else { continue }
      try FileManager.default.createSymbolicLink(
        atPath: "\(device)/driver", withDestinationPath: "../../../../bus/\(bus)/drivers/\(driver)")
    }
    try body(root)
  }

  @Test func `an address that is in use is freed by one command`() throws {
    try withSysfs([("i2c", "1-0068", "inv-mpu6050-i2c")]) { sysfs in
      let error = OpenError(
        refusing: 0x68, on: "/dev/i2c-1", adapter: 1, errno: 16, sysfs: sysfs)
      #expect(error.cause == .busy(driver: "inv-mpu6050-i2c"))
      #expect(
        error.description
          == "address 0x68 on /dev/i2c-1 is in use by inv-mpu6050-i2c: free it with: echo 1-0068 | "
          + "sudo tee /sys/bus/i2c/drivers/inv-mpu6050-i2c/unbind; permanently: remove the "
          + "driver's overlay from /boot/firmware/config.txt")
    }
  }

  @Test func `a chip select of another driver is reported with the way to free it`() throws {
    try withSysfs([("spi", "spi7.1", "bmi160_spi")]) { sysfs in
      let error = OpenError(.spi, "/dev/spidev7.1", errno: 2, sysfs: sysfs)
      #expect(error.cause == .busy(driver: "bmi160_spi"))
      #expect(
        error.description
          == "/dev/spidev7.1 is in use by bmi160_spi: give it to spidev: echo spi7.1 | sudo tee "
          + "/sys/bus/spi/drivers/bmi160_spi/unbind; sudo modprobe spidev; echo spidev | sudo tee "
          + "/sys/bus/spi/devices/spi7.1/driver_override; echo spi7.1 | sudo tee "
          + "/sys/bus/spi/drivers/spidev/bind; permanently: remove the driver's overlay from "
          + "/boot/firmware/config.txt")
    }
  }

  @Test func `a chip select without a driver is reported with the way to bind one`() throws {
    try withSysfs([("spi", "spi7.1", nil)]) { sysfs in
      let error = OpenError(.spi, "/dev/spidev7.1", errno: 2, sysfs: sysfs)
      #expect(error.cause == .missing)
      #expect(
        error.description
          == "/dev/spidev7.1 does not exist: no driver has spi7.1; give it to spidev: sudo modprobe "
          + "spidev; echo spidev | sudo tee /sys/bus/spi/devices/spi7.1/driver_override; echo spi7.1 | "
          + "sudo tee /sys/bus/spi/drivers/spidev/bind")
    }
  }

  @Test func `a chip select of spidev without a node is reported with a hint about containers`()
    throws
  {
    try withSysfs([("spi", "spi7.1", "spidev")]) { sysfs in
      let error = OpenError(.spi, "/dev/spidev7.1", errno: 2, sysfs: sysfs)
      #expect(error.cause == .missing)
      #expect(
        error.description.hasSuffix("in a container, pass the node in (--device /dev/spidev7.1)"))
    }
  }

  @Test func `a missing chip select lists those that exist`() throws {
    try withSysfs([
      ("spi", "spi7.0", "bmi160_spi"), ("spi", "spi7.2", nil), ("spi", "spi7.3", "spidev"),
    ]) {
      sysfs in
      let error = OpenError(.spi, "/dev/spidev7.1", errno: 2, sysfs: sysfs)
      #expect(error.cause == .missing && error.device == nil)
      #expect(error.description.hasPrefix("/dev/spidev7.1 does not exist: enable SPI (sudo "))
      #expect(error.description.hasSuffix("spi7.0 (bmi160_spi), spi7.2"))
    }
    // Names that are not chip selects.
    for path in ["/dev/spidev", "/dev/spidev7", "/dev/spidev7.x", "/dev/null", "/"] {
      #expect(BoundDevice.spi(node: path) == nil)
    }
  }

  @Test func `a missing line names similar ones`() {
    let error = OpenError(
      .gpioLine, "GPIO77", errno: 2, cause: .missing, present: ["GPIO17", "GPIO7"])
    #expect(error.description == "GPIO line \"GPIO77\" does not exist: similar: GPIO17, GPIO7")
  }

  @Test func `every description is one line`() {
    for kind in DeviceKind.allCases {
      for errno in Int32(1)...133 {
        let text = OpenError(kind, "/nonexistent", errno: errno).description
        #expect(!text.contains("\n") && !text.isEmpty)
      }
    }
  }

  @Test func `an ambiguous line names all its places`() {
    let error = OpenError(
      .gpioLine, "INT", errno: 22, cause: .other,
      present: ["/dev/gpiochip0:4", "/dev/gpiochip1:9"])
    #expect(
      error.description == "GPIO line \"INT\" is not unique: /dev/gpiochip0:4, /dev/gpiochip1:9; "
        + "choose by chip label and offset")
  }

  /// Opens `path` as the user nobody on a separate thread; returns `nil` if the test may not.
  func openingAsNobody(_ path: String) throws -> OpenError? {
    let seen = Mutex<OpenError?>(nil)
    let thread = try startThread(name: "nobody") {
      guard otolith_test_open_as(65534) else { return }
      do throws(OpenError) { _ = try LinuxI2CAdapter(path: path) } catch {
        seen.withLock { $0 = error }
      }
    }
    thread.join()
    return seen.withLock { $0 }
  }

  @Test(.enabled(if: getuid() == 0, "needs root to become nobody"))
  func `the kernel refuses other users`() throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("otolith-node-\(UUID().uuidString)").path
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    defer { try? FileManager.default.removeItem(atPath: path) }
    // The group daemon has number 1 on every Debian.
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o660, .groupOwnerAccountID: 1], ofItemAtPath: path)
    let grouped = try openingAsNobody(path)
    #expect(grouped?.errno == 13)
    #expect(grouped?.cause == .noPermission(group: "daemon"))
    #expect(grouped?.description.contains("sudo usermod -aG daemon $USER") == true)

    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    let alone = try openingAsNobody(path)
    #expect(alone?.cause == .noPermission(group: "i2c"))
    #expect(alone?.description.contains("only root can access it; add a udev rule") == true)
  }
}
