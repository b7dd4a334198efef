// SPDX-License-Identifier: Apache-2.0
import Boards
import CLinux
import ChipCatalog
import CoreMotion
import LinuxBus
import Otolith
import Registers
import Synchronization
import Testing

extension KernelBenchTests {
  /// The kernel's errors and otolith's interpretation: docs/linux-buses.md, row by row.
  @Suite(.serialized) struct ErrorTests {
    private func identity(on bus: LinuxI2CBus) throws -> UInt8 {
      var byte: [UInt8] = [0]
      var span = byte.mutableSpan
      try bus.read(&span, after: 0x75, from: 0x68)
      return byte[0]
    }

    /// The errno, the number of consecutive failures, and the meaning, from
    /// Documentation/i2c/fault-codes.
    static let transfers: [(Int32, Int, BusError)] = [
      (ENXIO, 1, .noAcknowledge), (EREMOTEIO, 1, .noAcknowledge), (ENODEV, 1, .noAcknowledge),
      (ETIMEDOUT, 1, .timeout), (EBUSY, 1, .timeout), (EAGAIN, 2, .arbitrationLost),
      (ESHUTDOWN, 1, .adapterGone), (EOPNOTSUPP, 1, .unsupported), (EINVAL, 1, .unsupported),
      (EIO, 1, .system(errno: EIO)), (EMSGSIZE, 1, .tooLong(limit: 8192)),
    ]

    @Test(arguments: transfers, [VirtualBench.i2c, VirtualBench.smbus])
    func `each errno of a transfer is its error, and the next transfer works`(
      row: (errno: Int32, count: Int, error: BusError), path: String
    ) throws {
      try BenchServer.serve(Boards.all)
      let bus = try LinuxI2CBus(path: path)
      try VirtualBench.fail("i2c", with: row.errno, count: row.count)
      #expect(throws: row.error) { try identity(on: bus) }
      // Afterwards the bus works again.
      #expect(try identity(on: bus) == 0x68)
    }

    /// A transfer that lost the bus to another controller is repeated.
    @Test func `a bus that was lost once is asked again`() throws {
      try BenchServer.serve(Boards.all)
      let bus = try LinuxI2CBus(path: VirtualBench.i2c)
      try VirtualBench.fail("i2c", with: EAGAIN)
      #expect(try identity(on: bus) == 0x68)
    }

    static let frames: [(Int32, BusError)] = [
      (ETIMEDOUT, .timeout), (ESHUTDOWN, .adapterGone), (EINVAL, .unsupported),
      (EIO, .system(errno: EIO)),
    ]

    @Test(arguments: frames)
    func `each errno of a frame is its error, and the next frame works`(
      row: (errno: Int32, error: BusError)
    ) throws {
      try BenchServer.serve(Boards.all)
      try VirtualBench.withSPIDevice(0) { path in
        let device = try LinuxSPI(path: path, mode: 0, speed: 1_000_000)
        try VirtualBench.fail("spi", with: row.errno)
        var byte: [UInt8] = [0]
        #expect(throws: row.error) {
          var span = byte.mutableSpan
          try device.read(&span, after: 0xF5, dummyBytes: 0)
        }
        var span = byte.mutableSpan
        try device.read(&span, after: 0xF5, dummyBytes: 0)
        #expect(byte == [0x70])
      }
    }

    /// The adapter times out after two seconds, and so does the driver.
    @Test func `an adapter that does not answer is a timeout`() throws {
      let server = try BenchServer.serve(Boards.all)
      let bus = try LinuxI2CBus(path: VirtualBench.i2c)
      server.suspend()
      #expect(throws: BusError.timeout) { try identity(on: bus) }
      server.resume()
      #expect(try identity(on: bus) == 0x68)
    }

    /// The bus has no chips.
    @Test func `a bus without chips acknowledges nothing`() throws {
      BenchServer.serveNothing()
      let bus = try LinuxI2CBus(path: VirtualBench.i2c)
      #expect(throws: BusError.noAcknowledge) { try identity(on: bus) }
    }

    /// The adapter is unplugged while it is open, as a USB adapter can be, and comes back.
    @Test func `an unplugged adapter is distinguished from a silent chip`() throws {
      try BenchServer.serve(Boards.all)
      do {
        let bus = try LinuxI2CBus(path: VirtualBench.smbus)
        #expect(try identity(on: bus) == 0x68)
        try VirtualBench.unplug(adapter: 1)
        // From then on the adapter fails; the missing node distinguishes this from a chip that does
        // not respond.
        while FileManager.default.fileExists(atPath: VirtualBench.smbus) {
          Thread.sleep(forTimeInterval: 0.01)
        }
        #expect(throws: BusError.adapterGone) { try identity(on: bus) }
        let error = #expect(throws: OpenError.self) { try LinuxI2CBus(path: VirtualBench.smbus) }
        #expect(error?.cause == .missing)
        #expect(error?.present == [VirtualBench.i2c])
      }
      try VirtualBench.plug(adapter: 1)
      #expect(try identity(on: try LinuxI2CBus(path: VirtualBench.smbus)) == 0x68)
    }

    /// The same with a running program: its handler gets one error, and samples when the adapter is
    /// back.
    @Test func `a manager whose adapter disappears gets one error, and continues when it is back`()
      throws
    {
      try BenchServer.serve(Boards.all)
      let hub = MotionHub()
      let text = Self.board.replacingOccurrences(of: VirtualBench.i2c, with: VirtualBench.smbus)
      try hub.use(
        BoardFile.parse(text, file: "board.yaml", catalogue: ChipCatalog.descriptions))
      let manager = CMMotionManager(hub: hub)
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = 1
      let got = Mutex((times: [Double](), errors: [NSError]()))
      manager.startAccelerometerUpdates(to: queue) { data, error in
        got.withLock { got in
          if let data { got.times.append(data.timestamp) }
          if let error { got.errors.append(error as NSError) }
        }
      }
      defer { manager.stopAccelerometerUpdates() }
      func eventually(_ condition: () -> Bool) -> Bool {
        for _ in 0..<1000 {
          if condition() { return true }
          Thread.sleep(forTimeInterval: 0.01)
        }
        return condition()
      }
      #expect(eventually { got.withLock { $0.times.count } > 20 })
      try VirtualBench.unplug(adapter: 1)
      #expect(eventually { got.withLock { $0.errors.count } == 1 })
      let before = got.withLock { $0.times.count }
      try VirtualBench.plug(adapter: 1)
      #expect(eventually { got.withLock { $0.times.count } > before + 20 })
      let (times, errors) = got.withLock { ($0.times, $0.errors) }
      #expect(errors.map(\.code) == [109])
      #expect(errors.first?.localizedDescription.contains("the adapter is gone") == true)
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    }

    /// A kernel driver owns the chip. Only I2C_SLAVE fails then, hence `claim`; I2C_RDWR works, and
    /// would take the driver's samples.
    @Test func `a chip that a kernel driver owns is refused, with how to free it`() throws {
      try BenchServer.serve(Boards.all)
      let file = try Scratch.file(Self.board, named: "board.yaml")
      try VirtualBench.with(
        "bus=i2c unit=0 driver=mpu6050 address=0x68", gone: "bus=i2c unit=0 address=0x68"
      ) {
        let bus = try LinuxI2CBus(path: VirtualBench.i2c)
        #expect(try identity(on: bus) == 0x68)
        #expect(bus.adapter.ownerDriver(of: 0x68) == "inv-mpu6050-i2c")
        #expect(throws: BusError.busy) { try bus.adapter.probe(0x68) }
        let error = #expect(throws: OpenError.self) { try bus.adapter.claim(0x68) }
        #expect(error?.cause == .busy(driver: "inv-mpu6050-i2c"))
        let refused = try Tool.run("run", "--board", file, "--duration", "1", "--format", "csv")
        #expect(refused.status != 0)
        #expect(refused.complaint.count == 1, "\(refused.errors)")
        let command = "echo 0-0068 | sudo tee /sys/bus/i2c/drivers/inv-mpu6050-i2c/unbind"
        #expect(refused.errors.contains("inv-mpu6050-i2c") && refused.errors.contains(command))
        // The advice in the message works.
        try VirtualBench.write("0-0068", to: "/sys/bus/i2c/drivers/inv-mpu6050-i2c/unbind")
        let taken = try Tool.run("run", "--board", file, "--duration", "1", "--format", "csv")
        #expect(taken.status == 0, "\(taken.errors)")
      }
    }

    static let board = """
      otolith-board: 1
      name: One chip
      buses: { i2c: { i2c: /dev/i2c-0 } }
      chips:
        imu: { chip: "invensense,mpu6050", on: i2c, address: 0x68, rate-hz: 200, interrupt: { line: GPIO20 } }

      """

    /// Returns what gpioinfo prints: all lines with their holders.
    private static func lineHolders() throws -> String {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/gpioinfo")
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      let text = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return String(decoding: text, as: UTF8.self)
    }

    /// Another program has the interrupt line.
    @Test func `an interrupt line in use is refused with its holder's name`() throws {
      try BenchServer.serve(Boards.all)
      let other = Process()
      other.executableURL = URL(fileURLWithPath: "/usr/bin/gpiomon")
      // libgpiod 1.6 needs the chip and the line's number, 2 needs only the line's name.
      other.arguments = otolith_gpio_generation() == 1 ? ["otolith-bench", "20"] : ["GPIO20"]
      other.standardOutput = FileHandle.nullDevice
      try other.run()
      defer {
        // A process started by tests may have SIGTERM blocked, and gpiomon 2 does not unblock it.
        kill(other.processIdentifier, SIGKILL)
        other.waitUntilExit()
      }
      // A busy guest takes seconds to start it, and no other request may come before.
      let end = Date.now + 30
      while try !Self.lineHolders().contains("gpiomon"), Date.now < end {
        Thread.sleep(forTimeInterval: 0.2)
      }
      let error = #expect(throws: OpenError.self) { try GPIOLine(named: "GPIO20", edge: .rising) }
      #expect(error?.cause == .busy(driver: "gpiomon"))
      let file = try Scratch.file(Self.board, named: "board.yaml")
      let refused = try Tool.run("run", "--board", file, "--duration", "1", "--format", "csv")
      #expect(refused.status != 0)
      #expect(refused.errors.contains("GPIO20") && refused.errors.contains("gpiomon"))
    }

    /// The name resembles that of an existing line.
    @Test func `a missing line is reported with a similar one`() throws {
      let error = #expect(throws: OpenError.self) { try GPIOLine(named: "GPIO200", edge: .rising) }
      #expect(error?.cause == .missing)
      #expect(error?.present.contains("GPIO20") ?? false)
    }

    /// A kernel driver has the chip select, so there is no node; or no driver has it yet.
    @Test func `an absent spidev node is reported with the driver that has the chip`() throws {
      try BenchServer.serve(Boards.all)
      let path = "/dev/spidev0.0"
      let nobody = #expect(throws: OpenError.self) {
        try LinuxSPI(path: path, mode: 0, speed: 1_000_000)
      }
      #expect(nobody?.cause == .missing)
      try VirtualBench.with("bus=spi unit=0 driver=mpu6500 hz=1000000", gone: "bus=spi unit=0") {
        let owned = #expect(throws: OpenError.self) {
          try LinuxSPI(path: path, mode: 0, speed: 1_000_000)
        }
        let sentence = owned?.description ?? ""
        #expect(sentence.contains("inv-mpu6000-spi"), "\(sentence)")
        #expect(sentence.contains("/sys/bus/spi/drivers/inv-mpu6000-spi/unbind"), "\(sentence)")
      }
    }

    /// The user is in no group.
    @Test func `a user without the group gets an error that names it`() throws {
      try BenchServer.serve(Boards.all)
      let file = try Scratch.file(Self.board, named: "board.yaml")
      let refused = try Tool.run(
        "run", "--board", file, "--duration", "1", "--format", "csv",
        as: ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"])
      #expect(refused.status == 77)
      #expect(refused.complaint.count == 1, "\(refused.errors)")
      #expect(
        refused.errors.contains("no permission to open /dev/i2c-0")
          && refused.errors.contains("group i2c"), "\(refused.errors)")
    }

    /// Two programs and one chip: the kernel would allow both, otolith does not.
    @Test func `a second program on one chip is refused, on another it runs`() throws {
      try BenchServer.serve(Boards.all)
      let file = try Scratch.file(Self.board, named: "board.yaml")
      let first = Process()
      let output = Pipe()
      first.executableURL = URL(fileURLWithPath: Tool.path)
      first.arguments = ["run", "--board", file, "--duration", "20", "--format", "csv"]
      first.standardOutput = output
      try first.run()
      defer {
        first.terminate()
        first.waitUntilExit()
      }
      _ = output.fileHandleForReading.availableData
      let hub = MotionHub()
      try hub.use(
        BoardFile.parse(Self.board, file: "board.yaml", catalogue: ChipCatalog.descriptions))
      #expect(throws: SessionError.self) { try hub.listen(Deaf()) }
      #expect(hub.access == .taken)
      let second = try Tool.run("run", "--board", file, "--duration", "1", "--format", "csv")
      #expect(second.status != 0)
      #expect(second.complaint.count == 1, "\(second.errors)")
      #expect(
        second.errors.contains("process \(first.processIdentifier) (otolith)"), "\(second.errors)")
      // Another chip on the same bus is free.
      let other = try Scratch.file(
        Self.board.replacingOccurrences(of: "invensense,mpu6050", with: "st,lsm6ds3")
          .replacingOccurrences(of: "0x68", with: "0x6B")
          .replacingOccurrences(of: "GPIO20", with: "GPIO21"), named: "other.yaml")
      let free = try Tool.run("run", "--board", other, "--duration", "1", "--format", "csv")
      #expect(free.status == 0, "\(free.errors)")
    }
  }
}

/// A receiver without a demand.
private final class Deaf: MotionReceiver {
  func receive(_ sample: SourcedSample) {}
  func receive(_ motion: MotionSample) {}
  func missed(_ count: UInt64) {}
  func chipsChanged(_ chips: [ChipState]) {}
}
