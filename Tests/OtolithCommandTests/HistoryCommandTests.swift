// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `otolith history` on a database made by another program.
@Suite struct HistoryCommandTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  private var folder: String { scratch.path + "/state/otolith/movement" }

  /// Creates a database of version 1, from the store's tests: nine steps within three seconds from
  /// New Year 2026 on, or from `start`, with an uptime of 1000 s.
  private func make(start: Double? = nil) throws {
    let dump = Tool.root + "/Tests/HistoryTests/Movement/version-1.sql"
    let offset = start.map { Int64(($0 - 1000) * 1e9) }
    let ending = try Tool.shell(
      """
      mkdir -p '\(folder)' && python3 -c "
      import sqlite3
      c = sqlite3.connect('\(folder)/movement.sqlite')
      c.executescript(open('\(dump)').read())
      c.execute('UPDATE boot SET wallOffset = \(offset.map(String.init) ?? "wallOffset")')
      c.commit()"
      """, in: scratch)
    #expect(ending.status == 0, "\(ending.errors)")
  }

  private func run(_ arguments: String) throws -> Tool.Ending {
    try Tool.shell(
      "TZ=UTC XDG_STATE_HOME='\(scratch.path)/state' \"$OTOLITH\" history \(arguments)", in: scratch
    )
  }

  @Test func `a history that is not there has empty days`() throws {
    let show = try run("show --days 2")
    #expect(show.status == 0 && show.lines.count == 4, "\(show)")
    #expect(show.lines[0] == "      date    steps   distance    active    up  down")
    #expect(show.lines[1].hasSuffix("        -          -         -     -     -"))
    let export = try run("export")
    #expect(export.status == 0 && export.lines.count == 1, "the header alone")
    #expect(try run("erase --yes").output.hasPrefix("nothing to erase: "))
    #expect(!scratch.names.contains("state"))
    // On the first day there may be only a simulated board's history.
    try FileManager.default.createDirectory(
      atPath: scratch.path + "/state/otolith/movement-simulated", withIntermediateDirectories: true)
    #expect(try run("show").errors.contains("otolith history show --simulated\n"))
  }

  /// Found by `make fuzz`: damaged numbers, or those of another program, must only give wrong
  /// results.
  @Test(arguments: [
    "boot SET wallOffset = -9223372036854775807", "boot SET wallOffset = 9223372036854775807",
    "walk SET span = -9223372036854775807", "walk SET steps = 4611686018427387904",
    "activity SET confidence = 2112, activities = -1", "event SET kind = 256",
    "session SET start = -9223372036854775807, until = 9223372036854775807",
  ])
  func `no number of a row ends the reader`(_ change: String) throws {
    try make(start: Date().timeIntervalSince1970 - 3600)
    let current = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
      .filter(\.isHexDigit)
    // This entry belongs to the current run of the machine, whose clock is used.
    let ending = try Tool.shell(
      """
      python3 -c "
      import sqlite3
      c = sqlite3.connect('\(folder)/movement.sqlite')
      c.execute('UPDATE boot SET identifier = ?', (bytes.fromhex('\(current)'),))
      c.execute('UPDATE \(change)')
      c.commit()"
      """, in: scratch)
    #expect(ending.status == 0, "\(ending.errors)")
    for command in ["show --days 2", "export", "show --days 2 --json"] {
      let ending = try run(command)
      #expect([0, 74].contains(ending.status), "\(command): \(ending)")
    }
  }

  /// An hour ago, which may be yesterday.
  @Test func `the history of a day is a row of the table, or of JSON`() throws {
    try make(start: Date().timeIntervalSince1970 - 3600)
    let table = try run("show --days 2")
    let pattern = /20\d\d-\d\d-\d\d {8}9 {8}6 m {5}0 min {5}1 {5}0/
    #expect(table.lines.count { $0.wholeMatch(of: pattern) != nil } == 1, "\(table)")
    let json = try run("show --days 2 --json")
    var steps = 0
    for line in json.lines {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      steps += try #require((object?["steps"] as? NSNumber)?.intValue)
    }
    #expect(json.lines.count == 2 && steps == 9)
  }

  @Test func `the history is exported as rows, from where and to where asked`() throws {
    try make()
    let all = try run("export")
    #expect(
      all.output == """
        kind,start,end,steps,distance,activeTime,floorsAscended,floorsDescended,activity,confidence
        activity,2026-01-01T00:00:00.000Z,,,,,,,walking,2
        walk,2026-01-01T00:00:00.000Z,2026-01-01T00:00:01.000Z,2,1.4,1.0,0,0,,
        walk,2026-01-01T00:00:01.000Z,2026-01-01T00:00:02.000Z,3,2.1,1.0,1,0,,
        walk,2026-01-01T00:00:02.000Z,2026-01-01T00:00:03.000Z,4,2.8,1.0,0,0,,
        activity,2026-01-01T00:00:02.500Z,,,,,,,stationary,1
        pause,2026-01-01T00:00:02.500Z,,,,,,,,

        """)
    #expect(all.status == 0 && all.errors.isEmpty)
    let some = try run(
      "export --format jsonl --from 2026-01-01T00:00:01Z --to 2026-01-01T00:00:02Z -o rows.jsonl")
    #expect(some.status == 0 && some.output.isEmpty)
    #expect(
      try scratch.text("rows.jsonl") == """
        {"kind":"activity","start":"2026-01-01T00:00:00.000Z","activity":"walking","confidence":2}
        {"kind":"walk","start":"2026-01-01T00:00:01.000Z","end":"2026-01-01T00:00:02.000Z",\
        "steps":3,"distance":2.1,"activeTime":1.0,"floorsAscended":1,"floorsDescended":0}

        """)
    let file = try FileManager.default.attributesOfItem(atPath: scratch.path + "/rows.jsonl")
    #expect(file[.posixPermissions] as? Int == 0o600)
    // Dates are typed as for `otolith steps`, or copied from an export.
    for from in ["2026-01-01T00:00:02", "2026-01-01T00:00:02.000Z", "2026-01-01T01:00:02+01:00"] {
      let rest = try run("export --from \(from)")
      #expect(rest.lines.count { $0.hasPrefix("walk,") } == 1, "\(from): \(rest)")
    }
    #expect(try run("export --from today").lines.count { $0.hasPrefix("walk,") } == 0)
    #expect(try run("export --from 2026-13-01").status == 64)
    #expect(try run("export --to 2026-01-01 --simulated").lines.count == 1)
    #expect(try run("export -o /nowhere/rows.csv").status == 73)
    #expect(try run("export -o -").output == all.output)
  }

  @Test func `an export is written into a pipe or a device, which stays`() throws {
    try make()
    let state = "XDG_STATE_HOME='\(scratch.path)/state'"
    let ending = try Tool.shell(
      """
      mkfifo pipe && ln -s /dev/full full && ln -s /dev/null null
      cat pipe > got.csv & cat=$!
      \(state) "$OTOLITH" history export -o pipe || kill $cat
      wait $cat
      \(state) "$OTOLITH" history export -o null
      \(state) "$OTOLITH" history export -o full; echo status $?
      test -p pipe && test -L null && test -L full && echo they stay
      """, in: scratch)
    #expect(ending.lines == ["status 74", "they stay"], "\(ending)")
    #expect(ending.errors == "/dev/full: cannot be written: No space left on device\n")
    #expect(try scratch.text("got.csv") == run("export").output)
  }

  @Test func `an old export stays until the new one is whole`() throws {
    try make()
    try scratch.write("old", to: "old.csv")
    // The system ends the command at the first byte.
    let ending = try Tool.shell(
      """
      (ulimit -f 0; XDG_STATE_HOME='\(scratch.path)/state' \
        "$OTOLITH" history export -o old.csv 2> /dev/null)
      test $? -ne 0 && cat old.csv
      """, in: scratch)
    #expect(ending.output == "old", "\(ending)")
  }

  @Test func `the history is erased once that is confirmed`() throws {
    try make()
    let segment = scratch.path + "/state/otolith/acceleration/0000000000000001.samples"
    try FileManager.default.createDirectory(
      atPath: scratch.path + "/state/otolith/acceleration", withIntermediateDirectories: true)
    try "rot".write(toFile: segment, atomically: false, encoding: .utf8)
    // There is no terminal to confirm on.
    let asked = try run("erase")
    #expect(asked.status == 64)
    #expect(
      asked.errors
        == "this erases \(folder) and \(scratch.path)/state/otolith/acceleration permanently; "
        + "confirm with --yes\n")
    #expect(FileManager.default.fileExists(atPath: segment))
    let erased = try run("erase --yes")
    #expect(erased.status == 0 && erased.output.hasPrefix("erased \(folder) and "), "\(erased)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["lock"])
    #expect(!FileManager.default.fileExists(atPath: segment))
  }

  /// Files of root in the folder of a service's user would lock that user out.
  @Test(.enabled(if: geteuid() == 0, "needs root"))
  func `root erases the history of another user as that user`() throws {
    try make()
    let ending = try Tool.shell(
      """
      chown -hR 54321:54321 state
      XDG_STATE_HOME='\(scratch.path)/state' "$OTOLITH" history erase --yes
      ls -ln state/otolith/movement | awk 'NF > 2 { print $3, $4, $9 }'
      """, in: scratch)
    #expect(ending.lines == ["erased \(folder)", "54321 54321 lock"], "\(ending)")
  }

  /// In a container without these capabilities root could follow links of the owner to other files.
  @Test(.enabled(if: geteuid() == 0, "needs root"))
  func `root erases nothing where it may not act as the owner`() throws {
    try make()
    let ending = try Tool.shell(
      """
      chown -hR 54321:54321 state
      XDG_STATE_HOME='\(scratch.path)/state' setpriv --inh-caps=-setuid,-setgid \
        --bounding-set=-setuid,-setgid "$OTOLITH" history erase --yes
      echo $?
      ls state/otolith/movement
      """, in: scratch)
    #expect(ending.lines.first == "77" && ending.lines.contains("movement.sqlite"), "\(ending)")
    #expect(ending.errors.hasPrefix("\(folder) belongs to user 54321, as whom root may not act"))
    #expect(ending.errors.contains("nothing is erased: run this as that user"))
  }

  @Test func `a damaged history is reported with its file`() throws {
    try make()
    try "what is this?".write(
      toFile: folder + "/movement.sqlite", atomically: false, encoding: .utf8)
    let ending = try run("show")
    #expect(ending.status == 74 && ending.output.isEmpty)
    #expect(ending.errors == "\(folder)/movement.sqlite: file is not a database\n")
  }
}
