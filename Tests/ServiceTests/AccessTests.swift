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

/// Tests of the permissions of a service's users.
@Suite(.serialized, .timeLimit(.minutes(2))) struct AccessTests {
  /// Whether the tests run as root, as only root can change the user.
  static let isRoot = geteuid() == 0
  /// Arguments that run a program as a user in no group of this process: Debian's user `nobody` and
  /// group `nogroup`.
  static let stranger = ["as", "65534", "65534"]
  /// A group that neither this process nor the stranger is in.
  static let group: UInt32 = 4711

  /// Starts an accelerometer in a program of another user, which finds the service at `path`.
  /// Returns what the program said.
  private func start(_ path: String, as group: UInt32 = 65534) async throws -> [String] {
    let victim = try Victim(
      ["as", "65534", "\(group)", "start"], environment: ["OTOLITH_SOCKET": path])
    #expect(try await victim.says("done"))
    return victim.lines
  }

  /// The permissions of the socket's file keep out every user who is not in its group, before the
  /// service learns of it.
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

  /// Where the file lets every user connect, the service checks the user's group.
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
    // A user of the group is admitted.
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

  /// A folder that may not be read hides even the owner of the socket.
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

  /// A user who may only read cannot change what others see.
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

  /// The commands of the service's owner are accepted, and end the run.
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
    // When one program is gone there is room for another.
    sources.removeLast()
    let next = try ServiceSource(path: served.path)
    withExtendedLifetime((sources, next)) {}
  }

  /// A single user cannot use up the room of all.
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

  /// A program may read the rings' memory, and may do nothing else with it.
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
      // The pointers of all calls live only for their calls, and what they map is not accessed.
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
      // Reopened for writing, it is the same memory with the same seals.
      let again = unsafe open("/proc/self/fd/\(ring)", O_RDWR)
      #expect(again >= 0)
      #expect(unsafe mmap(nil, size, PROT_WRITE, MAP_SHARED, again, 0) == MAP_FAILED)
      #expect(ftruncate(again, 0) == -1 && errno == EPERM)
      close(again)
    }
  }

  /// F_ADD_SEALS of fcntl(2): in <linux/fcntl.h> it is 1024 + 9.
  private let F_ADD_SEALS: Int32 = 1033
}
