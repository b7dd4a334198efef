// SPDX-License-Identifier: Apache-2.0
public import Sensors

/// An entry of the catalogue: a kind of chip with its description, its driver and its model.
public struct CatalogEntry: Sendable {
  public let description: ChipDescription
  /// Makes a driver for the chip on a connection.
  public let driver: @Sendable (consuming HostConnection) -> any ChipDriver
  /// Makes a model that senses the given input, with the given relative error of the chip's
  /// oscillator.
  public let model: @Sendable (_ input: any SensorInput, _ clockError: Double) -> any ChipModel
  /// Returns all registers of this kind of chip.
  public let registers: @Sendable () -> [RegisterRow]
  /// Related parts that otolith does not support and that this chip can replace, especially parts
  /// at the same addresses.
  public let strangers: [KnownChip]

  init(
    description: ChipDescription,
    driver: @escaping @Sendable (consuming HostConnection) -> any ChipDriver,
    model: @escaping @Sendable (any SensorInput, Double) -> any ChipModel,
    registers: @escaping @Sendable () -> [RegisterRow], strangers: [KnownChip] = []
  ) {
    self.description = description
    self.driver = driver
    self.model = model
    self.registers = registers
    self.strangers = strangers
  }
}

/// Returns the values of a table in the portable core as an array. `table` returns `nil` after its
/// last index.
func values(_ table: (Int) -> Double?) -> [Double] {
  var values: [Double] = []
  while let value = table(values.count) { values.append(value) }
  return values
}
