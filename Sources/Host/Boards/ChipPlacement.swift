// SPDX-License-Identifier: Apache-2.0
package import ChipCatalog
package import KernelSensors
public import Quantities
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
  /// The chip's mounting from the calibration, or else from the board file. If the chip has an
  /// alignment with another chip, its mounting is the other chip's mounting, turned by the
  /// alignment's rotation.
  public var mounting: Mounting
  /// The chip's mounting in the board file.
  public var statedMounting: Mounting
  /// The alignment with another chip of the board; `nil` if the calibration contains none.
  public var alignment: MeasuredAlignment?
  /// The delays of the chip's samples from the board file, or else from the driver, plus the time
  /// offset of the alignment.
  public var delays: StreamDelays
  /// The name of the chip whose auxiliary bus connects this chip; `nil` if this chip is connected
  /// to the bus directly.
  public var behind: String?
  /// The path of the chip's firmware; `nil` to search Linux's folders for firmware.
  public var firmware: String?
  /// The channels that motion uses from this chip; by default all channels that the chip samples.
  public var uses: ChannelSet
  /// The position of the chip in device axes, in metres, from the calibration or else from the
  /// board file. The origin is any point that is the same for all chips of the board.
  public var position: Vector3
  /// The chip's position in the board file.
  public var statedPosition: Vector3
  /// The sensor of the kernel whose samples are used, as it was when the board was read; `nil` for
  /// a chip on a bus. The placement's `chip` then has the manufacturer `linux`, and `bus` is empty.
  package var kernelSensor: KernelSensor?
  public var positions: Positions

  public init(
    name: String, chip: String, bus: String, address: UInt8?, interrupt: Interrupt?,
    settings: SensorSettings, mounting: Mounting, delays: StreamDelays = StreamDelays(),
    behind: String? = nil, firmware: String? = nil, uses: ChannelSet = .all,
    position: Vector3 = .zero, positions: Positions
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
    self.uses = uses
    self.position = position
    statedPosition = position
    self.positions = positions
  }

  /// The facts about the chip: of the catalogue, or of the kernel's sensor. `nil` if the catalogue
  /// does not have the chip.
  package var sheet: ChipDescription? {
    kernelSensor.map { ChipDescription($0) } ?? ChipCatalog.entry(named: chip)?.description
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
