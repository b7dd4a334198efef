// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `otolith replay --covariance`, read by Python's csv and json.
@Suite struct CovarianceTests {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try scratch.write(ReplayTests.turning, to: "turning.csv")
    try scratch.write(Self.hung, to: "hung.csv")
  }

  /// From second 8 on the gyroscope repeats its value for two seconds, while the device turns.
  static let hung: String = {
    var held: [Substring] = []
    let lines = ReplayTests.turning.split(separator: "\n").enumerated().map { index, line in
      var cells = line.split(separator: ",")
      if index == 401 { held = Array(cells[4...6]) }
      if (401..<501).contains(index) { cells.replaceSubrange(4...6, with: held) }
      return cells.joined(separator: ",")
    }
    return lines.joined(separator: "\n") + "\n"
  }()

  /// The columns are typed from docs/recordings.md.
  static let columns =
    ",attitudeCovariance.xx,attitudeCovariance.xy,attitudeCovariance.xz,attitudeCovariance.yy,"
    + "attitudeCovariance.yz,attitudeCovariance.zz,gyroBiasSigma,faults,coasting"

  private func replay(_ options: String) throws -> Tool.Ending {
    let ending = try Tool.shell("\"$OTOLITH\" replay \(options)", in: scratch)
    #expect(ending.status == 0, "\(ending.errors)")
    return ending
  }

  /// Returns the output of `program`, which can use functions that read a file's rows and
  /// covariances.
  private func python(_ program: String) throws -> String {
    let text = """
      import csv, json, math
      def rows(name): return list(csv.DictReader(open(name, newline="")))
      def covariance(row):
          c = {k: float(row["attitudeCovariance." + k]) for k in ("xx", "xy", "xz", "yy", "yz", "zz")}
          return [[c["xx"], c["xy"], c["xz"]], [c["xy"], c["yy"], c["yz"]], [c["xz"], c["yz"], c["zz"]]]
      def product(a, b): return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]
      def minors(m):
          two = m[0][0] * m[1][1] - m[0][1] ** 2
          return m[0][0], two, (m[2][2] * two - m[1][2] * (m[0][0] * m[1][2] - m[0][1] * m[0][2])
                                + m[0][2] * (m[0][1] * m[1][2] - m[1][1] * m[0][2]))
      \(program)
      """
    try scratch.write(text, to: "check.py")
    let ending = try Tool.shell("python3 check.py", in: scratch)
    #expect(ending.status == 0, "\(ending.errors)")
    return ending.output
  }

  @Test func `its columns come last, and only where they are asked for`() throws {
    let plain = try replay("turning.csv").lines
    let more = try replay("turning.csv --covariance").lines
    #expect(more.first == ReplayTests.header + Self.columns)
    for (line, long) in zip(plain.dropFirst(), more.dropFirst()) {
      #expect(long.hasPrefix(line + ","))
    }
    #expect(plain.count == more.count && plain.first == ReplayTests.header)
  }

  /// The accelerations are gravity alone, so their difference from a row's gravity is its tilt
  /// error.
  @Test func `the error of the tilt is as large as its covariance says`() throws {
    _ = try replay("turning.csv --covariance -o m.csv")
    let answer = try python(
      """
      truth = rows("turning.csv")
      worst = 0
      for measured, row in zip(truth, rows("m.csv")):
          m = covariance(row)
          assert all(x > 0 for x in minors(m)), m
          g = [float(row["gravity." + a]) for a in "xyz"]
          t = [float(measured["acceleration." + a]) for a in "xyz"]
          off = math.dist(g, t)
          largest = (m[0][0] + m[1][1]) / 2 + math.hypot((m[0][0] - m[1][1]) / 2, m[0][1])
          worst = max(worst, off / math.sqrt(largest))
          assert float(row["gyroBiasSigma"]) > 0 and row["faults"] == "" and row["coasting"] == "0"
      print(worst < 3)
      """)
    #expect(answer == "True\n")
  }

  /// C' = R C R^T for a frame rotated by the declination.
  @Test func `it is that of the reference frame`() throws {
    for (name, frame) in [
      ("m", "x-magnetic-north-z-vertical"), ("t", "x-true-north-z-vertical"),
      ("a", "x-arbitrary-z-vertical"),
    ] {
      _ = try replay(
        "turning.csv --covariance --declination-deg 30 --reference-frame \(frame) -o \(name).csv")
    }
    let answer = try python(
      """
      angle = math.radians(-30)
      c, s = math.cos(angle), math.sin(angle)
      turn, back = [[c, -s, 0], [s, c, 0], [0, 0, 1]], [[c, s, 0], [-s, c, 0], [0, 0, 1]]
      off, known = 0, 0
      for m, t, a in zip(rows("m.csv"), rows("t.csv"), rows("a.csv")):
          # Of an arbitrary frame the heading is from anywhere.
          assert covariance(a)[2] == [0, 0, math.pi ** 2] and a["heading"] == ""
          if not m["attitude.w"]: continue
          known += 1
          wanted, found = product(product(turn, covariance(m)), back), covariance(t)
          size = max(max(map(abs, row)) for row in found)
          off = max(off, max(abs(wanted[i][j] - found[i][j]) for i in range(3) for j in range(3)) / size)
      print(known > 800, off < 1e-9, covariance(m)[2][2] < 0.1)
      """)
    #expect(answer == "True True True\n")
  }

  @Test func `what follows makes it smaller`() throws {
    _ = try replay("turning.csv --covariance -o m.csv")
    _ = try replay("turning.csv --covariance --smooth -o s.csv")
    let answer = try python(
      """
      def tilt(row): return covariance(row)[0][0] + covariance(row)[1][1]
      print(2 * sum(map(tilt, rows("s.csv"))) < sum(map(tilt, rows("m.csv"))))
      """)
    #expect(answer == "True\n")
  }

  @Test func `a line of JSON has the same, and words for what is wrong`() throws {
    _ = try replay("hung.csv --covariance -o m.csv")
    _ = try replay("hung.csv --covariance -o m.jsonl")
    let answer = try python(
      """
      lines = [json.loads(line) for line in open("m.jsonl")]
      table = rows("m.csv")
      assert len(lines) == len(table)
      for line, row in zip(lines, table):
          for name, value in row.items():
              if name in ("activity", "faults"): assert line.get(name, "") == value
              elif value: assert line[name] == float(value)
              else: assert name not in line
      hung = [r for r in table if r["faults"] == "gyroscopeHung"]
      coasting = [r for r in table if r["coasting"] == "1"]
      print(len(hung) > 60, len(coasting) > 60, all(r["rotationRate.x"] == "" for r in coasting))
      wide, narrow = coasting[-1], table[390]
      print(covariance(wide)[0][0] > covariance(narrow)[0][0])
      """)
    #expect(answer == "True True True\nTrue\n")
  }

  @Test func `the end of a replay says which faults there were, for how long, and what to do`()
    throws
  {
    let ending = try replay("hung.csv -o m.csv")
    #expect(ending.errorLines.count == 2, "\(ending.errors)")
    #expect(
      ending.errorLines.first?.wholeMatch(
        of:
          /hung.csv: the gyroscope was stuck at one value for [12]\.\d s of 18 s: it has stopped measuring: check its supply, and reset it/
      ) != nil, "\(ending.errors)")
    #expect(
      ending.errorLines.last?.wholeMatch(
        of:
          /hung.csv: the attitude came from the accelerometer alone for [12]\.\d s of 18 s: turns about the vertical are missed, and every acceleration tilts it/
      ) != nil, "\(ending.errors)")
    #expect(try replay("turning.csv -o n.csv").errors == "")
  }

  /// From second 10 on the device is shaken by 3 g at 7 Hz, with a range of 2 g.
  @Test func `an accelerometer at the end of its range is reported with the time`() throws {
    var rows =
      "timestamp,acceleration.x,acceleration.y,acceleration.z,rotationRate.x,rotationRate.y,rotationRate.z\n"
    for index in 0..<4000 {
      let time = Double(index) / 200
      let x = time < 10 ? 0 : min(max(3 * sin(2 * .pi * 7 * time), -2), 2)
      let noise = 0.001 * sin(Double(index * 7919 % 1000))
      rows += "\(time),\(x),\(noise),\(-1 + noise),\(noise),0,0\n"
    }
    try scratch.write(rows, to: "cut.csv")
    let ending = try replay("cut.csv -o m.csv")
    #expect(
      ending.errorLines.contains {
        $0.wholeMatch(
          of:
            /cut.csv: the accelerometer was at the end of its range for (9\.\d|10\.0) s of 20 s: choose a larger range \('acceleration-range-g' in the board file\)/
        ) != nil
      }, "\(ending.errors)")
  }
}
