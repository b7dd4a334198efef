// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `otolith service` and its clients.
@Suite(.serialized, .timeLimit(.minutes(3))) struct ServiceCommandTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  static let board = LiveTests.board

  @Test func `a service serves until it is stopped`() throws {
    let service = try RunningService("--board", Self.board, in: scratch)
    let group = try Tool.shell("id -gn", in: scratch).lines.first ?? ""
    let hasOwn = try Tool.shell("getent group otolith", in: scratch).status == 0
    #expect(
      service.logLines.first?.hasSuffix(
        "board: Simulated board, \(Self.board), requested; socket: \(service.socket); group: "
          + "\(hasOwn ? "otolith" : group)") ?? false, "\(service.logLines)")
    let mode = try FileManager.default.attributesOfItem(atPath: service.socket)[.posixPermissions]
    #expect(mode as? NSNumber == 0o660)
    let status = try service.status(in: scratch)
    #expect(status.socket == service.socket && status.process == service.identifier)
    #expect(status.board == "Simulated board" && !status.isRunning && status.samples == 0)
    // The status command is a client too.
    #expect(status.clients.map(\.program) == ["otolith"])
    #expect(service.end() == 0)
    #expect(service.logLines.last?.hasSuffix("ended") ?? false)
    #expect(!FileManager.default.fileExists(atPath: service.socket))
  }

  @Test func `run uses the service`() throws {
    let service = try RunningService("--board", Self.board, in: scratch)
    let ending = try Tool.run(
      "run", "--duration", "1", "--format", "jsonl", in: scratch,
      environment: ["OTOLITH_SOCKET": service.socket, "OTOLITH_BOARD": "other.yaml"])
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(
      ending.errorLines.first
        == "board: Simulated board, of the otolith service at \(service.socket), named by "
        + "$OTOLITH_SOCKET")
    #expect(
      ending.errorLines.dropFirst().first
        == "$OTOLITH_BOARD (other.yaml) is ignored, because the service has the board; set "
        + "$OTOLITH_SOCKET to an empty value to open a board in this process")
    #expect((97...103).contains(ending.lines.count), "\(ending.lines.count) lines")
    // The counts are of this run alone, whatever the service had read before.
    let summary = try LiveTests.summary(ending)
    #expect((110...200).contains(summary["received"] ?? 0), "\(summary)")
    let again = try Tool.run(
      "run", "--duration", "0.5", in: scratch, environment: ["OTOLITH_SOCKET": service.socket])
    #expect(again.status == 0 && again.output.contains("user acceleration"))
    #expect((try LiveTests.summary(again)["received"] ?? 0) < 130, "\(again.errors)")
    let status = try service.status(in: scratch)
    #expect(!status.isRunning && status.samples >= 150)
    // With --board the command opens the board itself.
    let own = try Tool.run(
      "run", "--board", Self.board, "--duration", "0.1", in: scratch,
      environment: ["OTOLITH_SOCKET": service.socket])
    #expect(own.errorLines.first == "board: Simulated board, \(Self.board), requested")
    let held = try Tool.run(
      "run", "--hold", "pressure=98", in: scratch, environment: ["OTOLITH_SOCKET": service.socket])
    #expect(held.status == 64)
    #expect(
      held.errorLines.last
        == "--simulate, --hold and --fault change a board of this process, and the otolith service "
        + "at \(service.socket) has this one: name a board with --board")
  }

  @Test func `the status for people fits 100 columns`() throws {
    let service = try RunningService("--board", Self.board, in: scratch)
    let ending = try Tool.shell(
      """
      export OTOLITH_SOCKET='\(service.socket)'
      "$OTOLITH" run --format csv > /dev/null 2> run.txt &
      for i in 1 2 3 4 5 6 7 8 9 10; do
        sleep 0.3
        "$OTOLITH" service status > status.txt
        grep -q '^imu .* [1-9][0-9]* ' status.txt && grep -q 'everything$' status.txt && break
      done
      kill -INT $!; wait $!
      cat status.txt
      """, in: scratch)
    let lines = ending.lines
    #expect(lines.count == 14, "\(ending.output)")
    #expect(lines[0] == "board      Simulated board, running")
    #expect(lines[1] == "wanted     everything")
    #expect(lines[2].hasPrefix("service    process \(service.identifier), user "))
    #expect(lines[3].hasPrefix("socket     \(service.socket), group "))
    #expect(lines[4].wholeMatch(of: /published  \d+ samples, \d+ motions/) != nil)
    #expect(lines[5] == "clients    1; 0 disconnected for invalid requests, 0 refused")
    #expect(lines[6].wholeMatch(of: /memory     [\d.]+ MB, rings of 1\.7 MB among it/) != nil)
    #expect(
      lines[7].wholeMatch(of: /processor  [\d.]+ s, [\d.]+ % of one since the board started/) != nil
    )
    let columns = lines[8].split(separator: " ").map(String.init)
    #expect(
      columns == [
        "chip", "part", "Hz", "received", "missing", "late", "bus", "errors", "overflows",
        "restarts",
      ])
    #expect(lines[9].contains(/^imu        invensense,mpu6050    100  +\d/), "\(lines[9])")
    #expect(lines[10].contains(/^compass    st,lis3mdl             20  +\d/), "\(lines[10])")
    #expect(lines[11].contains(/^barometer  bosch,bmp280        26.32  +\d/), "\(lines[11])")
    #expect(lines[12].hasPrefix("program  user"))
    #expect(lines[13].hasPrefix("otolith  ") && lines[13].hasSuffix("  everything"))
    #expect(lines.allSatisfy { $0.count <= 100 })
  }

  /// Motions that both ways received have the same values under the same names; yaw starts where
  /// each began.
  @Test func `Python's two ways give the same motions`() throws {
    let service = try RunningService("--board", Self.board, in: scratch)
    try scratch.write(
      """
      import itertools, math, os, otolith, threading

      found = {}
      ways = {
          "run": lambda: otolith.run(command=os.environ["OTOLITH"]),
          "service": lambda: otolith.Service().motions(),
      }

      def take(name):
          found[name] = list(itertools.islice(ways[name](), 250))

      threads = [threading.Thread(target=take, args=(name,)) for name in ways]
      for thread in threads:
          thread.start()
      for thread in threads:
          thread.join()
      first, other = ({motion["timestamp"]: motion for motion in found[name]} for name in ways)
      both = sorted(set(first) & set(other))
      print(len(both) > 20)
      fields = ["attitude", "rotationRate", "gravity", "userAcceleration", "magneticField"]
      names = ["roll", "pitch", "yaw", "magneticField.accuracy", "attitude.w"]
      names += [f"{name}.{axis}" for name in fields for axis in "xyz"]
      for time in both:
          for name in fields + names:
              assert name in first[time] and name in other[time], name
          for name in ["roll", "pitch", "magneticField.accuracy", "rotationRate.z", "gravity.x"]:
              assert abs(first[time][name] - other[time][name]) < 1e-9, (name, first[time], other[time])
          for name in ["gravity", "userAcceleration"]:
              assert all(abs(a - b) < 1e-9 for a, b in zip(first[time][name], other[time][name])), name
          turns = [motion[time]["yaw"] - motion[both[0]]["yaw"] for motion in (first, other)]
          assert abs(math.remainder(turns[0] - turns[1], 2 * math.pi)) < 1e-9, turns
      print(abs(found["service"][0]["yaw"]) < 1e-9)
      """, to: "ways.py")
    let ending = try Tool.shell(
      "OTOLITH_SOCKET='\(service.socket)' PYTHONDONTWRITEBYTECODE=1 "
        + "PYTHONPATH='\(Tool.root)share/otolith' python3 ways.py", in: scratch)
    #expect(ending.status == 0 && ending.lines == ["True", "True"], "\(ending.errors)")
  }

  @Test func `without a service its commands say how to start one`() throws {
    for command in ["status", "reload", "forget"] {
      let ending = try Tool.run("service", command, "--socket", "nobody.sock", in: scratch)
      #expect(ending.status == 69 && ending.output.isEmpty)
      #expect(
        ending.errors
          == "no otolith service listens at nobody.sock: start it (sudo systemctl start otolith, "
          + "or otolith service)\n")
    }
  }

  @Test func `a second service on one socket is refused`() throws {
    let service = try RunningService("--board", Self.board, in: scratch)
    let ending = try Tool.run(
      "service", "--board", Self.board, "--socket", service.socket, in: scratch)
    #expect(ending.status == 69)
    #expect(
      ending.errors
        == "\(service.socket): another process listens on this socket; end it, or choose another path\n"
    )
    #expect(try service.status(in: scratch).process == service.identifier)
  }

  @Test func `a mistake in a service's options leaves nothing behind`() throws {
    let board = try Tool.run("service", "--board", "no.yaml", "--socket", "a.sock", in: scratch)
    #expect(board.status == 66 && board.errors == "no.yaml: no such file\n")
    let group = try Tool.run(
      "service", "--board", Self.board, "--group", "no-such-group", "--socket", "a.sock",
      in: scratch)
    #expect(group.status == 64)
    #expect(
      group.errors
        == "--group no-such-group: there is no such group; to make it: sudo groupadd --system "
        + "no-such-group\n")
    for count in ["0", "401", "many"] {
      let ending = try Tool.run("service", "--max-clients", count, in: scratch)
      #expect(ending.status == 64)
    }
    #expect(scratch.names.isEmpty)
  }

  /// A board that cannot be opened is reported at the start and to clients; it may become
  /// available.
  @Test func `a missing board is reported at the start and to its programs`() throws {
    try scratch.write(
      """
      otolith-board: 1
      name: Elsewhere
      buses: { i2c97: { i2c: /dev/i2c-97 } }
      chips:
        imu: { chip: "invensense,mpu6050", on: i2c97, address: 0x68 }

      """, to: "elsewhere.yaml")
    let service = try RunningService("--board", "elsewhere.yaml", in: scratch)
    let line = "/dev/i2c-97 does not exist: enable I2C (sudo raspi-config nonint do_i2c 0"
    #expect(service.logLines.first?.contains(line) ?? false, "\(service.logLines)")
    let ending = try Tool.run(
      "run", in: scratch, environment: ["OTOLITH_SOCKET": service.socket])
    #expect(ending.status == 69 && ending.output.isEmpty)
    #expect(ending.errorLines.last?.hasPrefix(line) ?? false, "\(ending.errors)")
    #expect(try service.status(in: scratch).board == "Elsewhere")
  }

  @Test func `the list of boards names the service`() throws {
    let service = try RunningService("--board", Self.board, in: scratch)
    let ending = try Tool.run(
      "boards", "list", ".", in: scratch, environment: ["OTOLITH_SOCKET": service.socket])
    #expect(
      ending.lines.last
        == "in use here: Simulated board, of the otolith service at \(service.socket), named by "
        + "$OTOLITH_SOCKET")
  }

  static let first = """
    otolith-board: 1
    name: First
    buses: { bus: { simulated: i2c } }
    chips: { imu: { chip: "invensense,mpu6050", on: bus, address: 0x68 } }
    learned: learned.yaml

    """

  @Test func `a reload takes a good board and refuses a bad one`() throws {
    try scratch.write(Self.first, to: "board.yaml")
    let service = try RunningService("--board", "board.yaml", in: scratch)
    #expect(try service.status(in: scratch).board == "First")
    try scratch.write(
      Self.first.replacing("imu:", with: "0:").replacing("bus,", with: "no,"), to: "board.yaml")
    let refused = try Tool.run("service", "reload", "--socket", service.socket, in: scratch)
    #expect(refused.status == 69, "\(refused.errors)")
    #expect(refused.errors.contains("board.yaml:4:"), "\(refused.errors)")
    #expect(service.logLines.contains { $0.contains("the board is unchanged: ") })
    #expect(try service.status(in: scratch).board == "First")
    try scratch.write(Self.first.replacing("First", with: "Second"), to: "board.yaml")
    let done = try Tool.run("service", "reload", "--socket", service.socket, in: scratch)
    #expect(done.status == 0 && done.errors.isEmpty)
    // The socket stayed open, so no client was refused.
    #expect(try service.status(in: scratch).board == "Second")
    #expect(service.end() == 0)
  }

  @Test func `what has a duration ends although the service has ended for good`() throws {
    let service = try RunningService("--board", Self.board, in: scratch)
    let ending = try Tool.shell(
      """
      export OTOLITH_SOCKET='\(service.socket)'
      "$OTOLITH" run --duration 5 --format csv > rows.csv 2> run.txt & run=$!
      "$OTOLITH" record --duration 5 -o record.csv 2> record.txt & record=$!
      while [ "$(wc -l < rows.csv)" -le 6 ] && kill -0 $run; do sleep 0.05; done
      sleep 1
      kill \(service.identifier)
      wait $run; echo $?
      wait $record; echo $?
      """, in: scratch)
    #expect(ending.lines == ["69", "69"])
    for name in ["run.txt", "record.txt"] {
      let said = try scratch.text(name)
      #expect(said.contains("no motion: "), "\(name)")
      #expect(said.contains("lost and late are unknown") && !said.contains("lost 0"), "\(said)")
    }
    #expect(try scratch.text("record.csv").split(separator: "\n").count > 5)
  }

  /// A running client gets one message about a reload, and continues.
  @Test func `a running program gets one notice of a reload, and continues`() throws {
    let service = try RunningService("--board", Self.board, in: scratch)
    let ending = try Tool.shell(
      """
      export OTOLITH_SOCKET='\(service.socket)'
      "$OTOLITH" run --duration 3 --format csv > rows.csv 2> run.txt & run=$!
      sleep 1
      "$OTOLITH" service reload
      wait $run; echo status $? >> run.txt
      cat run.txt
      """, in: scratch)
    let gone =
      "the otolith service at \(service.socket) has stopped; waiting for it to return (sudo "
      + "systemctl status otolith)"
    let lines = ending.lines
    #expect(lines.count == 7 && lines.dropFirst().first == gone, "\(lines)")
    // The order depends on which chip delivers first.
    #expect(
      lines.dropLast(2).suffix(3).sorted() == [
        "barometer: delivers samples again", "compass: delivers samples again",
        "imu: delivers samples again",
      ], "\(lines)")
    #expect(lines.last == "status 0")
    let rows = try ReplayTests.rows(try scratch.text("rows.csv"))
    let times = try rows.map { try #require(Double($0["timestamp"] ?? "")) }
    let gaps = zip(times, times.dropFirst()).map { $1 - $0 }
    #expect(gaps.allSatisfy { $0 > 0 })
    // 0.25 s until the client reconnects, and the chips' start.
    #expect(gaps.filter { $0 > 0.05 }.count == 1, "\(gaps)")
    #expect((gaps.max() ?? 9) < 2)
  }

  @Test func `what was learned is forgotten, and the service goes on`() throws {
    try scratch.write(Self.first, to: "board.yaml")
    try scratch.write(
      "otolith-learned: 1\nboard: \"a\"\nwritten-unix-s: 1\n", to: "learned.yaml")
    let service = try RunningService("--board", "board.yaml", in: scratch)
    let done = try Tool.run("service", "forget", "--socket", service.socket, in: scratch)
    #expect(done.status == 0 && done.errors.isEmpty)
    #expect(try service.status(in: scratch).board == "First")
    #expect(!scratch.names.contains("learned.yaml"))
    #expect(service.waitForLog("learned values discarded: "))
  }

  @Test func `a file without learned values is not deleted`() throws {
    try scratch.write(Self.first, to: "board.yaml")
    try scratch.write("precious", to: "learned.yaml")
    let service = try RunningService("--board", "board.yaml", in: scratch)
    _ = try Tool.run("service", "forget", "--socket", service.socket, in: scratch)
    #expect(service.waitForLog("not a file of learned values, left unchanged: learned.yaml"))
    #expect(service.end() == 0)
    #expect(try scratch.text("learned.yaml") == "precious")
  }

  /// Simulated motion is not served unless the board is named.
  @Test(.enabled(if: !FileManager.default.fileExists(atPath: "/dev/i2c-1"), "there are sensors"))
  func `without sensors nothing is served`() throws {
    let ending = try Tool.run(
      "service", "--socket", scratch.path + "/otolith.sock", in: scratch,
      environment: ["OTOLITH_BOARD": ""])
    #expect(ending.status == 69)
    #expect(
      ending.errors.contains("no sensor found (otolith detect shows what answers)"),
      "\(ending.errors)")
    #expect(!FileManager.default.fileExists(atPath: scratch.path + "/otolith.sock"))
  }

  /// With `record-history` the chips run even without a client, and their samples are stored.
  @Test func `a service that records history runs the chips by itself`() throws {
    let text = try String(contentsOfFile: Self.board, encoding: .utf8)
    try scratch.write(text + "\nrecord-history: true\n", to: "board.yaml")
    let service = try RunningService(
      "--board", "board.yaml", in: scratch,
      environment: ["XDG_STATE_HOME": scratch.path + "/state"])
    var seen = try service.status(in: scratch)
    for _ in 0..<500 where seen.samples < 100 { seen = try service.status(in: scratch) }
    #expect(seen.isRunning && seen.samples >= 100)
    #expect(service.end() == 0)
    let folder = scratch.path + "/state/otolith/acceleration-simulated"
    // At least 7 bytes per sample and 50 samples per second, in files as docs/movement.md
    // describes.
    let sizes = try FileManager.default.contentsOfDirectory(atPath: folder).map { name in
      try FileManager.default.attributesOfItem(atPath: folder + "/" + name)[.size] as? Int ?? 0
    }
    let most = sizes.max() ?? 0
    #expect(most > 200, "\(sizes)")
  }

  /// The service is stopped, so that it listens but never answers.
  @Test func `a hung service is reported within two seconds, and when it continues`() throws {
    let service = try RunningService("--board", Self.board, in: scratch)
    let ending = try Tool.shell(
      """
      export OTOLITH_SOCKET=\(service.socket)
      since() { echo "$1 $(( ($(date +%s%N) - begin) / 1000000 ))"; }
      $OTOLITH run --format csv > rows 2> errors & program=$!
      until [ "$(wc -l < rows)" -gt 20 ]; do sleep 0.05; done
      kill -STOP \(service.identifier); begin=$(date +%s%N)
      until grep -q 'does not answer' errors; do sleep 0.02; done; since reported
      begin=$(date +%s%N); $OTOLITH run --duration 1 2> new; echo "status $?"; since refused
      begin=$(date +%s%N); kill -CONT \(service.identifier)
      until grep -q 'delivers samples again' errors; do sleep 0.02; done; since back
      kill $program; wait $program; cat new errors >&2
      """, in: scratch)
    let times = Dictionary(
      ending.lines.compactMap { line -> (String, Int)? in
        let words = line.split(separator: " ")
        return words.count == 2 ? Int(words[1]).map { (String(words[0]), $0) } : nil
      }, uniquingKeysWith: { first, _ in first })
    #expect(times["reported"] ?? .max < 2500, "\(ending.output)\(ending.errors)")
    #expect(times["status"] == 69 && times["refused"] ?? .max < 3000, "\(ending.output)")
    #expect(times["back"] ?? .max < 4000, "\(ending.output)")
    #expect(service.end() == 0)
  }
}
