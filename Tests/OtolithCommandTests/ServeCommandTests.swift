// SPDX-License-Identifier: Apache-2.0
import FailingCalls
import Foundation
import Testing

/// `otolith serve` as a user starts it, and requests to its port.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ServeCommandTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  /// Runs `otolith serve` with the simulated board, then lines of Python: `url` is its address,
  /// `token` its token, `ask` returns status and body.
  private func serve(_ arguments: String, _ python: String) throws -> Tool.Ending {
    try scratch.write(
      """
      import json, os, re, resource, signal, socket, subprocess, sys, time
      import urllib.error, urllib.request
      serve = subprocess.Popen(
          [os.environ["OTOLITH"], "serve", "--port", "0", "--duration", "60"] + sys.argv[1:],
          stderr=subprocess.PIPE, text=True, pass_fds=[])
      lines = []
      for line in serve.stderr:
          lines.append(line.rstrip())
          if line.startswith("serving: "): break
      if not lines[-1].startswith("serving: "):
          print("\\n".join(lines)); print(serve.wait()); sys.exit()
      address = lines[-1].removeprefix("serving: ")
      port = int(re.search(r":(\\d+)/", address).group(1))
      url = f"http://127.0.0.1:{port}"
      token = address.partition("?token=")[2]
      class Stays(urllib.request.HTTPRedirectHandler):
          def redirect_request(self, *_): return None
      opener = urllib.request.build_opener(Stays)
      def ask(path, body=None, **headers):
          headers = {name.replace("_", "-"): value for name, value in headers.items()}
          if body is not None: headers["Content-Type"] = "application/json"
          data = None if body is None else json.dumps(body).encode()
          request = urllib.request.Request(url + path, data=data, headers=headers)
          try:
              answer = opener.open(request, timeout=10)
          except urllib.error.HTTPError as error:
              answer = error
          return answer.status, answer.headers, answer.read().decode()
      def until(condition):
          end = time.monotonic() + 30
          while not condition():
              assert time.monotonic() < end
              time.sleep(0.05)
      try:
      \(python.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n"))
      finally:
          serve.send_signal(signal.SIGINT)
          rest = serve.communicate(timeout=20)[1]
          print("status", serve.returncode)
          print(rest, file=sys.stderr)
      """, to: "ask.py")
    return try Tool.shell("python3 -B ask.py \(arguments)", in: scratch)
  }

  @Test func `metrics have the condition of each channel that chips share`() throws {
    try scratch.write(BoardNotesTests.twoIMUs, to: "two.yaml")
    let ending = try serve(
      "two.yaml",
      """
      until(lambda: "otolith_chip_channel_used" in ask("/metrics")[2])
      print("\\n".join(l for l in ask("/metrics")[2].split("\\n") if l.startswith("otolith_chip_channel")
                       or l.startswith("otolith_chip_axis")))
      """)
    let labels = [("a", "invensense,mpu6050"), ("b", "bosch,bmi160")].flatMap { name, kind in
      ["acceleration", "rotationRate"].map {
        "{chip=\"\(name)\",kind=\"\(kind)\",channel=\"\($0)\"}"
      }
    }
    #expect(
      ending.lines
        == labels.map { "otolith_chip_channel_used\($0) 1" }
        + labels.map { "otolith_chip_channel_faults_total\($0) 0" } + ["status 0"], "\(ending)")
  }

  @Test func `a task is started with the printed token, and by no other user of the machine`()
    throws
  {
    let ending = try serve(
      "simulated",
      """
      start = {"action": "start", "kind": "gyroscope"}
      for wish, path in [(start, "/api/task"), ({"id": "simulated"}, "/api/source")]:
          print(ask(path, wish)[0], ask(path, wish, Authorization="Bearer " + token[1:])[0])
      print(ask("/api/motion")[0], ask("/api/task")[0], ask("/metrics")[0], ask("/")[0])
      print(json.loads(ask("/api/task")[2])["task"])
      status, headers, _ = ask("/?token=" + token)
      cookie = headers["Set-Cookie"]
      print(status, headers["Location"], cookie.replace(token, "TOKEN").replace(str(port), "PORT"))
      kept = cookie.split(";")[0]
      print(ask("/api/access")[2], ask("/api/access", Cookie=kept)[2])
      print(ask("/api/task", start, Cookie=kept)[0])
      print(json.loads(ask("/api/task")[2])["task"]["state"])
      print(ask("/?token=" + token[1:])[0])
      """)
    #expect(
      ending.lines == [
        "401 401", "401 401", "200 200 200 200", "None",
        "303 / otolith-token-PORT=TOKEN; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000",
        #"{"mayChange":false} {"mayChange":true}"#, "200", "running", "401", "status 0",
      ], "\(ending)")
    #expect(
      ending.errors.contains(
        "refused: a request without the token, from 127.0.0.1; the token is in the address that "
          + "was printed, or in --token-file\n"), "\(ending.errors)")
  }

  @Test func `what others reach is printed as addresses that they can open`() throws {
    let ending = try serve(
      "simulated --listen 0.0.0.0",
      """
      hosts = [re.search("//([^:/]+):", address).group(1)]
      for line in serve.stderr:
          if not line.startswith("or: "): break
          hosts.append(re.search("//([^:/]+):", line).group(1))
          if hosts[-1] == socket.gethostname(): break
      own = subprocess.run(["hostname", "-I"], capture_output=True, text=True).stdout.split()
      own = [one for one in own if ":" not in one]
      wanted = own + [socket.gethostname()] if own else ["127.0.0.1"]
      print(sorted(hosts) == sorted(wanted) or (hosts, wanted))
      print(ask("/api/motion")[0], ask("/api/motion", Authorization="Bearer " + token)[0])
      page = ask("/", Accept="text/html")
      print(page[0], '<input name="token"' in page[2])
      """)
    #expect(ending.lines == ["True", "401 200", "401 True", "status 0"], "\(ending)")
  }

  @Test func `a token file that others can read is reported`() throws {
    try scratch.write("0123456789abcdef\n", to: "token")
    let reported = "token: other users can read the token; chmod 600 token"
    for (mode, isReported) in [("600", false), ("640", true), ("604", true), ("400", false)] {
      let ending = try Tool.shell(
        "chmod \(mode) token; $OTOLITH serve simulated --port 0 --token-file token --duration 0.1",
        in: scratch)
      #expect(ending.status == 0)
      #expect(ending.errorLines.contains(reported) == isReported, "\(mode): \(ending.errors)")
      // A given token must not be in a log.
      #expect(!ending.errors.contains("0123456789abcdef"))
    }
  }

  @Test func `a token that comes through a descriptor or a link is read without a word`() throws {
    try scratch.write("0123456789abcdef\n", to: "token")
    for file in ["/dev/fd/3 3<token", "link"] {
      let ending = try Tool.shell(
        "chmod 600 token; ln -sf token link; $OTOLITH serve simulated --port 0 --duration 0.1 "
          + "--token-file \(file)", in: scratch)
      #expect(ending.status == 0 && !ending.errors.contains("can read"), "\(ending)")
    }
  }

  @Test func `what is offered and cannot be read is refused at the start`() throws {
    try scratch.write("a,b\n1,2\n", to: "other.csv")
    try scratch.write("otolith-board: 9\n", to: "board.yaml")
    for (file, status, words) in [
      ("missing.mcap", Int32(66), "missing.mcap: no such file"),
      ("missing.yaml", 66, "missing.yaml"), ("other.csv", 65, "other.csv"),
      ("board.yaml", 78, "board.yaml"),
    ] {
      let ending = try Tool.shell(
        "timeout 10 $OTOLITH serve simulated --port 0 --offer \(file)", in: scratch)
      #expect(ending.status == status, "\(ending)")
      #expect(ending.errors.contains(words) && !ending.errors.contains("serving:"), "\(ending)")
    }
  }

  @Test func `a damaged recording that is chosen is refused, and the board goes on`() throws {
    let rows = (0..<500).map { "\(Double($0) / 50),0.5,0,-0.8660254" }
    let head = "timestamp,acceleration.x,acceleration.y,acceleration.z"
    try scratch.write(([head] + rows).joined(separator: "\n") + "\n", to: "good.csv")
    try scratch.write(head + "\n0.1,0,0,-1\n", to: "short.csv")
    let ending = try serve(
      "simulated --offer short.csv --offer good.csv",
      """
      until(lambda: "roll" in json.loads(ask("/api/motion")[2]))
      known = "Bearer " + token
      status, _, body = ask("/api/source", {"id": "file-1"}, Authorization=known)
      print(status, "short.csv" in json.loads(body)["error"])
      print(json.loads(ask("/api/source")[2])["current"])
      status, _, body = ask("/api/source", {"id": "file-2"}, Authorization=known)
      print(status, json.loads(body)["current"])
      until(lambda: abs(json.loads(ask("/api/motion")[2]).get("roll", 0) - 30) < 1)
      """)
    #expect(ending.lines == ["409 True", "first", "200 file-2", "status 0"], "\(ending)")
  }

  /// If no thread could be started, libdispatch waited for one forever and signals had no effect.
  @Test func `whichever thread cannot be started, it ends with one error`() throws {
    let calls = FailingCalls(in: scratch.path, of: .threads)
    let board = "simulated --port 0 --duration 0.5"
    let whole = try Tool.shell(
      "env \(calls.environment(.noThreads, call: 0)) $OTOLITH serve \(board)", in: scratch)
    #expect(whole.status == 0, "\(whole)")
    let count = try calls.count()
    #expect(count >= 3)
    for number in 1...count {
      let environment = try calls.environment(.noThreads, call: number)
      let ending = try Tool.shell(
        "env \(environment) timeout -s KILL 10 $OTOLITH serve \(board); echo $?", in: scratch)
      let last = ending.errorLines.last ?? ""
      #expect(ending.lines == ["69"], "thread \(number) of \(count): \(ending)")
      #expect(last.hasPrefix("cannot start thread \""), "\(ending)")
      #expect(
        last.hasSuffix(
          "\": no thread or memory is left for it (errno 11); raise the process's limits (ulimit "
            + "-v and -u, in a unit LimitAS=, MemoryMax= and TasksMax=)"), "\(ending)")
      #expect(ending.errors.components(separatedBy: "cannot start").count == 2, "\(ending)")
    }
  }

  /// Between too little memory for the loader and enough for everything there were limits at which
  /// the command hung or trapped in Swift's allocator.
  @Test func `however little memory it may have, it ends with one error`() throws {
    let ending = try Tool.shell(
      """
      for megabytes in $(seq 48 4 600); do
        (ulimit -v $((megabytes * 1024)) 2>/dev/null || exit 99
         exec timeout -s KILL 10 $OTOLITH serve simulated --port 0 --duration 0.2) 2>errors
        status=$?
        # 127: the loader's. Of what Swift's runtime does before the first line of the program nothing is said.
        [ $status = 127 ] && continue
        [ -s errors ] || continue
        echo "$status $(grep -c -e 'ulimit -v' errors) $(grep -v '^board: ' errors | wc -l)"
        [ $status = 0 ] && break
      done
      """, in: scratch)
    // Each run has one error, or the lines of a successful run.
    #expect(ending.lines.last == "0 0 2", "\(ending)")
    #expect(ending.lines.dropLast().allSatisfy { $0 == "69 1 1" }, "\(ending)")
    #expect(ending.lines.count >= 2, "\(ending)")
  }

  @Test func `where no descriptor is left an idle stranger makes room`() throws {
    let ending = try serve(
      "simulated",
      """
      until(lambda: "roll" in json.loads(ask("/api/motion")[2]))
      open_now = len(os.listdir(f"/proc/{serve.pid}/fd"))
      resource.prlimit(serve.pid, resource.RLIMIT_NOFILE, (open_now + 4, open_now + 4))
      strangers = [socket.create_connection(("127.0.0.1", port)) for _ in range(30)]
      begin = time.monotonic()
      print([ask("/api/motion")[0] for _ in range(5)], time.monotonic() - begin < 5)
      """)
    #expect(ending.lines == ["[200, 200, 200, 200, 200] True", "status 0"], "\(ending)")
    #expect(
      ending.errors.contains(
        "too many files are open, so the oldest idle connection was closed for a new one: raise "
          + "the process's limit (ulimit -n 1024, in a unit LimitNOFILE=)\n"), "\(ending)")
  }
}
