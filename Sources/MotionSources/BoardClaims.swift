// SPDX-License-Identifier: Apache-2.0
internal import Runtime
internal import Boards
internal import LinuxBus

/// The lock on one device, held as long as this lives.
package final class Claim: Sendable {
  private let lock: DeviceLock

  init(bus: String, address: UInt8?) throws(OpenError) {
    lock = try DeviceLock(bus: bus, address: address)
  }

  /// False where the device's node is gone.
  var isCurrent: Bool { lock.isCurrent }
}

/// The locks on all devices of a board, held whether it runs or not.
final class BoardClaims: Sendable {
  private let claims: [Claim]

  /// Throws where another process has one of them.
  init(_ board: Board) throws(SessionError) {
    var claims: [Claim] = []
    for chip in board.chips {
      do throws(OpenError) {
        switch board.bus(chip.bus)?.connection {
        case .i2c(let path): claims.append(try Claim(bus: path, address: chip.address ?? 0))
        case .spi(let path, _, _): claims.append(try Claim(bus: path, address: nil))
        case .simulated, .trace, nil: break
        }
      } catch { throw .reach(chip: chip.name, error) }
    }
    self.claims = claims
  }

  /// False where the node of one is gone, be there a new one or not.
  var isCurrent: Bool { claims.allSatisfy(\.isCurrent) }

  /// The devices of a board of which one is gone are let go.
  static func drop(_ claims: inout BoardClaims?) {
    if claims?.isCurrent == false { claims = nil }
  }
}
