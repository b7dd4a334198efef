// SPDX-License-Identifier: Apache-2.0
import FailingCalls
import Foundation
import Testing

/// Every call on a socket fails in turn, in every way, in the service and in a client: one of them
/// may end with a message; the other continues, and no file is incomplete.
@Suite(.serialized, .timeLimit(.minutes(30))) struct SocketFaultTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  /// Records from the service at `otolith.sock` for `duration` seconds.
  private func record(_ environment: String = "", for duration: Double = 0.3) throws
    -> (status: Int, Tool.Ending)
  {
    let ending = try Tool.shell(
      "timeout 20 env OTOLITH_SOCKET=otolith.sock \(environment) \"$OTOLITH\" record -o out.csv --force "
        + "--duration \(duration) > /dev/null; echo $?", in: scratch)
    return (try #require(ending.lines.last.flatMap { Int($0) }), ending)
  }

  /// Calls `check` with each failure of each call that `count` counts.
  private func failing(
    _ what: String, _ count: (FailingCalls) throws -> Void,
    _ check: (FailingCalls, FailingCalls.Failure, Int, Comment) throws -> Void
  ) throws {
    let calls = FailingCalls(in: scratch.path, of: .sockets)
    try count(calls)
    let most = min(try calls.count(), FailingCalls.isThorough ? 60 : 40)
    try #require(most > 5)
    var runs = 0
    for number in FailingCalls.calls(of: most) {
      for failure in FailingCalls.failures(ofCall: number, of: .sockets) {
        runs += 1
        try check(calls, failure, number, "call \(number) of \(most), \(failure)")
      }
    }
    print("sockets that fail: \(what): \(most) calls, \(runs) runs")
  }

  @Test func `whichever call of a program fails, its file is whole and the service goes on`() throws
  {
    let service = try RunningService("--board", LiveTests.board, in: scratch)
    #expect(try record().status == 0)
    let header = try #require(try scratch.text("out.csv").split(separator: "\n").first)
    try failing(
      "a program",
      { calls in
        let whole = try record(calls.environment(.inputOutput, call: 0))
        #expect(whole.status == 0, "\(whole)")
      },
      { calls, failure, number, place in
        let (status, ending) = try record(calls.environment(failure, call: number))
        let reported: Comment = "\(place): status \(status), \(ending.errors)"
        #expect(status == 0 || status == 137 || (64...78).contains(status), reported)
        if failure.isGotOver { #expect(status == 0, reported) }
        if status != 0, failure != .killed {
          #expect(!ending.errorLines.isEmpty, reported)
        }
        let text = try scratch.text("out.csv")
        #expect(text.isEmpty || text.hasPrefix(header) && text.hasSuffix("\n"), reported)
        #expect(scratch.names.allSatisfy { ["out.csv", "otolith.sock"].contains($0) }, reported)
      })
    #expect(try record().status == 0)
    #expect(service.end() == 0)
  }

  @Test
  func `whichever call of the service fails, it ends with a sentence or serves the next program`()
    throws
  {
    try failing(
      "the service",
      { calls in
        let service = try RunningService(
          "--board", LiveTests.board, in: scratch,
          environment: calls.variables(.inputOutput, call: 0))
        #expect(try record().status == 0)
        #expect(service.end() == 0)
      },
      { calls, failure, number, place in
        let environment = try calls.environment(failure, call: number)
        let ending = try Tool.shell(
          """
          env \(environment) "$OTOLITH" service --board '\(LiveTests.board)' \
            --socket otolith.sock 2> log &
          service=$!
          for turn in $(seq 200); do
            grep -q 'board: ' log && break
            kill -0 $service 2> /dev/null || break
            sleep 0.02
          done
          program() {
            OTOLITH_SOCKET=otolith.sock timeout 20 "$OTOLITH" record -o out.csv --force \
              --duration $1 > /dev/null 2> errors; echo $?
          }
          program 0.3
          program 0.1
          program 0.1
          kill $service 2> /dev/null
          wait $service
          echo $?
          """, in: scratch)
        let statuses = ending.lines.compactMap { Int($0) }
        let log = try scratch.text("log")
        let reported: Comment = "\(place): \(statuses), \(ending.errors), \(log)"
        try #require(statuses.count == 4, reported)
        let text = (try? scratch.text("out.csv")) ?? ""
        #expect(text.isEmpty || text.hasSuffix("\n"), reported)
        switch statuses[3] {
        case 0: #expect(statuses[2] == 0, reported)
        case 137: #expect(failure == .killed, reported)
        default:
          #expect((64...78).contains(statuses[3]) && !failure.isGotOver, reported)
          #expect(log.split(separator: "\n").last?.contains(": ") == true, reported)
        }
      })
  }
}
