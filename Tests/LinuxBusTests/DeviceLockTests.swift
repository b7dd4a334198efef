// SPDX-License-Identifier: Apache-2.0
import Foundation
import LinuxBus
import LinuxSystem
import Testing

/// The lock is on the device node itself. A file replaces it here, and a character device if there
/// is one.
@Suite struct DeviceLockTests {
  /// Calls `body` with a temporary directory that contains an empty node for each name.
  func withNodes(_ names: String..., body: (String) throws -> Void) throws {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("otolith-lock-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    for name in names {
      #expect(FileManager.default.createFile(atPath: "\(directory)/\(name)", contents: nil))
    }
    try body(directory)
  }

  /// Another process that holds the lock of `address` on `node`, taken with fcntl(2) as any program
  /// would, until it is released.
  final class Holder {
    private let process = Process()
    private let input = Pipe()

    /// `script` is the file name under which it runs, its first argument.
    init(_ node: String, _ address: UInt8, leavesNumber: Bool = true, script: String = "holder")
      throws
    {
      let folder = URL(filePath: node).deletingLastPathComponent()
      try """
      import fcntl, os, struct, sys
      node = os.open("\(node)", os.O_RDWR)
      def lock(start):
          fcntl.fcntl(node, fcntl.F_OFD_SETLK, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, start, 1, 0))
      lock(\(address))
      if \(leavesNumber ? 1 : 0): lock((\(address) + 1 << 32) + os.getpid())
      print("locked", flush=True)
      sys.stdin.read()
      """.write(to: folder.appending(path: script), atomically: true, encoding: .utf8)
      let output = Pipe()
      process.executableURL = URL(fileURLWithPath: "/bin/bash")
      process.arguments = ["-c", "exec -a /usr/local/bin/otolith /usr/bin/python3 \(script)"]
      process.currentDirectoryURL = folder
      process.standardInput = input
      process.standardOutput = output
      try process.run()
      // The end of the line may arrive separately.
      let said = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      #expect(said.hasPrefix("locked"))
    }

    var identifier: Int32 { process.processIdentifier }

    func end() throws {
      try input.fileHandleForWriting.close()
      process.waitUntilExit()
    }
  }

  private static let own: String = {
    let comm = (try? String(contentsOfFile: "/proc/self/comm", encoding: .utf8)) ?? ""
    return "process \(ProcessInfo.processInfo.processIdentifier) (\(comm.dropLast()))"
  }()

  /// The error for the second of two programs on one chip.
  @Test func `a second owner learns which sensor is taken`() throws {
    try withNodes("i2c-97", "spidev97.0") { directory in
      let i2c = directory + "/i2c-97"
      let spi = directory + "/spidev97.0"
      let places: [(String, UInt8?, String)] = [
        (i2c, 0x68, "address 0x68 on \(i2c)"), (spi, nil, spi),
      ]
      for (bus, address, place) in places {
        let first = try DeviceLock(bus: bus, address: address)
        let error = #expect(throws: OpenError.self) {
          _ = try DeviceLock(bus: bus, address: address)
        }
        #expect(error?.cause == .busy(driver: Self.own))
        #expect(
          error?.description
            == "\(place) is in use by \(Self.own): only one process can own a sensor; "
            + "stop the other one, or wait for its end")
        first.unlock()
        _ = try DeviceLock(bus: bus, address: address)
      }
    }
  }

  @Test func `two addresses of one bus are two locks, two names of one bus are one`() throws {
    try withNodes("i2c-97") { directory in
      let bus = directory + "/i2c-97"
      try FileManager.default.createSymbolicLink(
        atPath: directory + "/sensors", withDestinationPath: "i2c-97")
      let first = try DeviceLock(bus: bus, address: 0x68)
      let second = try DeviceLock(bus: bus, address: 0x69)
      #expect(throws: OpenError.self) {
        _ = try DeviceLock(bus: directory + "/sensors", address: 0x68)
      }
      #expect(throws: OpenError.self) {
        _ = try DeviceLock(bus: directory + "/sensors", address: 0x69)
      }
      first.unlock()
      second.unlock()
    }
  }

  /// No file is created: neither /run/lock nor a runtime directory is needed.
  @Test func `no file is left next to the node, and nothing is written into it`() throws {
    try withNodes("i2c-97") { directory in
      let lock = try DeviceLock(bus: directory + "/i2c-97", address: 0x68)
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["i2c-97"])
      #expect(try Data(contentsOf: URL(filePath: directory + "/i2c-97")).isEmpty)
      let path = lock.path
      #expect(path == directory + "/i2c-97")
    }
  }

  @Test func `a character device can be locked as well`() throws {
    let lock = try DeviceLock(bus: "/dev/zero", address: 0x0C)
    #expect(throws: OpenError.self) { _ = try DeviceLock(bus: "/dev/zero", address: 0x0C) }
    lock.unlock()
    _ = try DeviceLock(bus: "/dev/zero", address: 0x0C)
  }

  /// A user who may not open the node cannot lock it either.
  @Test func `only a user who may open the node can hold its lock`() throws {
    try withNodes("i2c-97") { directory in
      let node = directory + "/i2c-97"
      try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: node)
      guard geteuid() != 0 else { return }
      let error = #expect(throws: OpenError.self) { _ = try DeviceLock(bus: node, address: 0x68) }
      #expect(error?.kind == .i2c)
    }
    let error = #expect(throws: OpenError.self) {
      _ = try DeviceLock(bus: "/dev/i2c-97", address: 0x68)
    }
    #expect(error?.kind == .i2c && error?.cause == .missing)
  }

  /// The error if the service holds the sensor: a process called otolith whose first argument is
  /// `service`.
  @Test func `a service that holds the sensor is named, with what to do`() throws {
    try withNodes("i2c-97") { directory in
      let node = "\(directory)/i2c-97"
      let holder = try Holder(node, 0x68, script: "service")
      let error = #expect(throws: OpenError.self) { _ = try DeviceLock(bus: node, address: 0x68) }
      #expect(
        error?.description
          == "address 0x68 on \(node) is in use by the otolith service (process "
          + "\(holder.identifier)): the service has the sensor, and programs get its motion from "
          + "there (otolith run without --board); to use the sensor directly, stop the service: "
          + "sudo systemctl stop otolith.socket otolith.service, or end its process")
      try holder.end()
    }
  }

  @Test func `another process holds the lock until it ends`() throws {
    try withNodes("i2c-97") { directory in
      let node = "\(directory)/i2c-97"
      let holder = try Holder(node, 0x0C, leavesNumber: false)
      let error = #expect(throws: OpenError.self) { _ = try DeviceLock(bus: node, address: 0x0C) }
      #expect(error?.cause == .busy(driver: nil))
      try holder.end()
      _ = try DeviceLock(bus: node, address: 0x0C)
    }
  }

  /// The kernel does not remove an adapter before all its nodes are closed.
  @Test func `a node that is gone is known by its lock`() throws {
    try withNodes("i2c-97") { directory in
      let lock = try DeviceLock(bus: directory + "/i2c-97", address: 0x68)
      let isThere = lock.isCurrent
      #expect(isThere)
      try FileManager.default.removeItem(atPath: directory + "/i2c-97")
      let isStillThere = lock.isCurrent
      #expect(!isStillThere)
    }
  }
}
