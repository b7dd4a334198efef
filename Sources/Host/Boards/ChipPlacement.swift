// SPDX-License-Identifier: Apache-2.0
public import Sensors

/// A chip of a board: its kind, its wiring and its settings.
public struct ChipPlacement: Sendable, Equatable {
  /// The name of the chip on this board.
  public var name: String
  /// The name of the chip in the catalogue, such as `invensense,mpu6050`.
  public var chip: String
  /// The name of the chip's bus.
  public var bus: String
  /// The chip's 7-bit I2C address; `nil` on SPI.
  public var address: UInt8?
  /// The chip's interrupt line; `nil` if none is wired.
  public var interrupt: Interrupt?
  public var settings: SensorSettings
  /// The chip's mounting: that of the calibration, or else that of the board file.
  public var mounting: Mounting
  /// The chip's mounting in the board file.
  public var statedMounting: Mounting
  /// The delays of the chip's samples: those in the board file, or else those of the driver.
  public var delays: StreamDelays
  /// The name of the chip whose auxiliary bus connects this chip; `nil` if this chip is connected
  /// to the bus directly.
  public var behind: String?
  /// The path of the chip's firmware; `nil` to search Linux's folders for firmware.
  public var firmware: String?
  public var positions: Positions

  public init(
    name: String, chip: String, bus: String, address: UInt8?, interrupt: Interrupt?,
    settings: SensorSettings, mounting: Mounting, delays: StreamDelays = StreamDelays(),
    behind: String? = nil, firmware: String? = nil, positions: Positions
  ) {
    self.name = name
    self.chip = chip
    self.bus = bus
    self.address = address
    self.interrupt = interrupt
    self.settings = settings
    self.mounting = mounting
    statedMounting = mounting
    self.delays = delays
    self.behind = behind
    self.firmware = firmware
    self.positions = positions
  }
}

/// The interrupt line on which a chip signals available data.
public struct Interrupt: Sendable, Equatable {
  /// The identification of an interrupt line. The number of a gpiochip is not used, because that
  /// number differs between models and kernels.
  public enum Line: Sendable, Equatable {
    /// The kernel's name of the line, such as `GPIO4`.
    case named(String)
    /// The label of the line's GPIO chip, and the line's offset on that chip.
    case offset(chip: String, Int)
    /// A simulated line, which the chip's model drives.
    case simulated
  }

  /// The edge of the line that signals the interrupt.
  public enum Edge: String, CaseIterable, Sendable {
    case rising
    case falling
  }

  public var line: Line
  public var edge: Edge
  /// The number of the chip's interrupt pin that drives the line, 1 or 2.
  public var pin: Int
  public var isOpenDrain: Bool

  public init(_ line: Line, edge: Edge = .rising, pin: Int = 1, isOpenDrain: Bool = false) {
    self.line = line
    self.edge = edge
    self.pin = pin
    self.isOpenDrain = isOpenDrain
  }
}
