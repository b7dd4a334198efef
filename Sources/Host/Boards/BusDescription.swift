// SPDX-License-Identifier: Apache-2.0
public import ChipCatalog

/// A bus of a board. An SPI bus is one chip select, because each chip select has its own device
/// node.
public struct BusDescription: Sendable, Equatable {
  /// The way in which the program reaches a bus.
  public enum Connection: Sendable, Equatable {
    /// The device node of an I2C adapter.
    case i2c(path: String)
    /// The device node of an SPI chip select. `mode` is 0...3, `speed` is in Hz.
    case spi(path: String, mode: Int, speed: Int)
    /// Models of the chips, inside the process. `select` is the chip select that clients see for a
    /// simulated SPI bus; `speed` is in Hz.
    case simulated(Wire, select: Int = 0, speed: Int = 400_000)
    /// The trace of the board.
    case trace(Wire)
  }

  /// The name by which chips refer to the bus.
  public var name: String
  public var connection: Connection
  public var positions: Positions

  public init(name: String, connection: Connection, positions: Positions) {
    self.name = name
    self.connection = connection
    self.positions = positions
  }

  /// The kind of bus.
  public var wire: Wire {
    switch connection {
    case .i2c: .i2c
    case .spi: .spi
    case .simulated(let wire, _, _), .trace(let wire): wire
    }
  }

  /// True if the bus has models instead of hardware.
  public var isSimulated: Bool {
    if case .simulated = connection { true } else { false }
  }

  /// True if the bus is replayed from a trace instead of hardware.
  public var isTrace: Bool {
    if case .trace = connection { true } else { false }
  }

  /// The path of the device node; `nil` if there is no hardware.
  public var path: String? {
    switch connection {
    case .i2c(let path), .spi(let path, _, _): path
    case .simulated, .trace: nil
    }
  }
}
