// SPDX-License-Identifier: Apache-2.0
import Boards
import BringUp
import ChipCatalog
import Foundation
import Quantities
import Runtime
import Testing

/// A board with one chip at rest, with the noise of its data sheet, to which faults are added.
struct FaultyBoard: CustomTestStringConvertible, Sendable {
  var chip: String
  var address: Int?
  var wire: String { address == nil ? "spi" : "i2c" }
  var rate: Double
  var pins: Int

  var testDescription: String { "\(chip) on \(wire)" }

  /// One chip for each driver and each wire that it supports.
  static let all = [
    FaultyBoard(chip: "invensense,mpu6050", address: 0x68, rate: 100, pins: 1),
    FaultyBoard(chip: "invensense,mpu6500", address: nil, rate: 100, pins: 1),
    FaultyBoard(chip: "bosch,bmi160", address: 0x69, rate: 100, pins: 2),
    FaultyBoard(chip: "bosch,bmi160", address: nil, rate: 100, pins: 2),
    FaultyBoard(chip: "st,lsm6ds3", address: 0x6B, rate: 104, pins: 2),
    FaultyBoard(chip: "st,lsm6ds3tr-c", address: nil, rate: 104, pins: 2),
    FaultyBoard(chip: "st,lis3mdl", address: 0x1C, rate: 80, pins: 1),
    FaultyBoard(chip: "st,lis3mdl", address: nil, rate: 80, pins: 1),
    FaultyBoard(chip: "bosch,bmp280", address: 0x76, rate: 25, pins: 0),
    FaultyBoard(chip: "bosch,bmp280", address: nil, rate: 25, pins: 0),
  ]

  /// One chip for each driver, on one of its wires.
  static let drivers = [all[0], all[3], all[4], all[7], all[8]]
  static let mpu6050 = all[0]
  static let bmi160 = all[2]
  static let bmi160SPI = all[3]
  static let lsm6ds3 = all[4]

  func board(_ fault: String? = nil, edge: String = "rising") throws -> Board {
    var keys = ["chip: \"\(chip)\"", "on: bus", "rate-hz: \(rate)"]
    if let address { keys.append("address: \(address)") }
    if pins > 0 { keys.append("interrupt: { line: simulated, edge: \(edge) }") }
    return try BoardFile.parse(
      """
      otolith-board: 1
      name: Faulty
      buses: { bus: { simulated: \(wire) } }
      chips: { sensor: { \(keys.joined(separator: ", ")) } }
      simulation: { motion: still, faults: [\(fault.map { "{ fault: \($0) }" } ?? "")] }
      """, file: "faulty.yaml", catalogue: ChipCatalog.descriptions)
  }

  /// Returns the findings of all checks, in the order in which a bring-up runs them.
  func findings(_ fault: String? = nil, soak: Int = 1000) throws -> [BringUp.Finding] {
    let board = try board(fault)
    let examination = Examination(board)
    var findings: [BringUp.Finding] = BusCheck.run(board).findings
    let probe = try examination.probe(board.buses[0])
    var scan: AddressCheck.Result?
    if wire == "i2c" {
      scan = AddressCheck.run(probe, name: "bus", expecting: board.chips)
      findings += scan?.findings ?? []
    }
    let chip = try #require(try examination.open("sensor"))
    let identity = IdentityCheck.run(chip, on: probe, of: board, scan: scan)
    findings += identity.findings
    guard identity.isRight else { return findings }
    findings += ErrorSoak.run(chip, for: .seconds(7), count: soak).findings
    findings += SelfTestCheck.run(chip).findings
    findings += InterruptCheck.run(chip, for: .seconds(1)).findings
    findings += QueueCheck.run(chip, for: TimeSpan(seconds: 1.5)).findings
    return findings
  }

  /// Returns the causes of the findings.
  func causes(_ fault: String? = nil) throws -> Set<Cause> {
    Set(try findings(fault).map(\.cause))
  }
}
