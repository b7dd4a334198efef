// SPDX-License-Identifier: Apache-2.0
public import Sensors

/// A chip of a board: what it is, where it is wired and its settings.
public struct ChipPlacement: Sendable, Equatable {
  /// The board's own name for it.
  public var name: String
  /// Its row of the catalogue, by name: `invensense,mpu6050`.
  public var chip: String
  /// The name of its bus.
  public var bus: String
  /// The 7-bit address; `nil` on SPI.
  public var address: UInt8?
  /// `nil` where no interrupt is wired.
  public var interrupt: Interrupt?
  public var settings: SensorSettings
  /// The mounting that its calibration found, else the board file's.
  public var mounting: Mounting
  /// The mounting that the board file gives.
  public var statedMounting: Mounting
  /// The delays of its samples: the board file's word, else its driver's.
  public var delays: StreamDelays
  /// The chip on whose auxiliary bus it sits; `nil` where it sits on the bus itself.
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

/// The line on which a chip says that there is something to read.
public struct Interrupt: Sendable, Equatable {
  /// The way in which the line is found. Never by a gpiochip's number: that differs between models
  /// and kernels.
  public enum Line: Sendable, Equatable {
    /// By the name that the kernel gives the line: `GPIO4`.
    case named(String)
    /// By the label of its GPIO chip and the line's number there.
    case offset(chip: String, Int)
    /// The model raises it.
    case simulated
  }

  /// The change of the line's level that counts.
  public enum Edge: String, CaseIterable, Sendable {
    case rising
    case falling
  }

  public var line: Line
  public var edge: Edge
  /// The chip's pin that is wired to it, 1 or 2.
  public var pin: Int
  public var isOpenDrain: Bool

  public init(_ line: Line, edge: Edge = .rising, pin: Int = 1, isOpenDrain: Bool = false) {
    self.line = line
    self.edge = edge
    self.pin = pin
    self.isOpenDrain = isOpenDrain
  }
}
