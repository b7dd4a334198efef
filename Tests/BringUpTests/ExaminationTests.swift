// SPDX-License-Identifier: Apache-2.0
import MotionSources
import BringUp
import Boards
import ChipCatalog
import Quantities
import Registers
import Sensors
import Testing

/// Returns a board with an MPU-6050 and its interrupt line at rest, with the given faults.
private func board(_ faults: String = "", readBy: String = "data-ready") throws -> Board {
  try BoardFile.parse(
    """
    otolith-board: 1
    name: Examined
    buses: { i2c1: { simulated: i2c } }
    chips:
      imu:
        chip: invensense,mpu6050
        on: i2c1
        address: 0x68
        interrupt: simulated
        rate-hz: 100
        read-by: \(readBy)
    simulation: { motion: still, noise: false, faults: [\(faults)] }
    """, file: "examined.yaml", catalogue: ChipCatalog.descriptions)
}

private func imu(_ board: Board) throws -> (Examination, ExaminedChip) {
  let examination = Examination(board)
  return (examination, try #require(try examination.open("imu")))
}

@Suite struct ExaminationTests {
  @Test func `an hour of a simulated board passes at once, and its registers can be read before`()
    throws
  {
    let (examination, chip) = try imu(try board())
    // RM-MPU-6000A, section 4.32: WHO_AM_I is register 117 and holds 0x68.
    #expect(try chip.read(0x75) == 0x68)
    let begin = examination.now
    examination.wait(.seconds(3600))
    #expect(examination.isVirtual)
    #expect((examination.now - begin).seconds == 3600)
  }

  @Test func `a run by data-ready has an edge for every sample, ten milliseconds apart`() throws {
    let (_, chip) = try imu(try board())
    var times: [Timestamp] = []
    let run = try chip.sample(chip.placement.settings, for: .seconds(2)) { reading, time in
      times.append(time)
      // Flat and face up, the chip's own sign of z is +1 g.
      #expect(abs(reading.specificForce.z - 1) < 1e-3)
      return true
    }
    #expect(run.frames >= 180 && run.frames <= 200)
    #expect(run.errorCount == 0)
    #expect(run.edges.count >= times.count)
    let gaps = zip(run.edges, run.edges.dropFirst()).map { ($1 - $0).seconds }
    #expect(
      gaps.allSatisfy { abs($0 - 0.01) < 0.0005 },
      "\(gaps.prefix(4)) \(gaps.filter { abs($0 - 0.01) > 0.0005 })")
    #expect(run.traffic.failed == 0 && run.traffic.transactions > run.frames)
  }

  @Test func `two runs follow one another on one chip, and the second begins with a reset`() throws
  {
    let (_, chip) = try imu(try board(readBy: "fifo"))
    for _ in 0..<2 {
      let run = try chip.run(.sampling(chip.placement.settings), for: .seconds(1))
      #expect(
        run.frames >= 75 && run.health.overflows == 0, "\(run.frames) \(run.health) \(run.errors)")
    }
  }

  @Test func `a self-test ends by itself with six figures within the maker's limits`() throws {
    let (_, chip) = try imu(try board())
    let run = try chip.run(.selfTest, for: .seconds(10))
    let report = try #require(run.selfTest)
    #expect(report.count == 6 && report.isPassed)
    #expect((run.end - run.begin).seconds < 5)
  }

  @Test func `a chip strapped otherwise answers at 0x69 and not at 0x68`() throws {
    let board = try board("{ fault: wrong-address }")
    let (examination, chip) = try imu(board)
    #expect(throws: BusError.noAcknowledge) { try chip.read(0x75) }
    #expect(chip.traffic.failed == 1)
    let probe = try examination.probe(board.buses[0])
    #expect(probe.answers(0x68) == .success(false))
    #expect(probe.answers(0x69) == .success(true))
  }

  @Test func `a bus held low is no silence`() throws {
    let board = try board("{ fault: stuck-bus }")
    let (examination, chip) = try imu(board)
    #expect(throws: BusError.timeout) { try chip.read(0x75) }
    #expect(try examination.probe(board.buses[0]).answers(0x68) == .failure(.timeout))
  }

  @Test func `a wrong address at a time is refused`() throws {
    #expect(throws: BoardErrors.self) { try board("{ fault: wrong-address, at-s: 1 }") }
  }
}
