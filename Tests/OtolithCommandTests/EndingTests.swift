// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Readers and terminals that do what none should: a command ends all the same.
@Suite(.serialized, .timeLimit(.minutes(2))) struct EndingTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  @Test func `a pipe that is not read holds up no end`() throws {
    // 64 KiB of rows fill the pipe within three seconds.
    let ending = try Tool.shell(
      """
      mkfifo pipe; sleep 15 < pipe & reader=$!
      $OTOLITH run --board \(LiveTests.board) --format csv > pipe 2> errors & program=$!
      sleep 4; kill -TERM $program; begin=$(date +%s%N)
      ( sleep 8; kill -KILL $program ) 2> /dev/null &
      wait $program; echo "$? $(( ($(date +%s%N) - begin) / 1000000 ))"; kill $reader
      """, in: scratch)
    let words = try #require(ending.lines.first).split(separator: " ")
    #expect(words.first == "0", "\(ending.output)")
    #expect(try #require(Int(words[1])) < 4000, "\(ending.output) ms")
  }

  /// Seconds of processor time in three, of which half was used up by asking again and again.
  @Test func `a full pipe that does not block is waited for`() throws {
    try scratch.write(
      """
      import os, subprocess, sys, time
      reader, writer = os.pipe()
      os.set_blocking(writer, False)
      program = subprocess.Popen(
          [os.environ["OTOLITH"], "run", "--board", sys.argv[1], "--format", "csv"],
          stdout=writer, stderr=subprocess.DEVNULL)
      def used():
          fields = open(f"/proc/{program.pid}/stat").read().rsplit(")", 1)[1].split()
          return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
      try:
          time.sleep(4)
          before = used()
          time.sleep(3)
          print(used() - before)
          program.terminate()
          print(program.wait(timeout=5))
      finally:
          program.kill()
      """, to: "full.py")
    let ending = try Tool.shell("python3 -B full.py \(LiveTests.board)", in: scratch)
    let used = try #require(ending.lines.first.flatMap { Double($0) }, "\(ending.errors)")
    #expect(used < 0.75, "\(used) s")
    #expect(ending.lines.last == "0", "\(ending.output)")
  }

  @Test func `a reader that goes away is noticed while nothing moves`() throws {
    let board = try String(contentsOfFile: LiveTests.board, encoding: .utf8)
      .replacing("motion: sway", with: "motion: still")
    try scratch.write(board, to: "still.yaml")
    let ending = try Tool.shell(
      """
      begin=$(date +%s%N)
      XDG_STATE_HOME=$PWD/state timeout 12 $OTOLITH steps --board still.yaml --json | head -1
      echo $(( ($(date +%s%N) - begin) / 1000000 ))
      """, in: scratch)
    #expect(ending.lines.first?.hasPrefix("{\"from\"") ?? false, "\(ending.errors)")
    #expect(try #require(ending.lines.last.flatMap { Int($0) }) < 6000, "\(ending.output) ms")
  }

  @Test func `a terminal may claim any size`() throws {
    try scratch.write(
      """
      import fcntl, os, pty, struct, sys, termios, time
      child, terminal = pty.fork()
      if child == 0:
          os.environ["TERM"] = "xterm"
          time.sleep(0.3)
          os.execv(os.environ["OTOLITH"], ["otolith", "monitor", "--board", sys.argv[1], "--duration", "1.5"])
      fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 65535, 65535, 0, 0))
      try:
          while os.read(terminal, 1 << 16):
              pass
      except OSError:
          pass
      print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
      """, to: "terminal.py")
    let ending = try Tool.shell("python3 -B terminal.py \(LiveTests.board)", in: scratch)
    #expect(ending.lines == ["0"], "\(ending.output)\(ending.errors)")
  }
}
