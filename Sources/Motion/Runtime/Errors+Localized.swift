// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Fusion
public import LinuxBus
public import LinuxSystem
public import Registers

// The messages in `localizedDescription` for the Runtime module and for the modules below it, which
// do not import Foundation.

extension ResourceError: LocalizedError { public var errorDescription: String? { description } }
extension OpenError: LocalizedError { public var errorDescription: String? { description } }
extension ServiceFailure: LocalizedError { public var errorDescription: String? { description } }
extension SessionError: LocalizedError { public var errorDescription: String? { description } }
extension SocketError: LocalizedError { public var errorDescription: String? { description } }
extension SystemError: LocalizedError { public var errorDescription: String? { description } }

// The portable core contains no text. These messages are also the errors' descriptions, so that
// every message about an error contains them.

extension GeodeticPositionError: LocalizedError, CustomStringConvertible {
  public var errorDescription: String? { description }

  public var description: String {
    switch self {
    case .latitude: "a latitude is -90 to 90 degrees"
    case .longitude: "a longitude is -180 to 360 degrees"
    case .height: "a height is -1000 to 850000 metres"
    }
  }
}

extension GeomagneticError: LocalizedError, CustomStringConvertible {
  public var errorDescription: String? { description }

  public var description: String {
    switch self {
    case .outsideValidity(let year, let from, let until):
      "the World Magnetic Model is made for the years \(from) to \(until), not for \(year)"
    }
  }
}

extension BusError: LocalizedError, CustomStringConvertible {
  public var errorDescription: String? { description }

  /// The error as text, without the location at which it occurred.
  public var description: String {
    switch self {
    case .noAcknowledge: "no answer: check address, power, SDA and SCL, pull-ups"
    case .timeout: "timed out: a line is stuck low, or the chip holds the clock"
    case .arbitrationLost: "lost arbitration repeatedly: another controller uses the bus"
    case .adapterGone: "the adapter is gone or suspended"
    case .busy: "a driver of the kernel owns the chip"
    case .unsupported: "the adapter cannot do this kind of transfer"
    case .tooLong(let limit): "the adapter moves at most \(limit) bytes at once"
    case .system(let errno): "the transfer failed with errno \(errno)"
    }
  }
}

extension ChipError: LocalizedError, CustomStringConvertible {
  public var errorDescription: String? { description }

  public var description: String {
    switch self {
    case .bus(let error, let register): "register 0x\(hexadecimal(register)): \(error)"
    case .identity(let found, let register):
      "register 0x\(hexadecimal(register)) holds 0x\(hexadecimal(found)), which is another chip's: "
        + "check the chip's name and address"
    case .resetTimedOut: "the chip does not complete its reset: check its supply"
    case .rejected(let register, let wrote, let readBack):
      "register 0x\(hexadecimal(register)) was set to 0x\(hexadecimal(wrote)) and holds "
        + "0x\(hexadecimal(readBack)): \(lostPower)"
    case .rejectedWord(let word):
      "register \(word.place.bank):0x\(hexadecimal(word.place.register)) was set to "
        + "\(word.wrote) and holds \(word.readBack): \(lostPower)"
    case .unexpected(let register, let wanted, let found):
      "register 0x\(hexadecimal(register)) holds 0x\(hexadecimal(found)) and not "
        + "0x\(hexadecimal(wanted)): \(unexpectedState)"
    case .unsupportedSetting: "the chip does not support this rate, range or read mode"
    case .firmware: "the chip has no firmware by its manufacturer that it accepts"
    }
  }

  /// The likely cause if a register to which only the chip writes does not have its usual contents.
  package var unexpectedState: String { "the chip lost power for a moment, or is damaged" }

  /// The likely cause if a register does not contain the value that was written to it.
  package var lostPower: String { "the chip lost power for a moment, or another program uses it" }
}
