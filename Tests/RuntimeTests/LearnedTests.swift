// SPDX-License-Identifier: Apache-2.0
import Runtime
import Boards
import ChipCatalog
import Foundation
import Fusion
import LinuxSystem
import Quantities
import MotionSources
import Sensors
import Testing

/// Tests of the file in which a board keeps what it has learned until it is started again.
@Suite(.serialized, .timeLimit(.minutes(1))) struct LearnedTests {
  let folder = FileManager.default.temporaryDirectory.path() + "/learned-\(UUID().uuidString)/"
  var path: String { folder + "new/board.yaml" }

  var board: Board {
    get throws {
      var board = try Fixtures.still()
      board.learned = .file(path: path)
      return board
    }
  }

  /// Returns the gyroscope's bias in the first motion of a session of `board`.
  func firstBias(_ board: Board) throws -> Vector3 {
    let session = BoardSession(board)
    var reader = session.pipeline.motions.reader()
    try session.start()
    defer { session.stop() }
    var bias: Vector3?
    _ = Fixtures.eventually {
      while bias == nil, let motion = reader.read() {
        if motion.contents.contains(.rotationRate) { bias = motion.gyroBias }
      }
      return bias != nil
    }
    return try #require(bias)
  }

  func write(_ text: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder + "new", withIntermediateDirectories: true)
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }

  /// Returns the file of a run that ended a minute ago and found a bias of 0.05 rad/s, known to
  /// 0.0005 rad/s.
  func file(of board: Board) -> LearnedFile {
    LearnedFile(
      board: board.fingerprint, written: (Date().timeIntervalSince1970 - 60).rounded(),
      memory: FusionMemory(
        gyroscope: FusionMemory.Gyroscope(bias: Vector3(0.05, 0, 0), sigma: 0.0005)))
  }

  @Test func `learned values are saved and found`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let session = BoardSession(try board)
    try session.start()
    // The board lies still; after 1.5 s its bias is known well enough to be kept.
    #expect(Fixtures.eventually { session.pipeline.memory.gyroscope?.sigma ?? 1 < 0.002 })
    session.stop()
    let kept = try #require(try LearnedFile.load(path: path))
    #expect(kept.board == (try board.fingerprint))
    #expect(abs(Date().timeIntervalSince1970 - kept.written) < 60)
    #expect(kept.memory == session.pipeline.memory)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(mode as? Int == 0o644)
  }

  @Test func `what was learned is assumed at the next start`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let board = try board
    try write(file(of: board).text)
    #expect((try firstBias(board) - Vector3(0.05, 0, 0)).norm < 0.001)
  }

  @Test func `another engine can begin with what a pipeline knows of its sensors`() throws {
    let pipeline = MotionPipeline(chips: [[.rotationRate, .acceleration, .magneticField]])
    let sigma = Vector3(0.002, 0.002, 0.002)
    let known = FusionMemory(
      gyroscopeMatrix: FusionMemory.GyroscopeMatrix(
        matrix: Matrix3(rows: Vector3(1.02, 0.01, 0), Vector3(0, 0.99, 0), Vector3(0, 0, 1)),
        sigma: Matrix3(rows: sigma, sigma, sigma)),
      magneticDelay: FusionMemory.MagneticDelay(delay: 0.02, sigma: 0.002))
    pipeline.assume(known)
    let memory = pipeline.calibration.memory
    let matrix = try #require(memory.gyroscopeMatrix)
    #expect(matrix.matrix == known.gyroscopeMatrix?.matrix)
    #expect(abs(matrix.sigma.m12 - 0.002) < 1e-12)
    let delay = try #require(memory.magneticDelay)
    #expect(delay.delay == 0.02 && abs(delay.sigma - 0.002) < 1e-12)
  }

  @Test func `another board begins without learned values`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var file = file(of: try board)
    file.board = "0000000000000000"
    try write(file.text)
    #expect(try firstBias(board).norm < 0.001)
  }

  /// A board file names the path that is written. A hostile one, such as `learned: ../../victim`,
  /// must not overwrite a file that does not hold learned values.
  @Test(arguments: ["nonsense: [", "", "precious", "otolith-learned: 2\nboard: \"a\"\n"])
  func `a file without learned values is never overwritten`(_ text: String) throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try write(text)
    let session = BoardSession(try board)
    try session.start()
    #expect(Fixtures.eventually { session.pipeline.memory.gyroscope != nil })
    session.stop()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
  }

  /// The link is refused even if it is made after the board has started.
  @Test func `a link in the place of learned values is not followed`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let board = try board
    try write(file(of: board).text)
    let other = folder + "other.yaml"
    try FileManager.default.moveItem(atPath: path, toPath: other)
    let old = try String(contentsOfFile: other, encoding: .utf8)
    let session = BoardSession(board)
    try session.start()
    #expect(Fixtures.eventually { session.pipeline.memory.gyroscope != nil })
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other)
    session.stop()
    #expect(try String(contentsOfFile: other, encoding: .utf8) == old)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == other)
  }

  /// A file stands where the folder should be, so that nothing can be kept; the board runs all the
  /// same.
  @Test func `where what was learned cannot be kept the board runs all the same`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try "".write(toFile: folder + "new", atomically: true, encoding: .utf8)
    let session = BoardSession(try board)
    try session.start()
    #expect(Fixtures.eventually { session.pipeline.memory.gyroscope != nil })
    session.stop()
    #expect(session.report.allSatisfy { $0.health.received > 0 })
  }

  /// The simulated field, 49.2 microtesla with a dip of 66 degrees, is about that of 51 N 10 E. A
  /// board that lies still cannot know whether the field is the Earth's or a magnet's, unless it
  /// knows where it is.
  @Test func `what was learned of the field holds where the location agrees`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    func accuracies(_ position: GeodeticPosition?) throws -> Set<MagneticAccuracy> {
      var board = try board
      board.location = Location(position: position)
      var file = file(of: board)
      file.memory = FusionMemory(
        magnetometer: FusionMemory.Magnetometer(hardIron: .zero, sigma: 0.1))
      try write(file.text)
      let session = BoardSession(board)
      var reader = session.pipeline.motions.reader()
      try session.start()
      defer { session.stop() }
      var seen: Set<MagneticAccuracy> = []
      var first: Timestamp?
      // The accuracy of north settles within the first five seconds of the board's time.
      _ = Fixtures.eventually {
        while let motion = reader.read() {
          seen.insert(motion.magneticAccuracy)
          let start = first ?? motion.timestamp
          first = start
          if seen.contains(.medium) || motion.timestamp - start > .seconds(5) { return true }
        }
        return false
      }
      return seen
    }
    #expect(try accuracies(GeodeticPosition(latitude: 51, longitude: 10)).contains(.medium))
    #expect(
      try accuracies(GeodeticPosition(latitude: 0, longitude: 120)).isSubset(of: [
        .uncalibrated, .low,
      ]))
    #expect(try accuracies(nil).isSubset(of: [.uncalibrated, .low]))
  }

  // MARK: - Where

  @Test func `what was learned lies where the board or the environment says`() throws {
    var board = try Fixtures.real()
    board.file = "/etc/otolith/my board.yaml"
    func place(_ environment: [String: String]) -> String? {
      LearnedPlace.path(of: board, environment: environment)
    }
    #expect(
      place(["XDG_STATE_HOME": "/state", "HOME": "/home/me"])
        == "/state/otolith/learned/myboard.yaml")
    #expect(place(["HOME": "/home/me"]) == "/home/me/.local/state/otolith/learned/myboard.yaml")
    // The XDG Base Directory Specification says that a relative path is ignored.
    #expect(
      place(["XDG_STATE_HOME": "state", "HOME": "/home/me"])
        == "/home/me/.local/state/otolith/learned/myboard.yaml")
    #expect(place([:]) == "/var/lib/otolith/learned/myboard.yaml")
    board.file = "(detected)"
    #expect(place([:]) == "/var/lib/otolith/learned/detected.yaml")
    board.learned = .off
    #expect(place([:]) == nil)
    board.learned = .file(path: "here.yaml")
    #expect(place([:]) == "here.yaml")
    #expect(LearnedPlace.path(of: try Fixtures.still(), environment: ["HOME": "/me"]) == nil)
  }

  /// Root may run with the environment of another user, as under `sudo -E`, and must not leave its
  /// file in that user's folder.
  @Test(.enabled(if: geteuid() == 0, "needs root"), arguments: ["", "otolith", "otolith/learned"])
  func `root leaves no learned file in another user's state`(_ place: String) throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "otolith/learned/board.yaml"
    try FileManager.default.createDirectory(
      atPath: folder + place, withIntermediateDirectories: true)
    #expect(LearnedPlace.foreignOwner(of: path) == nil)
    try FileManager.default.setAttributes(
      [.ownerAccountID: 54321], ofItemAtPath: folder + place)
    #expect(LearnedPlace.foreignOwner(of: path) == 54321)
  }

  // MARK: - Delays

  /// An MPU-6050 at 100 Hz filters at 42 Hz, and so delays the gyroscope by 4.8 ms and the
  /// accelerometer by 4.9 ms (RM-MPU-6000A, section 4.3). A LIS3MDL at 80 Hz averages over one of
  /// the 155 conversions a second that it makes at its best performance; its delay is half a
  /// conversion, 3.226 ms.
  @Test func `delays are those of the chips`() throws {
    var board = try Fixtures.still()
    let params = FusionEngine.Params(of: board)
    #expect(abs(params.gyroDelay - 0.0048) < 1e-12)
    #expect(abs(params.accelerationDelay - 0.0049) < 1e-12)
    #expect(abs(params.magneticDelay - 0.003226) < 1e-6)
    // The delay of the magnetometer is only a start value: the engine goes on estimating it.
    #expect(params.magneticDelaySigma == FusionEngine.Params().magneticDelaySigma)
    board.chips[0].delays.rotationRate = 0.012
    #expect(abs(FusionEngine.Params(of: board).gyroDelay - 0.012) < 1e-12)
    board.chips.removeFirst()
    #expect(FusionEngine.Params(of: board).gyroDelay == FusionEngine.Params().gyroDelay)
  }

  /// The fixture's MPU-6050 has ranges of 4 g and 500 degrees/s, at which it has 8192 counts per g and
  /// 65.5 per degree/s (PS-MPU-6000A-00, 6.1 and 6.2). The gyroscope of a LSM6DSO, set to
  /// 500 degrees/s, measures up to 32767 counts of 17.5 mdps (DS12140 rev. 2, table 2).
  @Test func `ranges are those of the chips`() throws {
    var board = try Fixtures.still()
    let params = FusionEngine.Params(of: board)
    let (force, rate) = (
      try #require(params.accelerationRange?.end), try #require(params.rotationRateRange?.end)
    )
    #expect(abs(force - 32767.0 / 8192) < 1e-9)
    #expect(abs(rate * 180 / .pi - 32767 / 65.5) < 1e-6)
    board.chips[0].chip = "st,lsm6dso"
    board.chips[0].settings.rotationRateRange = 500 * .pi / 180
    let end = try #require(FusionEngine.Params(of: board).rotationRateRange?.end)
    #expect(abs(end * 180 / .pi - 32767 * 0.0175) < 0.01)
    board.chips.removeAll()
    #expect(FusionEngine.Params(of: board).rotationRateRange == nil)
    #expect(FusionEngine.Params(of: board).accelerationRange == nil)
  }

  /// The gyroscope of an MPU-6050 has errors of up to 20 degrees/s, 3 % in scale and 2 % across
  /// axes; its accelerometer of up to 50 mg, 3 % and 2 % (PS-MPU-6000A-00 rev. 3.4, 6.1 and 6.2).
  /// Errors are taken to be spread evenly up to these limits. An error that a calibration has
  /// removed is no longer expected.
  @Test func `errors to expect are those of the chips`() throws {
    var board = try Fixtures.still()
    let params = FusionEngine.Params(of: board)
    let root = 3.0.squareRoot()
    #expect(abs(params.biasSigmaAtStart - 20 * .pi / 180 / root) < 1e-12)
    #expect(abs(params.gyroScaleSigma - 0.03 / root) < 1e-12)
    #expect(abs(params.gyroMisalignmentSigma - 0.02 / root) < 1e-12)
    #expect(abs(params.accelerationOffsetSigma - 0.05 / root) < 1e-12)
    #expect(abs(params.accelerationScaleSigma - 0.03 / root) < 1e-12)
    #expect(abs(params.accelerationCrossAxisSigma - 0.02 / root) < 1e-12)

    // The data sheet gives 20 degrees/s over 125 kelvins and 35 mg over 70 kelvins; the chip's
    // temperature is taken to wander by 0.4 kelvins per root second.
    #expect(abs(params.biasWalk - 0.4 * 20 / 125 * .pi / 180 / root) < 1e-12)
    #expect(abs(params.accelerationOffsetWalk - 0.4 * 0.035 / 70 / root) < 1e-12)

    var errors = ChipCalibration(gyroBias: Vector3(0.01, 0, 0))
    board.calibration = Calibration(
      file: "", chips: ["imu": CalibratedChip(chip: "invensense,mpu6050", errors: errors)])
    let defaults = FusionEngine.Params()
    #expect(FusionEngine.Params(of: board).biasSigmaAtStart == defaults.biasSigmaAtStart)
    #expect(FusionEngine.Params(of: board).gyroScaleSigma == params.gyroScaleSigma)
    errors.gyroMatrix = Matrix3(
      rows: Vector3(1.01, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1))
    errors.accelerationOffset = Vector3(0, 0, 0.02)
    board.calibration?.chips["imu"]?.errors = errors
    let calibrated = FusionEngine.Params(of: board)
    #expect(calibrated.gyroScaleSigma == defaults.gyroScaleSigma)
    #expect(calibrated.gyroMisalignmentSigma == defaults.gyroMisalignmentSigma)
    // A calibrated accelerometer is taken to be off by 0.9 mg, 0.2 % and 0.12 degrees.
    #expect(calibrated.accelerationOffsetSigma == 0.0009)
    #expect(calibrated.accelerationScaleSigma == 0.002)
    #expect(abs(calibrated.accelerationCrossAxisSigma - 0.12 * .pi / 180) < 1e-12)
  }

  /// Typical values in degrees/s and in mg per kelvin are taken from these data sheets. LSM6DS3:
  /// DocID026899 rev. 8, table 3; LSM6DSL, which stands for the LSM6DS3TR-C: DocID028475 rev. 7,
  /// table 3; LSM6DSO and ISM330DHCX: DS12140 rev. 2 and DS13012 rev. 7, table 2; BMI160:
  /// BST-BMI160-DS000-07, tables 2 and 3; ICM-42688-P, ICM-45686 and ICM-20948: DS-000347 rev. 1.7,
  /// DS-000489 rev. 1.1 and DS-000189 rev. 1.3, tables 1 and 2. DocID025715 rev. 3 gives no values for the LSM9DS1, so
  /// that it keeps the engine's defaults, which amount to 0.05 and 0.5.
  @Test(
    arguments: [
      ("st,lsm6ds3", 0.05, 0.5), ("st,lsm6ds3tr-c", 0.015, 0.1), ("st,lsm6dso", 0.01, 0.1),
      ("st,ism330dhcx", 0.005, 0.1), ("bosch,bmi160", 0.05, 1),
      ("invensense,icm42688p", 0.005, 0.15), ("invensense,icm45686", 0.005, 0.15),
      ("invensense,icm20948", 0.05, 0.8), ("st,lsm9ds1-imu", 0.05, 0.5),
    ] as [(String, Double, Double)])
  func `zero points walk as temperature moves them by the data sheet`(
    _ chip: String, _ rate: Double, _ milli: Double
  ) throws {
    var params = FusionEngine.Params()
    for sheet in try #require(ChipCatalog.entry(named: chip)).description.tolerances {
      params.expect(sheet)
    }
    #expect(abs(params.biasWalk - 0.4 * rate * .pi / 180) < 1e-12)
    #expect(abs(params.accelerationOffsetWalk - 0.4 * milli / 1000) < 1e-12)
  }
}
