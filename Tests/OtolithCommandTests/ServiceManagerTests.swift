// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The service under systemd's supervision (sd_notify(3), sd_watchdog_enabled(3)), with a script in
/// place of systemd.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ServiceManagerTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  /// Starts the service, returns its notifications with the seconds since the start, and ends it.
  /// `steps` runs meanwhile: it may wait with `listen(seconds)` and stop a thread with
  /// `freeze(name)`.
  private func manager(_ place: String, _ steps: String) throws -> [(time: Double, line: String)] {
    try scratch.write(
      """
      import ctypes, os, signal, socket, subprocess, sys, time
      tool, board, place = os.environ["OTOLITH"], sys.argv[1], sys.argv[2]
      inbox = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
      inbox.bind("\\0" + place[1:] if place.startswith("@") else place)
      begin = time.monotonic()
      environment = dict(os.environ, NOTIFY_SOCKET=place, WATCHDOG_USEC="900000")
      service = subprocess.Popen(
          [tool, "service", "--board", board, "--socket", "s.sock"], env=environment, stderr=open("log", "w"))
      programs = []
      def program():
          programs.append(subprocess.Popen(
              [tool, "run", "--format", "csv"], env=dict(os.environ, OTOLITH_SOCKET="s.sock"),
              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
      def listen(seconds):
          until = time.monotonic() + seconds
          while (left := until - time.monotonic()) > 0:
              inbox.settimeout(left)
              try: reported = inbox.recv(4096).decode()
              except TimeoutError: return
              for line in reported.split("\\n"): print(f"{time.monotonic() - begin:.3f} {line}")
      libc = ctypes.CDLL(None, use_errno=True)
      def threads(name):
          for task in os.listdir(f"/proc/{service.pid}/task"):
              if open(f"/proc/{service.pid}/task/{task}/comm").read().startswith(name): yield int(task)
      def freeze(name):
          for task in threads(name):
              if libc.ptrace(0x4206, task, None, None) or libc.ptrace(0x4207, task, None, None):
                  sys.exit("ptrace: " + os.strerror(ctypes.get_errno()))
              os.waitpid(task, 0x40000000)
          print(f"{time.monotonic() - begin:.3f} frozen")
      def thaw(name):
          for task in threads(name): libc.ptrace(17, task, None, None)
          print(f"{time.monotonic() - begin:.3f} thawed")
      try:
          \(steps)
          for one in programs: one.terminate(); one.wait()
          service.terminate()
          listen(1)
          print(f"{time.monotonic() - begin:.3f} status {service.wait(timeout=5)}")
      finally:
          for one in programs: one.kill()
          service.kill()
      """, to: "manager.py")
    let ending = try Tool.shell("python3 -B manager.py \(LiveTests.board) \(place)", in: scratch)
    #expect(ending.errors.isEmpty, "\(ending.errors)")
    return ending.lines.compactMap { line in
      let words = line.split(separator: " ", maxSplits: 1)
      return Double(words[0]).map { ($0, String(words[1])) }
    }
  }

  @Test(arguments: ["notify.sock", "@otolith-test"])
  func `a service manager gets messages at the start, while all is well, and at the end`(
    _ name: String
  ) throws {
    let place = name.hasPrefix("@") ? "\(name)-\(UUID())" : "\(scratch.path)/\(name)"
    let reported = try manager(place, "listen(2); program(); listen(2)")
    let lines = reported.map(\.line)
    let ready = try #require(lines.firstIndex(of: "READY=1"), "\(reported)")
    #expect(lines[ready + 1] == "STATUS=Simulated board sleeps; 0 programs")
    #expect(lines.contains("STATUS=Simulated board runs; 1 program"), "\(reported)")
    let beats = reported.filter { $0.line == "WATCHDOG=1" }.map(\.time)
    #expect(beats.count >= 9, "\(reported)")
    // The watchdog timeout is 0.9 s.
    #expect(zip(beats, beats.dropFirst()).allSatisfy { $1 - $0 < 0.8 }, "\(beats)")
    #expect(lines.suffix(2) == ["STOPPING=1", "status 0"], "\(reported)")
  }

  /// The serving thread continues; only the reader's missing turns reveal that it is stuck.
  @Test func `for a stuck reader the watchdog messages to the manager stop`() throws {
    let reported = try manager(
      "\(scratch.path)/notify.sock",
      "listen(1); program(); listen(1.5); freeze('bus'); listen(2.5); thaw('bus'); listen(1.5)")
    let frozen = try #require(reported.first { $0.line == "frozen" }?.time, "\(reported)")
    let thawed = try #require(reported.first { $0.line == "thawed" }?.time, "\(reported)")
    let beats = reported.filter { $0.line == "WATCHDOG=1" }.map(\.time)
    // At most two checks, each within a third of 0.9 s.
    #expect(beats.allSatisfy { $0 < frozen + 0.9 || $0 > thawed }, "\(reported)")
    #expect(
      beats.contains { $0 > frozen - 0.6 && $0 < frozen + 0.9 } && beats.contains { $0 > thawed })
    #expect(reported.contains { $0.line.hasPrefix("STATUS=stuck: the reader of ") }, "\(reported)")
    #expect(try scratch.text("log").contains("stuck: the reader of "))
  }
}
