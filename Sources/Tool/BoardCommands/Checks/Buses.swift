// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import ArgumentParser
import Boards
import BringUp
import ChipCatalog
import Otolith

package struct Buses: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "buses",
    abstract: "Show the I2C, SPI and GPIO buses of this machine and who may use them.",
    discussion: """
      The first check of a new board: which buses are enabled, their clock and features, whether \
      this user may open them, and which kernel drivers already own a chip. Nothing is sent on any \
      bus. With a board file only its buses are shown, including simulated ones.

      Exit status: 0 if all is well, 69 if a bus is missing or in use, 77 if a permission is \
      missing.
      """)

  @OptionGroup var board: BoardOptions

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let board = try board.load()
    let result = BusCheck.run(board)
    if json {
      try Terminal.say(json: result, of: board)
    } else {
      board?.sayNotice()
      for line in Self.lines(result) { Terminal.say(line) }
      Terminal.say(findings: result.findings)
    }
    if let status = result.findings.status { throw ExitCode(status) }
  }

  static func lines(_ result: BusCheck.Result) -> [String] {
    var lines: [String] = []
    for bus in result.i2c {
      lines.append("\(bus.path): I2C" + (bus.adapter.map { ", \($0)" } ?? "") + clock(bus.clockHz))
      if !bus.functionality.isEmpty {
        lines.append("  can: \(bus.functionality.joined(separator: ", "))")
      }
      if let limitation = bus.limitation { lines.append("  lacks: \(limitation)") }
      lines += access(bus.access, bus.failure)
      for owner in bus.owners {
        lines.append("  \(owner.place): the kernel's driver \(owner.driver)")
      }
    }
    for bus in result.spi {
      let driver = bus.driver.map { ", \($0)" } ?? ", no driver"
      lines.append("\(bus.path): SPI chip select\(driver)\(clock(bus.clockHz))")
      lines += access(bus.access, bus.failure)
    }
    for chip in result.gpio {
      lines.append("\(chip.path): GPIO chip \(chip.label), \(chip.lines) lines")
      lines += access(chip.access, chip.failure)
      for line in chip.used { lines.append("  \(line.name): used by \(line.consumer)") }
    }
    return lines
  }

  private static func clock(_ hertz: Int?) -> String {
    hertz.map { ", \($0 / 1000) kHz" } ?? ""
  }

  private static func access(_ access: BusCheck.Access?, _ failure: String?) -> [String] {
    var lines: [String] = []
    if let access {
      lines.append(
        "  group \(access.group), mode \(access.permissions): this user "
          + (access.mayOpen ? "may open it" : "may not open it"))
    }
    if let failure { lines.append("  \(failure)") }
    return lines
  }
}
