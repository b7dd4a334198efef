// SPDX-License-Identifier: Apache-2.0
import Boards
import ChipCatalog
import Foundation
import Fusion
import MotionSources
import Quantities
import Redundancy
import Registers
import Runtime
import Sensors
import Testing

/// Tests of boards on which several chips measure the same.
@Suite struct CombinedChipsTests {
  /// A board with an MPU-6050 `a` and a BMI160 `b`; `lines` are added keys of both chips.
  private static func board(_ ofA: String = "", _ ofB: String = "", faults: String = "[]") throws
    -> Board
  {
    try Fixtures.board(
      """
      otolith-board: 1
      name: Two IMUs
      buses: { bus: { simulated: i2c } }
      chips:
        a:
          chip: invensense,mpu6050
          on: bus
          address: 0x68
          \(ofA)
        b:
          chip: bosch,bmi160
          on: bus
          address: 0x69
          \(ofB)
      simulation: { motion: sway, seed: 1, faults: \(faults) }

      """)
  }

  /// Runs a board for 10 s, and returns its session with the times of its motions in seconds.
  private func run(_ board: Board) throws -> (session: BoardSession, motions: [Double]) {
    let session = BoardSession(board)
    var reader = session.pipeline.motions.reader()
    var times: [Double] = []
    try session.runInstantly(for: .seconds(10)) {
      while let motion = reader.read() { times.append(motion.timestamp.seconds) }
      return true
    }
    return (session, times)
  }

  // MARK: Roles

  @Test func `of chips that measure the same both are used, unless the file says otherwise`() throws
  {
    let imu: ChannelSet = [.acceleration, .rotationRate]
    let both = BoardSession(try Self.board())
    #expect(both.pipeline.roles.map(\.combined) == [imu, imu])
    #expect(both.pipeline.roles.map(\.alone) == [.temperature, []])
    #expect(both.pipeline.roles.map(\.unused) == [[], .temperature])
    let other = BoardSession(try Self.board("", "uses: [rotation-rate]"))
    #expect(other.pipeline.roles.map(\.combined) == [.rotationRate, .rotationRate])
    #expect(other.pipeline.roles[0].alone == [.acceleration, .temperature])
    #expect(other.pipeline.roles[1].unused == [.acceleration, .temperature])
    let one = BoardSession(try Self.board("", "uses: []"))
    #expect(one.pipeline.roles.map(\.used) == [imu.union(.temperature), []])
    #expect(one.channels == imu.union(.temperature))
  }

  @Test func `two light sensors are not combined`() {
    let roles = ChipRole.roles(of: [
      PipelineChip(.illuminance), PipelineChip([.illuminance, .proximity]),
    ])
    #expect(roles.map(\.alone) == [.illuminance, .proximity])
    #expect(roles.map(\.unused) == [[], .illuminance])
  }

  @Test func `a ninth chip of a kind is not used`() {
    let roles = ChipRole.roles(of: [PipelineChip](repeating: PipelineChip(.acceleration), count: 9))
    #expect(roles.map { $0.combined.isEmpty } == [Bool](repeating: false, count: 8) + [true])
    #expect(roles[8].unused == .acceleration)
  }

  // MARK: Samples

  @Test func `each chip's samples can be read next to those of motion`() throws {
    let session = BoardSession(try Self.board())
    var reader = try #require(session.pipeline.chipSamples())
    var counts = [0, 0]
    try session.runInstantly(for: .seconds(2)) {
      while let sample = reader.read() { counts[Int(sample.source)] += 1 }
      return true
    }
    for (index, report) in session.report.enumerated() {
      #expect(counts[index] == Int(report.health.received) && counts[index] > 50)
    }
    #expect(BoardSession(try Fixtures.still()).pipeline.chipSamples() == nil)
  }

  // MARK: Failures

  @Test(arguments: ["a", "b"])
  func `motion goes on when one of two IMUs dies`(_ chip: String) throws {
    let (session, times) = try run(
      Self.board(faults: "[{ fault: nack, chip: \(chip), at-s: 2, for-s: 100 }]"))
    #expect(times.count > 950)
    // Both chips sample at 100 Hz.
    for (before, after) in zip(times, times.dropFirst()) { #expect(after - before < 0.025) }
    let index = chip == "a" ? 0 : 1
    let states = session.pipeline.chips
    #expect(states[index].isFailed && !states[1 - index].isFailed)
    #expect(session.silence(of: states, needed: [.acceleration, .rotationRate]) == nil)
    guard case .failed(let error) = states[index] else { return }
    let other = chip == "a" ? "b" : "a"
    #expect(
      session.failure(error, ofChip: index, states).hasSuffix("; motion goes on with \(other)"))
  }

  @Test func `with both dead there is no motion`() throws {
    let (session, times) = try run(Self.board(faults: "[{ fault: nack, at-s: 2, for-s: 100 }]"))
    #expect(times.count < 220)
    let states = session.pipeline.chips
    let silence = try #require(session.silence(of: states))
    #expect(silence.channels == [.acceleration, .rotationRate, .temperature])
    #expect(
      !session.failure(.resetTimedOut, ofChip: 0, states).contains("motion goes on"))
  }

  @Test func `a chip that motion does not use is missed by nobody`() throws {
    let session = BoardSession(try Self.board("", "uses: []"))
    let states: [ChipState] = [.delivering, .failed(.resetTimedOut)]
    #expect(session.silence(of: states) == nil)
    #expect(
      !session.failure(.resetTimedOut, ofChip: 1, states).contains("motion goes on"))
  }

  // MARK: What fusion expects

  /// PS-MPU-6000A-00, 6.1: 20 degrees/s, a limit, here divided by the square root of 3;
  /// BST-BMI160-DS000, table 3: 3 degrees/s, typical.
  @Test func `fusion expects the errors of the weighted mean`() throws {
    let (a, b) = (20 / 3.0.squareRoot(), 3.0)
    func bias(_ board: Board) -> Double {
      FusionEngine.Params(of: board).biasSigmaAtStart * 180 / .pi
    }
    #expect(abs(bias(try Self.board("", "uses: []")) - a) < 1e-9)
    #expect(abs(bias(try Self.board("uses: []")) - b) < 1e-9)
    let mean = 1 / (1 / (a * a) + 1 / (b * b)).squareRoot()
    #expect(abs(bias(try Self.board()) - mean) < 1e-9)
  }

  @Test func `the delay is that of the fastest chip, and the rate too`() throws {
    let board = try Self.board("rate-hz: 50", "rate-hz: 100")
    let params = FusionEngine.Params(of: board)
    #expect(params.gyroDelay == board.chips[1].delays.rotationRate)
    #expect(board.chips[0].delays.rotationRate != board.chips[1].delays.rotationRate)
    #expect(BoardSession(board).rate(of: .rotationRate) == 100)
  }

  /// PS-MPU-6000A-00, 6.1: 0.005 degrees/s/sqrt(Hz) at a bandwidth of 10 Hz; 6.2: 131 counts a
  /// degree/s at 250 degrees/s, half as many at 500.
  @Test func `the properties of a chip's channel are those of its sheet`() throws {
    let board = try Self.board("rate-hz: 100\n    bandwidth-hz: 10")
    let traits = board.traits(of: .rotationRate, board.chips[0])
    let degree = Double.pi / 180
    #expect(traits.interval == 0.01)
    #expect(abs(traits.step - degree / 65.5) < 1e-3 * degree)
    let white = 0.005 * degree * 10.0.squareRoot()
    let rounding = traits.step / 12.0.squareRoot()
    #expect(abs(traits.noise - (white * white + rounding * rounding).squareRoot()) < 1e-9)
    #expect(abs(traits.offsetSigma - 20 * degree / 3.0.squareRoot()) < 1e-9)
  }

  @Test func `the lever arm runs from the first chip`() throws {
    let board = try Self.board("position-mm: [10, 0, 0]", "position-mm: [40, 0, 5]")
    #expect(board.pipelineChips.map(\.alignment.leverArm).map(\.norm)[0] == 0)
    let arm = board.pipelineChips[1].alignment.leverArm
    #expect((arm - Vector3(0.03, 0, 0.005)).norm < 1e-12)
  }
}
