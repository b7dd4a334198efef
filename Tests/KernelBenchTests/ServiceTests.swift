// SPDX-License-Identifier: Apache-2.0
import Boards
import ChipCatalog
import Foundation
import LinuxBus
import Otolith
import MotionSources
import Runtime
import Synchronization
import Testing

extension KernelBenchTests {
  /// The service on real nodes as a user other than root, with twenty clients.
  @Suite(.serialized) struct ServiceTests {
    static let seconds = 10.0
    static let rates = [1.0, 2, 5, 10, 20, 50, 100, 200, 500, 1000]
    /// Separate groups, as udev's rules create them.
    static let (i2c, spi, gpio) = (2001, 2002, 2003)
    static let user = ["setpriv", "--reuid=65534", "--regid=65534", "--groups=2001,2002,2003"]

    static let board = """
      otolith-board: 1
      name: One chip
      buses: { i2c: { i2c: /dev/i2c-0 } }
      chips:
        imu:
          chip: invensense,mpu6050
          on: i2c
          address: 0x68
          rate-hz: 1000
          read-by: fifo
          batch-interval-ms: 20
          interrupt: { line: GPIO0 }

      """

    /// Counts the samples that a client with a given rate gets.
    final class Counter: MotionReceiver {
      struct Count: Sendable {
        var decimation: Decimation
        var items = 0
        var lost: UInt64 = 0
        var first = 0.0, last = -Double.infinity
        var backwards = 0
      }
      let rate: Double
      let wantsMotion: Bool
      let count: Mutex<Count>

      init(_ rate: Double, motion: Bool) {
        self.rate = rate
        wantsMotion = motion
        count = Mutex(Count(decimation: Decimation(interval: 1 / rate)))
      }

      var demand: SampleDemand {
        wantsMotion
          ? SampleDemand([], motion: rate) : SampleDemand([.acceleration], at: rate)
      }

      func receive(_ sample: SourcedSample) {
        if !wantsMotion { take(sample.sample.timestamp.seconds, sample.sample.missing) }
      }

      func receive(_ motion: MotionSample) {
        if wantsMotion { take(motion.timestamp.seconds, motion.missing) }
      }

      private func take(_ time: Double, _ missing: UInt32) {
        count.withLock { count in
          count.lost += UInt64(missing)
          guard count.decimation.takes(time) else { return }
          if count.items == 0 { count.first = time }
          if time <= count.last { count.backwards += 1 }
          count.last = time
          count.items += 1
        }
      }

      func missed(_ missed: UInt64) { count.withLock { $0.lost += missed } }

      func chipsChanged(_ chips: [ChipState]) {}
    }

    /// `otolith service`, which runs until this object is released.
    final class Service {
      let process = Process()
      let socket: String

      init(_ board: String) throws {
        let file = try Scratch.file(board, named: "board.yaml")
        socket = "/run/otolith-bench/\(UUID().uuidString).sock"
        for (path, mode) in [("/run/otolith-bench", 0o777)] {
          try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
          try FileManager.default.setAttributes(
            [.posixPermissions: mode], ofItemAtPath: path)
        }
        for (path, group) in [("/dev/i2c-0", i2c), ("/dev/gpiochip0", gpio)] {
          try FileManager.default.setAttributes(
            [.posixPermissions: 0o660, .groupOwnerAccountID: group], ofItemAtPath: path)
        }
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // As in the systemd unit, reader threads may have real-time priority.
        process.arguments =
          ["prlimit", "--rtprio=10"] + user
          + [try Scratch.copy(Tool.path), "service", "--board", file, "--socket", socket]
        process.standardInput = FileHandle.nullDevice
        try process.run()
        for _ in 0..<3000 where !FileManager.default.fileExists(atPath: socket) {
          Thread.sleep(forTimeInterval: 0.01)
        }
      }

      struct Status: Decodable {
        struct Chip: Decodable { var missing, busErrors, late, received: UInt64 }
        struct Client: Decodable { var missed: UInt64 }
        var user: UInt32
        var isRunning: Bool
        var chips: [Chip]
        var clients: [Client]
        var processorTime: Double
        var residentMemory: UInt64
      }

      func status() throws -> Status {
        let said = try Tool.run("service", "status", "--json", "--socket", socket)
        return try JSONDecoder().decode(Status.self, from: Data(said.output.utf8))
      }

      deinit {
        process.terminate()
        process.waitUntilExit()
      }
    }

    @Test func `twenty clients each have their rate, and then the chips sleep`() throws {
      try BenchServer.serve(Boards.all, hold: I2CTests.held)
      let service = try Service(Self.board)
      let clients = [false, true].flatMap { motion in
        Self.rates.map { Counter($0, motion: motion) }
      }
      var listening: [Listening] = []
      for client in clients {
        let hub = MotionHub()
        try hub.use(ServiceSource(path: service.socket))
        listening.append(try hub.listen(client))
      }
      // The first start is excluded, because all pages of the program come from the host.
      Thread.sleep(forTimeInterval: 1)
      let before = try service.status()
      Thread.sleep(forTimeInterval: Self.seconds)
      let after = try service.status()
      for one in listening { one.stop() }
      listening = []
      #expect(after.user == 65534)
      #expect(after.isRunning && after.clients.count == clients.count + 1)
      #expect(after.clients.allSatisfy { $0.missed == 0 })
      #expect(after.chips.allSatisfy { $0.missing == 0 && $0.busErrors == 0 && $0.late == 0 })
      for client in clients {
        let count = client.count.withLock { $0 }
        #expect(count.lost == 0 && count.backwards == 0, "\(client.rate) Hz: \(count)")
        let rate = Double(count.items - 1) / (count.last - count.first)
        // A client at 1 Hz may end 0.1 s earlier or later.
        #expect(abs(rate - client.rate) <= 0.01 * client.rate, "\(client.rate) Hz: \(rate)")
        #expect(count.last - count.first > Self.seconds - 1 / client.rate - 1)
      }
      let received = after.chips[0].received - before.chips[0].received
      let time = after.processorTime - before.processorTime
      print(
        "service: | 20 clients, 1 to 1000 Hz | \(received) samples of the chip, 0 lost | "
          + "\(Int(time / Double(received) * 1e6)) us of guest time a sample, "
          + "\(after.residentMemory >> 10) kB resident |")
      // The chips sleep again after the last client has gone.
      var isAsleep = false
      for _ in 0..<500 where !isAsleep {
        isAsleep = try !service.status().isRunning
      }
      #expect(isAsleep)
    }

    /// A user in none of the groups gets an error that names the required group.
    @Test func `a user without the service's group gets an error that names it`() throws {
      try BenchServer.serve(Boards.all, hold: I2CTests.held)
      let service = try Service(Self.board)
      let refused = try Tool.run(
        "run", "--duration", "1", "--format", "csv",
        as: [
          "env", "OTOLITH_SOCKET=\(service.socket)", "setpriv", "--reuid=65533", "--regid=65533",
          "--clear-groups",
        ])
      #expect(refused.status == 77)
      #expect(refused.errors.contains("group nogroup"), "\(refused.errors)")
    }

    /// A program that opens the board directly gets an error that the service uses it, even while the
    /// chips sleep.
    @Test func `a board that a service uses is reported as taken`() throws {
      try BenchServer.serve(Boards.all, hold: I2CTests.held)
      let service = try Service(Self.board)
      let board = try BoardFile.parse(
        Self.board, file: "board.yaml", catalogue: ChipCatalog.descriptions)
      let error = #expect(throws: SessionError.self) { try BoardSession(board).start() }
      #expect(error?.isTaken == true)
      #expect(error?.description.contains("process \(service.process.processIdentifier)") == true)
    }
  }
}
