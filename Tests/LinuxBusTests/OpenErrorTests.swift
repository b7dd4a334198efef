// SPDX-License-Identifier: Apache-2.0
import CLinuxBusTestSupport
import Foundation
import LinuxBus
import Synchronization
import Testing

/// Numbers are typed again by hand from asm-generic/errno.h, so that a wrong constant in the source
/// cannot agree with itself.
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
      (11, .thread, .other),  // EAGAIN
      (25, .i2c, .notThatKindOfDevice),  // ENOTTY
      (21, .spi, .notThatKindOfDevice),  // EISDIR
      (22, .spi, .unsupported),  // EINVAL
      (95, .gpioLine, .unsupported),  // EOPNOTSUPP
      (24, .descriptor, .other),  // EMFILE
    ] as [(Int32, DeviceKind, OpenError.Cause)])
  func openTimeTable(errno: Int32, kind: DeviceKind, cause: OpenError.Cause) {
    #expect(OpenError.Cause(errno: errno, kind: kind, group: "i2c", holder: "button") == cause)
  }

  @Test func missingNode() {
    let error = #expect(throws: OpenError.self) { try LinuxI2CAdapter(path: "/dev/i2c-256") }
    #expect(error?.cause == .missing)
    #expect(error?.errno == 2)
    #expect(error?.description.hasPrefix("/dev/i2c-256 does not exist: enable I2C (sudo ") == true)
    #expect(error?.description.contains("buses present: ") == true)
  }

  @Test func nullIsNoBus() {
    let error = #expect(throws: OpenError.self) { try LinuxI2CAdapter(path: "/dev/null") }
    #expect(error?.cause == .notThatKindOfDevice)
    #expect(error?.errno == 25)
    #expect(error?.description.hasPrefix("/dev/null is no I2C bus: check the path") == true)
  }

  @Test func nullIsNoSPIDevice() {
    let error = #expect(throws: OpenError.self) {
      try LinuxSPIDevice(path: "/dev/null", mode: 0, speed: 1_000_000)
    }
    #expect(error?.cause == .notThatKindOfDevice)
    #expect(error?.kind == .spi)
  }

  @Test func directoryIsNoBus() {
    let error = #expect(throws: OpenError.self) { try LinuxI2CAdapter(path: "/dev") }
    #expect(error?.cause == .notThatKindOfDevice)
  }

  @Test func permissionNamesTheGroupAndTheCommand() {
    let error = OpenError(.i2c, "/dev/i2c-1", errno: 13, cause: .noPermission(group: "i2c"))
    #expect(
      error.description
        == "no permission to open /dev/i2c-1: your user is not in group i2c; "
        + "run: sudo usermod -aG i2c $USER, then log in again")
  }

  @Test func groupComesFromTheNode() {
    // /dev/tty belongs to group tty (5) on Debian; where it is root's, the usual group of the kind
    // stands in.
    let error = OpenError(.i2c, "/dev/tty", errno: 13)
    #expect(
      error.cause == .noPermission(group: "tty") || error.cause == .noPermission(group: "i2c"))
    #expect(OpenError(.spi, "/dev/null", errno: 13).cause == .noPermission(group: "spi"))
    #expect(OpenError(.gpioLine, "INT1", errno: 13).cause == .noPermission(group: "gpio"))
  }

  @Test func containerRefusalAdvisesTheContainer() {
    let error = OpenError(.i2c, "/dev/i2c-1", errno: 1, cause: .noPermission(group: "i2c"))
    #expect(error.description.contains("--device /dev/i2c-1"))
  }

  @Test func ownedAddressNamesTheDriver() {
    let error = OpenError(
      .i2c, "/dev/i2c-1", errno: 16, cause: .busy(driver: "inv-mpu6050-i2c"), address: 0x68)
    #expect(
      error.description.hasPrefix("address 0x68 on /dev/i2c-1 is in use by inv-mpu6050-i2c: "))
  }

  @Test func lineNamesWhatIsLikeIt() {
    let error = OpenError(
      .gpioLine, "GPIO77", errno: 2, cause: .missing, present: ["GPIO17", "GPIO7"])
    #expect(error.description == "GPIO line \"GPIO77\" does not exist: similar: GPIO17, GPIO7")
  }

  @Test func everyDescriptionIsOneLine() {
    for kind in DeviceKind.allCases {
      for errno in Int32(1)...133 {
        let text = OpenError(kind, "/nonexistent", errno: errno).description
        #expect(!text.contains("\n") && !text.isEmpty)
      }
    }
  }

  @Test func ambiguousLineNamesAllPlaces() {
    let error = OpenError(
      .gpioLine, "INT", errno: 22, cause: .other,
      present: ["/dev/gpiochip0:4", "/dev/gpiochip1:9"])
    #expect(
      error.description == "GPIO line \"INT\" is not the only one of its name: "
        + "/dev/gpiochip0:4, /dev/gpiochip1:9; choose by chip label and offset")
  }

  /// Opens `path` as the user nobody, on a thread of its own; `nil` where the test may not.
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
  func kernelRefusesOtherUsers() throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("otolith-node-\(UUID().uuidString)").path
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    defer { try? FileManager.default.removeItem(atPath: path) }
    // Group daemon is 1 on every Debian.
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o660, .groupOwnerAccountID: 1], ofItemAtPath: path)
    let grouped = try openingAsNobody(path)
    #expect(grouped?.errno == 13)
    #expect(grouped?.cause == .noPermission(group: "daemon"))
    #expect(grouped?.description.contains("sudo usermod -aG daemon $USER") == true)

    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    let alone = try openingAsNobody(path)
    #expect(alone?.cause == .noPermission(group: "i2c"))
    #expect(alone?.description.contains("it belongs to root alone; add a udev rule") == true)
  }
}
