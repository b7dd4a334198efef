// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `otolith simulate` as a process: its start, its end, and its output.
@Suite(.serialized, .timeLimit(.minutes(2))) struct SimulateTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  static let board = Tool.root + "boards/simulated-all.yaml"

  /// A program that requests the MPU-6050's WHO_AM_I and prints the reply.
  static let question = """
    import socket, sys
    s = socket.socket(socket.AF_UNIX); s.settimeout(5); s.connect(sys.argv[1])
    s.sendall(bytes.fromhex("49680100010075")); print(s.recv(16).hex())

    """

  @Test func `a simulation serves until it is stopped, then the socket is gone`() throws {
    try scratch.write(Self.question, to: "ask.py")
    for signal in ["INT", "TERM"] {
      let ending = try Tool.shell(
        """
        rm -f ready # The second command would find that of the first.
        "$OTOLITH" simulate --board '\(Self.board)' --listen ./sock 2> ready & server=$!
        for i in $(seq 200); do [ -s ready ] && break; sleep 0.05; done
        python3 ask.py ./sock
        kill -\(signal) $server; wait $server; echo "status $?"; ls sock 2>&1 || true
        """, in: scratch)
      #expect(ending.lines.prefix(2) == ["00010068", "status 0"], "\(ending.output)")
      #expect(!scratch.names.contains("sock"))
      let ready = try scratch.text("ready").split(separator: "\n")
      #expect(ready.count == 1)
      let line = try #require(ready.first)
      #expect(
        line.hasPrefix(
          "Simulated board with every chip, \(Self.board), on ./sock: I2C 0x68 invensense,mpu6050, "
        ))
      #expect(line.contains("; SPI ") && line.contains(" 4 bosch,bmp280"))
    }
  }

  @Test func `a living server's socket is an error, a dead one's is replaced`() throws {
    try scratch.write(Self.question, to: "ask.py")
    let ending = try Tool.shell(
      """
      start() { "$OTOLITH" simulate --board '\(Self.board)' --listen ./sock 2> $1 & server=$!
        for i in $(seq 200); do [ -s $1 ] && break; sleep 0.05; done; }
      start first
      "$OTOLITH" simulate --board '\(Self.board)' --listen ./sock; echo "status $?"
      kill -KILL $server; wait $server 2> /dev/null
      start second
      python3 ask.py ./sock
      kill -TERM $server; wait $server; echo "status $?"
      """, in: scratch)
    #expect(ending.lines == ["status 69", "00010068", "status 0"], "\(ending.errors)")
    #expect(
      ending.errors.contains(
        "./sock: another process listens on this socket; end it, or choose another path\n"))
  }

  @Test func `what is held is what is read`() throws {
    // The program wakes the chip and reads the acceleration: -0.5, 0.25 and 1 g at 16384 counts/g.
    try scratch.write(
      """
      import socket, sys, time
      s = socket.socket(socket.AF_UNIX); s.settimeout(5); s.connect(sys.argv[1])
      s.sendall(bytes.fromhex("4968020000006b00")); s.recv(16); time.sleep(0.3)
      s.sendall(bytes.fromhex("4968010006003b")); print(s.recv(16).hex())

      """, to: "ask.py")
    let ending = try Tool.shell(
      """
      "$OTOLITH" simulate --board '\(Self.board)' --listen ./sock --hold 'acceleration=0.5,-0.25,-1' 2> ready & server=$!
      for i in $(seq 200); do [ -s ready ] && break; sleep 0.05; done
      python3 ask.py ./sock
      kill -TERM $server; wait $server
      """, in: scratch)
    #expect(ending.lines == ["000600" + "e000" + "1000" + "4000"])
  }

  @Test(
    arguments: [
      (
        "--listen s --hold pressure=x", 64,
        "--hold: 'pressure' is 'x'; expected a number in kPa, 0 to 200\n"
      ),
      (
        "--listen s --fault 'nack probability=2'", 64,
        "--fault 'nack probability=2': 'probability' is '2'; expected a probability between 0 and 1\n"
      ),
      ("--listen none/s", 73, "none/s: there is no folder none; make it, or choose another path\n"),
      (
        "--kernel none/bench", 69,
        "none/bench: no virtual bench here: it exists in the guest of `make shell`\n"
      ),
      (
        "--kernel .", 64, ".: this is not a virtual bench; the default is /dev/otolith-bench\n"
      ),
      (
        "--kernel none/bench --interrupt mpu6050=4", 64,
        "--interrupt 'mpu6050=4': '4' is not a line; expected GPIO0 to GPIO31\n"
      ),
    ] as [(String, Int32, String)]
  )
  func `each mistake is reported in one line, with its status`(
    _ arguments: String, _ status: Int32, _ text: String
  ) throws {
    let ending = try Tool.shell(
      "\"$OTOLITH\" simulate --board '\(Self.board)' \(arguments)", in: scratch)
    #expect(ending.status == status && ending.output.isEmpty)
    #expect(ending.errors == text)
  }

  @Test(arguments: [
    (
      "",
      "no place to serve; give --listen and the path of a socket, or --kernel"
    ),
    (
      "--listen s --kernel",
      "--listen and --kernel exclude each other"
    ),
    ("--listen ''", "--listen is the path of a socket"),
    (
      "--listen s --interrupt mpu6050=GPIO4",
      "--interrupt needs --kernel: a socket has no interrupt lines"
    ),
  ]) func `where to serve has to be said, once`(_ arguments: String, _ text: String) throws {
    let ending = try Tool.shell(
      "\"$OTOLITH\" simulate --board '\(Self.board)' \(arguments)", in: scratch)
    #expect(ending.status == 64 && ending.output.isEmpty)
    #expect(ending.errorLines.first == text)
    #expect(scratch.names.isEmpty)
  }

  @Test func `without a path it is the device that the kernel module makes`() throws {
    try #require(
      !FileManager.default.fileExists(atPath: "/dev/otolith-bench"), "not for the bench's guest")
    let ending = try Tool.run(
      "simulate", "--kernel", "--board", Self.board, in: scratch)
    #expect(ending.status == 69)
    #expect(
      ending.errors
        == "/dev/otolith-bench: no virtual bench here: it exists in the guest of `make shell`\n"
    )
  }

  @Test func `a board without a simulated bus has nothing to hold`() throws {
    let real = Tool.root + "boards/raspberry-pi-gy521.yaml"
    let held = try Tool.run("run", "--board", real, "--hold", "pressure=99", in: scratch)
    #expect(held.status == 64)
    #expect(
      held.errorLines.last
        == "--hold needs a simulated bus, and \(real) has none; --simulate makes models of all its chips"
    )
  }

  @Test func `of each kind on the board of every chip the first shows what is held`() throws {
    let ending = try Tool.run(
      "run", "--board", Self.board, "--duration", "0.5", "--format", "jsonl", "--hold",
      "rotation-rate=0.5,-0.25,1;pressure=98.7", in: scratch)
    #expect(ending.status == 0)
    let line = try #require(ending.lines.last)
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
    let values = try #require(object as? [String: Any])
    let pressure = try #require((values["pressure"] as? NSNumber)?.doubleValue)
    #expect(abs(pressure - 98.7) < 0.005)
  }

  @Test func `a fault of a run befalls the chip, and is counted`() throws {
    let ending = try Tool.run(
      "run", "--board", Self.board, "--duration", "1", "--format", "jsonl", "--fault",
      "nack probability=0.2 chip=lis3mdl", in: scratch)
    #expect(ending.status == 0)
    let line = try #require(ending.errorLines.last)
    let match = try #require(line.wholeMatch(of: /received .*, bus errors (\d+)/), "\(line)")
    #expect(Int(match.1) ?? 0 > 0)
  }
}
