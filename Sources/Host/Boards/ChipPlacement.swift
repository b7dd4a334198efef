// SPDX-License-Identifier: Apache-2.0
public import Sensors

/// A chip of a board: its kind, wiring and settings.
public struct ChipPlacement: Sendable, Equatable {
  /// Its name on this board.
  public var name: String
  /// The name of the chip in the catalogue: `invensense,mpu6050`.
  public var chip: String
  /// The name of its bus.
  public var bus: String
  /// The 7-bit address; `nil` on SPI.
  public var address: UInt8?
  /// The interrupt; `nil` if none is wired.
  public var interrupt: Interrupt?
  public var settings: SensorSettings
  /// The mounting from the calibration, else from the board file.
  public var mounting: Mounting
  /// The mounting in the board file.
  public var statedMounting: Mounting
  /// The delays of its samples: from the board file, else from the driver.
  public var delays: StreamDelays
  /// The host whose auxiliary bus the chip is on; `nil` if the chip is on the bus itself.
  public var behind: String?
  public var positions: Positions

  public init(
    name: String, chip: String, bus: String, address: UInt8?, interrupt: Interrupt?,
    settings: SensorSettings, mounting: Mounting, delays: StreamDelays = StreamDelays(),
    behind: String? = nil, positions: Positions
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
    self.positions = positions
  }
}

/// The line on which a chip signals available data.
public struct Interrupt: Sendable, Equatable {
  /// The identification of a line. Never by a gpiochip's number, which differs between models and
  /// kernels.
  public enum Line: Sendable, Equatable {
    /// By the kernel's name for the line: `GPIO4`.
    case named(String)
    /// By the label of its GPIO chip and the offset there.
    case offset(chip: String, Int)
    /// A simulated line, driven by the model.
    case simulated
  }

  /// The edge of the line that signals the interrupt.
  public enum Edge: String, CaseIterable, Sendable {
    case rising
    case falling
  }

  public var line: Line
  public var edge: Edge
  /// The chip's pin that drives the line, 1 or 2.
  public var pin: Int
  public var isOpenDrain: Bool

  public init(_ line: Line, edge: Edge = .rising, pin: Int = 1, isOpenDrain: Bool = false) {
    self.line = line
    self.edge = edge
    self.pin = pin
    self.isOpenDrain = isOpenDrain
  }
}
