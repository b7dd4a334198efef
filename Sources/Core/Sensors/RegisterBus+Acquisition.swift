// SPDX-License-Identifier: Apache-2.0
public import Registers

extension RegisterBus where Self: ~Copyable {
  /// Returns true if the driver uses `way` when `chosen` is the acquisition mode. If the
  /// connection's abilities allow only one mode, the result is constant and the compiler removes
  /// the code for the other modes.
  @inlinable @inline(__always)
  public static func acquires(_ way: Acquisition, of chosen: Acquisition) -> Bool {
    let ways: DriverAbilities = [.dataReady, .fifo, .polling, .detections]
    let possible = abilities.intersection(ways)
    guard possible.contains(DriverAbilities(way)) else { return false }
    return possible == DriverAbilities(way) || chosen == way
  }
}
