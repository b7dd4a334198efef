// SPDX-License-Identifier: Apache-2.0
package import Boards
internal import KernelSensors
internal import LinuxBus
internal import LinuxSystem

/// A source that one thread of a session reads.
package enum ReadingPlace: Sendable {
  case bus(BusDescription)
  /// The sensor that the kernel reads for the chip with this index.
  case kernelSensor(Int, name: String)

  /// The name in messages.
  package var name: String {
    switch self {
    case .bus(let bus): bus.name
    case .kernelSensor(_, let name): name
    }
  }

  /// True if the device nodes exist.
  func isPresent(of board: Board) -> Bool {
    switch self {
    case .bus(let bus): bus.path.map(Sysfs.exists) ?? true
    case .kernelSensor(let index, _):
      board.chips[index].kernelSensor?.found(among: KernelSensor.all()) != nil
    }
  }
}

extension Board {
  /// The sources that threads read: each bus that has chips, and each sensor of the kernel, which
  /// may be pulled out alone.
  package var readingPlaces: [ReadingPlace] {
    let used = buses.filter { !chips(on: $0.name).isEmpty }.map(ReadingPlace.bus)
    return used
      + chips.enumerated().compactMap { index, chip in
        chip.kernelSensor == nil ? nil : .kernelSensor(index, name: chip.name)
      }
  }
}
