// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The service as systemd starts it, with a listening socket as descriptor 3 (sd_listen_fds(3)).
@Suite(.serialized, .timeLimit(.minutes(2))) struct SocketActivationTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  /// A script in place of systemd: it binds, listens and becomes the service.
  static let parent = """
    import os, socket, sys
    kind, path, count = sys.argv[1], sys.argv[2], sys.argv[3]
    made = socket.socket(socket.AF_UNIX, getattr(socket, kind))
    made.bind(path)
    os.chmod(path, 0o600)
    if count != "0": made.listen()
    os.dup2(made.fileno(), 3)
    os.set_inheritable(3, True)
    os.environ["LISTEN_PID"] = str(os.getpid())
    os.environ["LISTEN_FDS"] = count if count != "0" else "1"
    os.execv(sys.argv[4], sys.argv[4:])

    """

  @Test func `the service takes the socket that systemd passes`() throws {
    try scratch.write(Self.parent, to: "parent.py")
    let tool = try #require(Tool.url, "otolith is not built with the tests").path()
    let socket = scratch.path + "/given.sock"
    let service = try RunningService(
      URL(filePath: "/usr/bin/env"),
      [
        "python3", "parent.py", "SOCK_SEQPACKET", socket, "1", tool, "service", "--board",
        LiveTests.board, "--socket", scratch.path + "/own.sock",
      ], socket, scratch)
    #expect(service.logLines.first?.contains("; socket: \(socket); group: ") ?? false)
    let ending = try Tool.run("service", "status", "--socket", socket, in: scratch)
    #expect(ending.status == 0 && ending.lines.first == "board      Simulated board, asleep")
    #expect(!scratch.names.contains("own.sock"))
    #expect(service.end() == 0)
    // The socket belongs to the service manager, and stays for the next start.
    #expect(scratch.names.contains("given.sock"))
  }

  @Test(arguments: [
    ("SOCK_STREAM", "1", "a socket of another type"),
    ("SOCK_SEQPACKET", "0", "no listening socket"), ("SOCK_SEQPACKET", "2", "one of 2"),
  ])
  func `a descriptor that is no listening socket of packets is refused`(
    _ kind: String, _ count: String, _ what: String
  ) throws {
    try scratch.write(Self.parent, to: "parent.py")
    let ending = try Tool.shell(
      "exec python3 parent.py \(kind) given.sock \(count) \"$OTOLITH\" service --board "
        + "'\(LiveTests.board)'", in: scratch)
    #expect(ending.status == 78)
    #expect(
      ending.errors
        == "descriptor 3, the socket passed in LISTEN_FDS, is \(what); it must be one that listens "
        + "for sequential packets at a path (ListenSequentialPacket= of otolith.socket)\n")
  }
}
