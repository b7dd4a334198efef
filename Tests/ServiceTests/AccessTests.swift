// SPDX-License-Identifier: Apache-2.0
import Foundation
import Runtime
import LinuxSystem
import MotionServer
import Otolith
import ServedSources
import Service
import SystemPackage
import Testing

/// The permissions of a service's users.
@Suite(.serialized, .timeLimit(.minutes(2))) struct AccessTests {
  /// Only root can change the user.
  static let isRoot = geteuid() == 0
  /// In no group of this process: Debian's `nogroup`, user `nobody`.
  static let stranger = ["as", "65534", "65534"]
  /// A group that neither this process nor the stranger is in.
  static let group: UInt32 = 4711

  /// Starts an accelerometer as another user, whose program finds the service at `path`.
  private func start(_ path: String, as group: UInt32 = 65534) async throws -> [String] {
    let victim = try Victim(
      ["as", "65534", "\(group)", "start"], environment: ["OTOLITH_SOCKET": path])
    #expect(try await victim.says("done"))
    return victim.lines
  }

  /// The socket's file keeps out whoever is not in its group, before the service hears of it.
  @Test(.enabled(if: isRoot, "only root can be another program"))
  func `the socket's file keeps other groups out`() async throws {
    let served = try Served(
      ScriptedSource(.acceleration), access: SocketAccess(group: Self.group, mode: 0o660),
      policy: ServicePolicy(group: Self.group, owner: geteuid()))
    defer { served.end() }
    #expect(
      try await start(served.path) == [
        "error 111: no permission to use the otolith service at \(served.path): your user is not in "
          + "group 4711; run: sudo usermod -aG 4711 $USER, then log in again",
        "access: denied", "status: 2", "done",
      ])
  }

  /// Where the file lets everybody connect the service looks who it is.
  @Test(.enabled(if: isRoot, "only root can be another program"))
  func `the service itself keeps other groups out`() async throws {
    let script = ScriptedSource(.acceleration)
    let served = try Served(
      script, access: SocketAccess(mode: 0o666),
      policy: ServicePolicy(group: Self.group, owner: geteuid()))
    defer { served.end() }
    #expect(
      try await start(served.path) == [
        "error 111: the otolith service serves only group 4711; run: sudo usermod -aG 4711 $USER, "
          + "then log in again", "access: denied", "status: 2", "done",
      ])
    #expect(script.starts == 0)
    // And of the group, it is let in.
    async let lines = start(served.path, as: Self.group)
    #expect(try await eventually { script.isRunning })
    script.send(AttachingTests.sample(1))
    #expect(try await lines == ["data", "access: granted", "status: 3", "done"])
  }

  @Test(.enabled(if: isRoot, "only root can be another program"))
  func `a service of root's alone tells how to serve a group`() async throws {
    let served = try Served(
      ScriptedSource(.acceleration), access: SocketAccess(mode: 0o666),
      policy: ServicePolicy(group: 0, owner: geteuid()))
    defer { served.end() }
    #expect(
      try await start(served.path) == [
        "error 111: the otolith service serves only root; run it for a group: sudo groupadd "
          + "--system otolith; sudo usermod -aG otolith $USER; start it again (sudo otolith "
          + "service --group otolith), then log in again", "access: denied", "status: 2", "done",
      ])
  }

  /// A folder that may not be looked into hides even whose the socket is.
  @Test(.enabled(if: isRoot, "only root can be another program"))
  func `a folder of another user's hides its socket`() async throws {
    let folder = NSTemporaryDirectory() + "otolith-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let served = try Served(ScriptedSource(.acceleration), path: folder + "/o.sock")
    defer { served.end() }
    let lines = try await start(served.path)
    #expect(
      lines == [
        "error 111: no permission to use the otolith service at \(served.path): its folder may not be "
          + "looked into", "access: denied", "status: 2", "done",
      ])
  }

  /// A reader changes nothing that others see.
  @Test(.enabled(if: isRoot, "only root can be another program"))
  func `another user may not control the service`() async throws {
    let served = try Served(ScriptedSource(.acceleration), access: SocketAccess(mode: 0o666))
    defer { served.end() }
    let victim = try Victim(Self.stranger + ["ask", served.path, "reload", "forget"])
    #expect(try await victim.says("done"))
    #expect(
      victim.lines == [
        "0: forbidden: only root and the service's owner (user 0) may do that",
        "1: forbidden: only root and the service's owner (user 0) may do that", "2: done", "done",
      ])
  }

  /// The owner's orders are taken, and end the run.
  @Test(arguments: [("reload", MotionServer.Outcome.reload), ("forget", .forget)])
  func `the owner may control the service`(_ order: String, _ outcome: MotionServer.Outcome)
    async throws
  {
    let served = try Served(ScriptedSource(.acceleration))
    let victim = try Victim(["ask", served.path, order])
    #expect(served.wait() == outcome)
    #expect(try await eventually { !victim.lines.isEmpty })
    #expect(victim.lines.first == "0: done")
  }

  // MARK: How many

  @Test func `a program beyond the limit is refused`() throws {
    var policy = ServicePolicy(group: nil, owner: geteuid())
    policy.mostClients = 3
    let served = try Served(ScriptedSource(.acceleration), policy: policy)
    defer { served.end() }
    var sources = try (0..<3).map { _ in try ServiceSource(path: served.path) }
    let error = #expect(throws: SessionError.self) { try ServiceSource(path: served.path) }
    #expect(
      error?.description == "the otolith service has reached its limit of programs (3)")
    #expect(error?.isDenied == false && error?.isTaken == false)
    // There is room again when one has gone.
    sources.removeLast()
    let next = try ServiceSource(path: served.path)
    withExtendedLifetime((sources, next)) {}
  }

  /// One user does not take the room of all.
  @Test(.enabled(if: isRoot, "only root can be another program"))
  func `a program beyond its user's limit is refused`() async throws {
    var policy = ServicePolicy(group: nil, owner: geteuid())
    (policy.mostClients, policy.mostOfOneUser) = (8, 2)
    let served = try Served(
      ScriptedSource(.acceleration), access: SocketAccess(mode: 0o666), policy: policy)
    defer { served.end() }
    let victim = try Victim(Self.stranger + ["open", served.path, "3"])
    #expect(try await victim.says("done"))
    #expect(victim.lines.prefix(2) == ["open", "open"])
    #expect(victim.lines.dropFirst(2).first?.contains("your user has reached") == true)
    _ = try ServiceSource(path: served.path)
  }

  // MARK: The rings' memory

  /// A program may read the rings, and that is all that it may do with their memory.
  @Test func `clients cannot write to the rings`() async throws {
    let served = try Served(ScriptedSource(.acceleration))
    defer { served.end() }
    let socket = try PacketSocket(connectingTo: served.path)
    #expect(
      socket.send(ServiceRequest.hello(newest: 1, oldest: 1, program: "writer").bytes) == .sent)
    var buffer = [UInt8](repeating: 0, count: ServiceReply.mostBytes)
    var rings: [Int32] = []
    #expect(
      try await eventually {
        guard case .packet(_, var descriptors) = socket.receive(into: &buffer) else { return false }
        for _ in 0..<3 {
          guard let ring = descriptors.take() else { return false }
          rings.append(dup(ring.rawValue))
        }
        return true
      })
    #expect(rings.count == 3)
    for ring in rings {
      defer { close(ring) }
      var status = stat()
      // The pointers of all calls live for them alone; what they map is not touched.
      #expect(unsafe fstat(ring, &status) == 0)
      let size = Int(status.st_size)
      #expect(
        throws: SystemError(errno: EPERM), "as the program's own code would map it to write"
      ) {
        let copy = OwnedDescriptor(owning: FileDescriptor(rawValue: dup(ring)))
        _ = try SharedMemory(mapping: copy, writing: true)
      }
      #expect(unsafe mmap(nil, size, PROT_WRITE, MAP_SHARED, ring, 0) == MAP_FAILED)
      #expect(errno == EPERM)
      let mapped = unsafe mmap(nil, size, PROT_READ, MAP_SHARED, ring, 0)
      #expect(unsafe mapped != MAP_FAILED)
      #expect(unsafe mprotect(mapped, size, PROT_READ | PROT_WRITE) == -1 && errno == EACCES)
      #expect(unsafe munmap(mapped, size) == 0)
      #expect(ftruncate(ring, 0) == -1 && errno == EPERM)
      #expect(ftruncate(ring, off_t(2 * size)) == -1 && errno == EPERM)
      #expect(unsafe pwrite(ring, "x", 1, 0) == -1 && errno == EPERM)
      #expect(fcntl(ring, F_ADD_SEALS, 0) == -1 && errno == EPERM)
      // Reopened, to write, it is the same memory with the same seals.
      let again = unsafe open("/proc/self/fd/\(ring)", O_RDWR)
      #expect(again >= 0)
      #expect(unsafe mmap(nil, size, PROT_WRITE, MAP_SHARED, again, 0) == MAP_FAILED)
      #expect(ftruncate(again, 0) == -1 && errno == EPERM)
      close(again)
    }
  }

  /// F_ADD_SEALS of fcntl(2), <linux/fcntl.h>: 1024 + 9.
  private let F_ADD_SEALS: Int32 = 1033
}
