// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Readers and terminals that misbehave: the command ends nevertheless.
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

  /// The processor time in three seconds; repeated polling would use half of it.
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

  /// The output of the parser is a result like any other.
  @Test(arguments: [
    "--version", "--help", "run --help", "help steps", "--generate-completion-script bash",
    "history",
  ])
  func `what cannot be written is no success`(_ arguments: String) throws {
    let ending = try Tool.shell("$OTOLITH \(arguments) > /dev/full; echo $?", in: scratch)
    #expect(ending.lines == ["74"])
    #expect(ending.errors == "standard output: No space left on device\n")
    let read = try Tool.shell("$OTOLITH \(arguments) | head -1 > /dev/null", in: scratch)
    #expect(read.errors.isEmpty, "\(read.errors)")
  }

  /// Without this check libdispatch ended the process by a trap, at a different limit for each
  /// command.
  @Test(arguments: ["run --format csv", "record -o r.csv --force", "steps", "bringup", "service"])
  func `too few descriptors are reported in one line`(_ command: String) throws {
    let board = "--board \(LiveTests.board)"
    let place = command == "bringup" ? LiveTests.board : board
    let duration = command == "service" ? "--socket s.sock" : "--duration 1"
    let ending = try Tool.shell(
      """
      for limit in 4 5 7 8 10 13 16 20 24 26; do
        timeout -s KILL 10 prlimit --nofile=$limit $OTOLITH \(command) \(place) \(duration) > out 2> errors
        echo "$? $(cat out errors)"
      done
      """, in: scratch)
    #expect(
      ending.lines
        == Array(
          repeating: "69 the limit of open files is too low: a board needs up to 24; raise the "
            + "process's limit (ulimit -n 1024, in a unit LimitNOFILE=)", count: 10),
      "\(ending.output)\(ending.errors)")
    #expect(scratch.names.allSatisfy { ["out", "errors"].contains($0) }, "\(scratch.names)")
  }

  /// libdispatch receives signals only after a separate thread has prepared it.
  @Test func `a signal that comes as soon as a command says that it listens is not lost`() throws {
    try scratch.write(
      """
      import os, subprocess, sys
      for turn in range(20):
          one = subprocess.Popen(
              [os.environ["OTOLITH"], "simulate", "--board", sys.argv[1], "--listen", "s.sock"],
              stderr=subprocess.PIPE, text=True)
          one.stderr.readline()
          one.terminate()
          try: print(one.wait(5))
          except subprocess.TimeoutExpired: print("lost"); one.kill(); one.wait()
      """, to: "early.py")
    let ending = try Tool.shell("python3 -B early.py \(LiveTests.board)", in: scratch)
    #expect(ending.lines == [String](repeating: "0", count: 20), "\(ending.errors)")
  }

  @Test func `a soft limit that is too low is raised`() throws {
    let ending = try Tool.shell(
      "ulimit -S -n 8; $OTOLITH run --board \(LiveTests.board) --format csv --duration 0.5",
      in: scratch)
    #expect(ending.status == 0 && ending.lines.count > 2, "\(ending.errors)")
  }

  /// A file that takes long to write has no name until it is complete.
  @Test(arguments: ["TERM", "HUP", "KILL"])
  func `a command that is ended leaves no half of a file`(_ signal: String) throws {
    let ending = try Tool.shell(
      """
      $OTOLITH record --board \(LiveTests.board) --output two.csv --duration 2 2> /dev/null
      awk -F, -v OFS=, 'NR == 1 { print; next } { line[NR] = $0 }
        END { for (k = 0; k < 300; k++) for (i = 2; i <= NR; i++) {
          $0 = line[i]; $1 = sprintf("%.6f", $1 + 2.1 * k); print } }' two.csv > long.csv
      mkdir there; echo old > there/out.csv
      for target in there/out.csv there/new.csv; do
        $OTOLITH replay long.csv -o $target --force 2> errors & program=$!
        until ls -l /proc/$program/fd 2> /dev/null | grep -q -e there || ! kill -0 $program 2> /dev/null
        do :; done
        kill -\(signal) $program; wait $program; echo $?
      done
      ls -A there; cat there/out.csv
      """, in: scratch)
    let number = ["TERM": 15, "HUP": 1, "KILL": 9][signal, default: 0]
    #expect(
      ending.lines == ["\(128 + number)", "\(128 + number)", "out.csv", "old"],
      "\(ending.output)\(ending.errors)")
  }
}
