// SPDX-License-Identifier: Apache-2.0
public import Registers

extension DriverAbilities {
  /// The ability that a way of acquisition takes.
  @inlinable @inline(__always)
  public init(_ acquisition: Acquisition) {
    switch acquisition {
    case .dataReady: self = .dataReady
    case .fifo: self = .fifo
    case .polling: self = .polling
    case .detections: self = .detections
    }
  }

  /// `wanted`, or the one way that there is: a constant then, so that what a driver does in other ways is left out.
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
