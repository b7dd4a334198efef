// SPDX-License-Identifier: Apache-2.0
import Boards
import BringUp
import ChipCatalog
import Foundation
import Quantities
import Runtime
import Testing

/// The values that checks report with their findings, compared with values computed by hand.
@Suite struct EvidenceTests {
  // MARK: Edges

  private func times(_ milliseconds: [Double]) -> [Timestamp] {
    milliseconds.map { Timestamp(nanoseconds: Int64($0 * 1e6)) }
  }

  @Test func `an even line has its rate and no jitter`() {
    let edges = EdgeStatistics(times((0...100).map { Double($0) * 10 }), nominalHz: 100)
    #expect(edges.edges == 101 && edges.lost == 0 && edges.doubled == 0)
    #expect(edges.rateHz == 100 && edges.periodS == 0.01 && edges.jitterWorstUs == 0)
  }

  @Test func `one edge that is late is jitter, and no loss`() {
    // All intervals are 10 ms except one of 10.3 and one of 9.7. The largest deviation is 300 us;
    // the standard deviation is 300 * sqrt(2 / 100) = 42.4 us.
    var moments = (0...100).map { Double($0) * 10 }
    moments[50] += 0.3
    let edges = EdgeStatistics(times(moments), nominalHz: 100)
    #expect(edges.lost == 0 && edges.doubled == 0)
    #expect(abs(edges.jitterWorstUs - 300) < 0.01 && abs(edges.jitterDeviationUs - 42.43) < 0.01)
    #expect(edges.histogram.map(\.count).reduce(0, +) == 100)
  }

  @Test func `lost and doubled edges are counted`() {
    let all = (0...100).map { Double($0) * 10 }
    let lossy = EdgeStatistics(times(all.filter { ![200, 210, 500].contains($0) }), nominalHz: 100)
    #expect(lossy.lost == 3 && lossy.doubled == 0)
    let doubled = EdgeStatistics(times(all.flatMap { [$0, $0 + 0.001] }), nominalHz: 100)
    #expect(doubled.doubled == 101 && doubled.lost == 0)
  }

  @Test func `of a line that does not move nothing is said`() {
    let edges = EdgeStatistics([], nominalHz: 100)
    #expect(edges.rateHz == nil && edges.histogram.isEmpty)
  }

  // MARK: Queues

  @Test func `shifted frames come in rows, changed ones alone`() {
    let good = QueueCheck.Frame(force: 1, rate: 0.01, temperature: 25)
    let shifted = QueueCheck.Frame(force: 3.2, rate: 7, temperature: -12)
    let changed = QueueCheck.Frame(force: 1, rate: 0.01, temperature: 60)
    var frames = [QueueCheck.Frame](repeating: good, count: 40)
    #expect(QueueCheck.alignment(frames) == (0, 0))
    frames[10] = changed
    frames.replaceSubrange(20..<25, with: [shifted, shifted, shifted, shifted, shifted])
    #expect(QueueCheck.alignment(frames) == (5, 1))
    // A knock is not a misalignment: the force changes, but the rotation rate does not.
    let knock = QueueCheck.Frame(force: 2.9, rate: 0.3, temperature: 25)
    #expect(QueueCheck.alignment([good, good, knock, knock, knock, good, good, good]) == (0, 0))
  }

  @Test(arguments: [FaultyBoard.mpu6050, .bmi160, .lsm6ds3])
  func `a good queue has the frames that its interval makes`(_ board: FaultyBoard) throws {
    let examination = Examination(try board.board())
    let chip = try #require(try examination.open("sensor"))
    let result = QueueCheck.run(chip, for: .seconds(3))
    #expect(result.overflows == 0 && result.missing == 0 && result.implausible == 0)
    let rate = try #require(result.measuredHz)
    #expect(abs(rate / board.rate - 1) < 0.02, "\(rate)")
    #expect(result.framesABurst >= 1 && result.bursts > 10)
  }

  // MARK: Soaks

  @Test func `a clean soak is bounded by the rule of three`() throws {
    let examination = Examination(try FaultyBoard.mpu6050.board())
    let chip = try #require(try examination.open("sensor"))
    let result = ErrorSoak.run(chip, for: .seconds(60), count: 3000)
    #expect(result.transactions == 3000 && result.errors == 0 && result.registers > 3)
    // The limit of 3 in 3000 transfers is 1000 per million.
    #expect(abs(result.upperBoundPerMillion - 1000) < 2)
  }

  @Test func `the bound is that of Poisson's distribution`() {
    // The 95 percent upper limits of Poisson means for 0, 1, 2, 5 and 10 events are from Garwood
    // (1936), as tabulated by the Particle Data Group.
    for (seen, limit) in [(0, 3.00), (1, 4.74), (2, 6.30), (5, 10.51), (10, 16.96)]
      as [(UInt64, Double)]
    {
      #expect(abs(ErrorSoak.Result.bound(seen) - limit) < 0.02, "\(seen)")
    }
  }

  @Test func `the rate of failures is found, and the bits that flip`() throws {
    let nack = Examination(try FaultyBoard.mpu6050.board("nack, probability: 0.01"))
    let chip = try #require(try nack.open("sensor"))
    let failed = ErrorSoak.run(chip, for: .seconds(60), count: 10_000)
    // 100 failures are expected, within three standard deviations of 10.
    let count = try #require(failed.failures["no-acknowledge"])
    #expect((70...130).contains(count), "\(count)")
    #expect(failed.corruptedReads == 0 && failed.brownOuts == 0)
    let flip = Examination(try FaultyBoard.mpu6050.board("bit-flip, probability: 0.01"))
    let other = try #require(try flip.open("sensor"))
    let changed = ErrorSoak.run(other, for: .seconds(60), count: 10_000)
    #expect((70...130).contains(changed.corruptedReads) && changed.failures.isEmpty)
    // Each corrupted read has one flipped bit.
    #expect(changed.flippedBits.reduce(0) { $0 + $1.count } == Int(changed.corruptedReads))
  }

  /// Reading a register takes four bytes of nine bits, 90 us at 400 kHz. Models that respond
  /// instantly made 773,022 transfers in 0.5 s.
  @Test func `a live soak of models makes no more transfers than a wire could`() throws {
    let examination = Examination(try FaultyBoard.mpu6050.board(), isLive: true)
    let chip = try #require(try examination.open("sensor"))
    let begin = examination.now
    let result = ErrorSoak.run(chip, for: TimeSpan(seconds: 0.3))
    let most = (examination.now - begin).seconds / 90e-6
    #expect(result.transactions > 10 && Double(result.transactions) < most, "\(result)")
    #expect(result.errors == 0)
  }

  @Test func `each brown-out of a soak is counted`() throws {
    let examination = Examination(try FaultyBoard.lsm6ds3.board("brown-out, every-s: 1"))
    let chip = try #require(try examination.open("sensor"))
    let begin = examination.now
    let result = ErrorSoak.run(chip, for: TimeSpan(seconds: 4.5))
    // One brown-out is due each second; the last one may be just over.
    let due = Int((examination.now - begin).seconds)
    #expect((due - 1...due).contains(result.brownOuts), "\(result.brownOuts) of \(due)")
    #expect(result.errors == 0)
  }

  @Test func `a soak test ends when it is stopped`() throws {
    let examination = Examination(try FaultyBoard.mpu6050.board())
    let chip = try #require(try examination.open("sensor"))
    var calls = 0
    let result = ErrorSoak.run(chip, for: .seconds(3600)) { _ in
      calls += 1
      return calls < 2
    }
    #expect(calls == 2 && result.seconds < 1)
  }

  // MARK: Places

  @Test func `a scan shows who is right, missing and unexpected`() throws {
    var board = try BoardFile.load(
      path: Self.root + "boards/simulated-all.yaml", catalogue: ChipCatalog.descriptions)
    board.chips.removeAll { $0.name == "bmp280" }
    let whole = try BoardFile.load(
      path: Self.root + "boards/simulated-all.yaml", catalogue: ChipCatalog.descriptions)
    let probe = try Examination(whole).probe(whole.buses[0])
    var expected = board.chips(on: "i2c")
    expected[0].address = 0x29
    let scan = AddressCheck.run(probe, name: "i2c", expecting: expected)
    #expect(scan.findings.isEmpty && scan.places.count == 112)
    #expect(scan.answering == [0x0D, 0x1C, 0x1E, 0x60, 0x68, 0x69, 0x6A, 0x6B, 0x76, 0x77])
    #expect(scan.places.filter { $0.verdict == .unexpected }.map(\.address) == [0x68, 0x76])
    #expect(scan.places.filter { $0.verdict == .missing }.map(\.address) == [0x29])
  }

  @Test func `self-tests have figures in degrees a second`() throws {
    let examination = Examination(try FaultyBoard.lsm6ds3.board())
    let chip = try #require(try examination.open("sensor"))
    let result = SelfTestCheck.run(chip)
    #expect(result.isPassed && result.items.count == 6)
    let turn = try #require(result.items.first { $0.channel == "rotationRate" })
    // LSM6DS3 data sheet, table 4: 150 to 700 deg/s at 2000 deg/s.
    #expect(turn.unit == "deg/s" && abs(turn.lowest - 150) < 0.5 && abs(turn.highest - 700) < 0.5)
    let barometer = Examination(try FaultyBoard.all[8].board())
    let other = try #require(try barometer.open("sensor"))
    #expect(SelfTestCheck.run(other).skipped == "BMP280 has no self-test")
  }

  @Test func `a self-test that the chip ended because it was moved says so`() throws {
    let board = try BoardFile.parse(
      """
      otolith-board: 1
      name: Carried
      buses: { bus: { simulated: i2c } }
      chips: { sensor: { chip: "bosch,bmi270", on: bus, address: 0x68, rate-hz: 100 } }
      simulation: { motion: walk }
      """, file: "carried.yaml", catalogue: ChipCatalog.descriptions)
    let chip = try #require(try Examination(board).open("sensor"))
    let result = SelfTestCheck.run(chip)
    #expect(!result.isPassed && result.findings.map(\.cause) == [.moving])
    #expect(result.findings.first?.evidence == "the chip ended its self-test: it was moved")
  }

  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path()
}
