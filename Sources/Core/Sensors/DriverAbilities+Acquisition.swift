// SPDX-License-Identifier: Apache-2.0
public import Registers

extension DriverAbilities {
  /// Creates the ability that `acquisition` needs.
  @inlinable @inline(__always)
  public init(_ acquisition: Acquisition) {
    switch acquisition {
    case .dataReady: self = .dataReady
    case .fifo: self = .fifo
    case .polling: self = .polling
    case .detections: self = .detections
    }
  }

  /// Returns `wanted`, or the only acquisition mode that these abilities allow. If they allow only
  /// one mode, the result is constant, so that the compiler removes the driver's code for other
  /// modes.
  @inlinable @inline(__always)
  public func narrowed(_ wanted: Acquisition) -> Acquisition {
    let ways = intersection([.dataReady, .fifo, .polling, .detections])
    return if ways == .dataReady {
      .dataReady
    } else if ways == .fifo {
      .fifo
    } else if ways == .polling {
      .polling
    } else if ways == .detections {
      .detections
    } else {
      wanted
    }
  }
}
