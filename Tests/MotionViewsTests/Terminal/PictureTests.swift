// SPDX-License-Identifier: Apache-2.0
import Fusion
import Quantities
import MotionViews
import Testing

/// The drawn board, and the encoding of cells as bytes.
@Suite struct PictureTests {
  /// Computed by hand: the camera is at (0, -10 cos 30, 10 sin 30) and looks at the origin, which
  /// is in the middle. A point at (1, 0, 0) appears 1 to the right. (0, 1, 0) is cos 30 deeper and
  /// sin 30 higher: height 0.5 * 10 / (10 + 0.8660). (0, 0, 1) is sin 30 nearer: 0.8660 * 10 / (10
  /// - 0.5).
  @Test func `a camera projects as worked out by hand`() {
    let camera = Camera(towards: Vector3(0, 1, 0), elevation: .pi / 6, distance: 10)
    func expect(_ point: Vector3, _ x: Double, _ y: Double) {
      let seen = camera.project(point)
      #expect(abs(seen.x - x) < 1e-6 && abs(seen.y - y) < 1e-6, "\(point): \(seen)")
    }
    expect(Vector3(0, 0, 0), 0, 0)
    expect(Vector3(1, 0, 0), 1, 0)
    expect(Vector3(0, 1, 0), 0, 0.4601499)
    expect(Vector3(0, 0, 1), 0, 0.9116057)
    expect(Vector3(1, 1, 0), 0.9202997, 0.4601499)
    expect(Vector3(1, -1, 0), 1.0948136, -0.5474068)
  }

  /// In frames whose x is north the viewer looks north, so east, which is -y, is on the right.
  @Test func `north is away from the viewer, and east on the right`() {
    let seen = BoardPicture(attitude: nil, isNorth: true).camera.project(Vector3(0, -1, 0))
    #expect(abs(seen.x - 1) < 1e-9 && abs(seen.y) < 1e-9)
    let north = BoardPicture(attitude: nil, isNorth: true).camera.project(Vector3(1, 0, 0))
    #expect(abs(north.x) < 1e-9 && north.y > 0)
  }

  private func lines(_ attitude: Quaternion, _ characterSet: TerminalCharacters = .unicode)
    -> [String]
  {
    var scene = ScreenTests.scene()
    (scene.attitude, scene.isNorth) = (attitude, false)
    // The left half of a large screen is the picture.
    return MonitorScreen.lines(scene, columns: 200, rows: 60, characterSet: characterSet)
      .dropFirst(3).prefix(40).map { String($0.prefix(100)) }
  }

  private func place(_ name: Character, _ lines: [String]) -> (column: Int, row: Int)? {
    // Search below the name of the frame, which contains other letters.
    for (row, line) in lines.enumerated().dropFirst() {
      if let index = line.firstIndex(of: name) {
        return (line.distance(from: line.startIndex, to: index), row)
      }
    }
    return nil
  }

  /// The directions of the axes on the screen: flat, then with the left edge raised by 90 degrees,
  /// then face down.
  @Test func `the axes point as the attitude says`() throws {
    let flat = lines(.identity)
    let (x, y, z) = try (
      #require(place("x", flat)), #require(place("y", flat)), #require(place("z", flat))
    )
    // x is to the right of z; y is above the middle and below the tip of z.
    #expect(x.column > z.column + 15 && abs(y.column - z.column) <= 1)
    #expect(z.row < y.row && y.row < x.row)

    // Yaw of 90 degrees, counter-clockwise from above: x is at the previous place of y, and y
    // points left.
    let turned = lines(Quaternion(angle: .pi / 2, axis: Vector3(0, 0, 1)))
    let (x2, y2) = try (#require(place("x", turned)), #require(place("y", turned)))
    #expect(abs(x2.column - z.column) <= 1 && x2.row < x.row)
    #expect(y2.column < z.column - 15)

    // Face down, z points down with a visible tip; rolled about y, x points left.
    let down = lines(Quaternion(angle: .pi, axis: Vector3(0, 1, 0)))
    let x3 = try #require(place("x", down))
    #expect(x3.column < y.column - 15)
    let z3 = place("z", down)
    #expect(z3 == nil || (z3?.row ?? 0) > y.row)
  }

  /// The chip is only on the upper side, so it is invisible from below.
  @Test func `of the chip nothing is seen from below`() {
    var scene = ScreenTests.scene()
    scene.isNorth = false
    func surfaces(_ attitude: Quaternion) -> Set<Surface> {
      scene.attitude = attitude
      let canvas = MonitorScreen.canvas(scene, columns: 200, rows: 60)
      var all: Set<Surface> = []
      for row in 3..<40 { for column in 0..<100 { all.insert(canvas[column, row].surface) } }
      return all
    }
    let up = surfaces(.identity)
    #expect(up.contains(.chip) && up.contains(.top2) && !up.contains(.under))
    // The top edge points down, turned about x by -90 degrees, so the face looks away.
    let away = surfaces(Quaternion(angle: -.pi / 2, axis: Vector3(1, 0, 0)))
    #expect(away.contains(.under) && !away.contains(.chip))
    #expect(away.isDisjoint(with: [.top0, .top1, .top2]))
  }

  @Test func `the picture can be drawn in ASCII`() {
    let text = lines(.identity, .ascii).joined()
    for character in "/-x" { #expect(text.contains(character)) }
  }

  /// The first frame is sent completely, then nothing, then two characters.
  @Test func `only what has changed is sent`() {
    var encoder = FrameEncoder(.none)
    var scene = ScreenTests.scene()
    let first = encoder.bytes(of: MonitorScreen.canvas(scene, columns: 80, rows: 24))
    #expect(String(decoding: first, as: UTF8.self).hasPrefix("\u{1B}[?2026h\u{1B}[0m\u{1B}[2J"))
    #expect(encoder.bytes(of: MonitorScreen.canvas(scene, columns: 80, rows: 24)).isEmpty)
    // 23.4 becomes 23.6 in row 18 of 24, which shows the environment.
    let before = MonitorScreen.lines(scene, columns: 80, rows: 24)
    scene.motion?.temperature = 23.6
    let after = MonitorScreen.lines(scene, columns: 80, rows: 24)
    let rows = (0..<24).filter { before[$0] != after[$0] }
    #expect(rows.count == 1)
    let bytes = encoder.bytes(of: MonitorScreen.canvas(scene, columns: 80, rows: 24))
    let text = String(decoding: bytes, as: UTF8.self)
    let column = zip(before[rows[0]], after[rows[0]]).enumerated().first { $1.0 != $1.1 }?.offset
    #expect(
      text == "\u{1B}[?2026h\u{1B}[0m\u{1B}[\(rows[0] + 1);\((column ?? 0) + 1)H6"
        + "\u{1B}[0m\u{1B}[?2026l")
    // After a change of size the whole screen is sent.
    #expect(encoder.bytes(of: MonitorScreen.canvas(scene, columns: 81, rows: 24)).count > 1000)
  }

  @Test func `without colours no colour is asked for`() {
    var encoder = FrameEncoder(.none)
    let bytes = encoder.bytes(of: MonitorScreen.canvas(ScreenTests.scene(), columns: 80, rows: 24))
    let text = String(decoding: bytes, as: UTF8.self)
    // Bold and reverse are used, but no colour (30 to 49, 90 to 107).
    for match in text.matches(of: /\u{1B}\[([0-9;]+)m/) {
      #expect(
        match.1.split(separator: ";").allSatisfy { ["0", "1", "22", "7", "27"].contains($0) })
    }
  }
}
