// SPDX-License-Identifier: Apache-2.0
import Fusion
import Quantities
import MotionViews
import Recognition
import Testing

/// The whole screen, at every size.
@Suite struct ScreenTests {
  /// Returns a board with three chips, of which one has failed, at rest and turned.
  static func scene(chips count: Int = 3) -> MonitorScene {
    let kinds = ["invensense,mpu6050", "st,lis3mdl", "bosch,bmp280"]
    var chips = (0..<count).map { index in
      var chip = MonitorScene.Chip(
        name: "chip\(index)", kind: kinds[index % 3], configuredRate: 100)
      (chip.measuredRate, chip.state) = (99.8, .delivering)
      return chip
    }
    chips[count - 1].state = .failed(
      "barometer on i2c1 at 0x76 does not acknowledge: look at its wiring and its address strap")
    var scene = MonitorScene(
      board: "10-DOF module on a Raspberry Pi", reason: "boards/raspberry-pi-10dof.yaml, requested",
      channels: [.acceleration, .rotationRate, .magneticField, .pressure, .temperature],
      frame: "x-magnetic-north-z-vertical", isNorth: true, chips: chips)
    var motion = MotionSample(timestamp: Timestamp(seconds: 100))
    motion.contents = [.attitude, .heading, .rotationRate, .magneticField, .pressure, .temperature]
    motion.gravity = Vector3(0, 0, -1)
    motion.userAcceleration = Vector3(0.5, -12.5, 1234567)
    motion.rotationRate = Vector3(0.25, -1, .nan)
    motion.magneticField = Vector3(20, -5, -42)
    motion.pressure = 101.325
    motion.temperature = 23.4
    motion.headingSigma = 0.1
    scene.motion = motion
    scene.attitude = Quaternion(angle: 0.5, axis: Vector3(0.6, 0, 0.8))
    var movement = Movement()
    movement.counts.steps = 123_456
    movement.counts.floorsAscended = 3
    movement.counts.floorsDescended = 12
    movement.currentCadence = 1.92
    movement.activity.activities = [.automotive, .stationary]
    scene.movement = movement
    scene.countsFloors = true
    scene.calibration = MonitorScene.Calibration(
      gyroBiasSigma: 0.0021, gyroScale: Vector3(0.012, -0.0035, 0), gyroScaleSigma: 0.0008,
      magneticDelay: 0.0123, magneticDelaySigma: 0.0011, magnetic: .full, coverage: 0.4)
    for index in 0..<40 {
      scene.events.append(
        .init(.note, "event \(index) of a length that may have to be cut or wrapped"))
    }
    for index in 0..<400 {
      var motion = motion
      motion.timestamp = Timestamp(seconds: Double(index) / 10)
      motion.rotationRate = Vector3(Double(index % 7), -1, 0)
      scene.history.add(motion)
    }
    return scene
  }

  /// Every size and number of chips gives the requested number of lines, each of the exact width.
  @Test(arguments: [
    (0, 0), (1, 1), (20, 5), (39, 24), (40, 11), (40, 12), (60, 18), (75, 40), (76, 20), (80, 24),
    (100, 30), (132, 32), (200, 60), (300, 100), (300, 12), (40, 100),
  ]) func `each size has as many lines as asked, each as wide`(columns: Int, rows: Int) {
    for chips in [1, 3, 12] {
      var scene = Self.scene(chips: chips)
      scene.showsHelp = chips == 12
      // Both character sets are tested, but not with each number of chips, because large screens
      // take long.
      for characterSet in chips == 3 ? [TerminalCharacters.unicode] : [.ascii] {
        let lines = MonitorScreen.lines(
          scene, columns: columns, rows: rows, characterSet: characterSet)
        #expect(lines.count == rows)
        #expect(lines.allSatisfy { $0.unicodeScalars.count == columns })
        if characterSet == .ascii {
          #expect(lines.allSatisfy { $0.utf8.allSatisfy { (0x20..<0x7F).contains($0) } })
        }
      }
    }
  }

  @Test func `a screen too small says what it needs`() {
    let lines = MonitorScreen.lines(Self.scene(), columns: 39, rows: 12)
    #expect(lines[0].hasPrefix("this needs 40x12 characters, but has"))
    #expect(lines[1].hasPrefix("39x12: enlarge the window, or press q"))
  }

  /// The contents that the smallest and the usual size must show.
  @Test(arguments: [(40, 12), (80, 24), (200, 60)])
  func `each size shows what must be on it`(columns: Int, rows: Int) {
    let text = MonitorScreen.lines(Self.scene(), columns: columns, rows: rows)
      .joined(separator: "\n")
    // 0.5 rad about (0.6, 0, 0.8), computed by hand: pitch is asin(0.6 sin 0.5) = 16.7, yaw is
    // atan2(0.8 sin 0.5, cos 0.5) = atan2(0.3835, 0.8776) = 23.6 degrees.
    for word in ["roll", "+16.7", "+23.6", "barometer", "q quit", "steps"] {
      #expect(text.contains(word), "\(word) at \(columns)x\(rows):\n\(text)")
    }
    guard columns >= 80 else { return }
    for word in [
      "99.8", "123456", "automotive, stationary", "101.325 kPa", "23.4 degC", "+20.0",
      "does not acknowledge", "-12.500", "to 1", "all calibrated  40%",
    ] {
      #expect(text.contains(word), "\(word) at \(columns)x\(rows):\n\(text)")
    }
    guard columns >= 200 else { return }
    for word in [
      "event 39 of a length", "40% of directions seen", "last 21 s, to 1",
      "gyro scale  +1.20   -0.35   +0.00 sigma   0.08 %", "mag delay  12.3 sigma  1.1 ms",
    ] {
      #expect(text.contains(word), "\(word):\n\(text)")
    }
  }

  /// An unknown value is a dash, and a value without room is marked; no other text moves.
  @Test func `what is not known is a dash, and what has no room says so`() {
    let lines = MonitorScreen.lines(Self.scene(), columns: 200, rows: 60)
    #expect(lines.contains { $0.contains(">>>>>>>>") }, "1234567 g has no room")
    #expect(lines.contains { $0.contains("z       -  ") }, "not a number")
  }

  /// A name from a file or another process may contain control characters.
  @Test func `control characters of a name are shown, not obeyed`() {
    var scene = Self.scene()
    scene.board = "a\u{1B}[2Jb\u{202E}\u{4E2D}c"
    let lines = MonitorScreen.lines(scene, columns: 80, rows: 24)
    #expect(lines[0].contains("a?[2Jb??c"))
  }

  @Test func `without motion the screen says that it waits`() {
    var scene = Self.scene()
    (scene.motion, scene.attitude, scene.movement) = (nil, nil, nil)
    let lines = MonitorScreen.lines(scene, columns: 80, rows: 24)
    #expect(lines.contains { $0.contains("waiting for motion") })
  }

  @Test func `failing chips come first where not all have room`() {
    let text = MonitorScreen.lines(Self.scene(chips: 12), columns: 80, rows: 24)
    let row = text.firstIndex { $0.hasPrefix("chip11 ") }
    let other = text.firstIndex { $0.hasPrefix("chip0 ") }
    #expect(row != nil && (other.map { $0 > row ?? 0 } ?? true))
    #expect(text.contains { $0.hasPrefix("and ") && $0.contains(" more") })
  }

  @Test(arguments: [(80, 24), (132, 40), (50, 20)]) func `a key shows all chips, page by page`(
    columns: Int, rows: Int
  ) {
    var scene = Self.scene(chips: 12)
    var seen: Set<String> = []
    for page in 0..<8 {
      scene.chipPage = page
      let text = MonitorScreen.lines(scene, columns: columns, rows: rows)
      let shown = (0..<12).filter { chip in text.contains { $0.hasPrefix("chip\(chip) ") } }
      seen.formUnion(shown.map { "chip\($0)" })
      let more = text.first { $0.hasPrefix("and ") }
      #expect(more?.hasPrefix("and \(12 - shown.count) more") ?? (columns < 76))
    }
    #expect(seen.count == 12, "\(seen)")
  }

  @Test func `how far the compass is calibrated has room on wide screens`() {
    for columns in [132, 160] {
      let text = MonitorScreen.lines(Self.scene(), columns: columns, rows: 40)
      #expect(text.contains { $0.contains("mag all calibrated") })
    }
  }

  @Test func `twelve chips leave room for the graphs`() {
    let text = MonitorScreen.lines(Self.scene(chips: 12), columns: 132, rows: 40)
    #expect(text.contains { $0.contains("user acceleration, g") })
    #expect(text.contains { $0.contains("rotation rate, rad/s") })
    #expect(text.count { $0.hasPrefix("chip") } >= 6)
  }

  /// If the service ends, all chips are silent; its message is shown once.
  @Test func `a sentence that all chips share stands once`() {
    var scene = Self.scene()
    for index in 0..<3 { scene.chips[index].state = .failed("the service is gone") }
    let lines = MonitorScreen.lines(scene, columns: 80, rows: 24)
    #expect(lines.count { $0.contains("the service is gone") } == 1)
    #expect(lines.count { $0.contains("  failed") } == 3)
  }
}
