// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Otolith

struct Detect: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Look for known chips on this machine's buses.",
    discussion: """
      Reads the identity registers of known chips at the addresses that their straps allow, on \
      every I2C adapter and SPI chip select; nothing is written. Ends with 69 where no supported \
      chip was found.
      """)

  @Flag(help: "Print a board file for what was found, instead of the list.")
  var board = false

  func run() throws {
    let detection = Detector.look()
    for error in detection.unopened { Terminal.complain("\(error)") }
    if board, let text = BoardSelection.boardText(of: detection) {
      Terminal.write(text, to: 1)
      return
    }
    for finding in detection.findings { Terminal.say(Self.line(finding)) }
    guard detection.chips.isEmpty else { return }
    if detection.buses.isEmpty {
      throw Failure(
        "this machine shows no I2C or SPI bus (/dev/i2c-*, /dev/spidev*): on a Raspberry Pi turn "
          + "them on with: sudo raspi-config nonint do_i2c 0; sudo raspi-config nonint do_spi 0",
        Failure.unavailable)
    }
    let isDenied = !detection.unopened.isEmpty && detection.unopened.count == detection.buses.count
    throw Failure(
      "no supported chip found on \(detection.buses.joined(separator: ", ")): check wiring and power; "
        + "a chip that i2cdetect shows at another address can be named in a board file",
      isDenied ? Failure.noPermission : Failure.unavailable)
  }

  private static func line(_ finding: Finding) -> String {
    let address = finding.address.map { "0x" + String($0, radix: 16, uppercase: true) + " " } ?? ""
    let place = "\(finding.bus) \(address)".trimmingSuffix()
    if let owner = finding.owner {
      return "\(place): taken by the kernel's driver \(owner); unbind it to use otolith"
    }
    guard let identity = finding.identity else {
      return "\(place): answered, but not to be read (\(finding.error.map { "\($0)" } ?? ""))"
    }
    let id = "identity 0x" + String(identity, radix: 16, uppercase: true)
    if finding.isSupported {
      let part = finding.asked.identity.parts[identity] ?? finding.asked.title
      return "\(place): \(part) (\(id)), taken for \(finding.asked.name)"
    }
    let part = finding.asked.identity.parts[identity] ?? "an unknown part"
    return "\(place): \(part) (\(id)), not supported; a \(finding.asked.title) could be here"
  }
}

extension String {
  fileprivate func trimmingSuffix() -> String {
    last == " " ? String(dropLast()) : self
  }
}
