// SPDX-License-Identifier: Apache-2.0
internal import Runtime
internal import Boards
internal import LinuxBus

/// The lock on one device, which is held for as long as this object exists.
package final class Claim: Sendable {
  private let lock: DeviceLock

  init(bus: String, address: UInt8?) throws(OpenError) {
    lock = try DeviceLock(bus: bus, address: address)
  }

  /// False if the device node no longer exists.
  var isCurrent: Bool { lock.isCurrent }
}

/// The locks on all devices of a board, which are held even while the board does not run.
final class BoardClaims: Sendable {
  private let claims: [Claim]

  /// Locks the devices. Throws if another process holds one of the locks.
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

  /// False if a device node was removed, even if a new node has the same name.
  var isCurrent: Bool { claims.allSatisfy(\.isCurrent) }

  /// Releases the locks on all devices of a board if one of the devices was removed.
  static func drop(_ claims: inout BoardClaims?) {
    if claims?.isCurrent == false { claims = nil }
  }
}
