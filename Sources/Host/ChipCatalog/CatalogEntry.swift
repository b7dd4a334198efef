// SPDX-License-Identifier: Apache-2.0
public import Sensors

/// A kind of chip: its description, driver and model.
public struct CatalogEntry: Sendable {
  public let description: ChipDescription
  /// Makes the driver.
  public let driver: @Sendable (consuming HostConnection) -> any ChipDriver
  /// Makes a model in the surroundings, with a relative oscillator error.
  public let model:
    @Sendable (_ surroundings: any SensorInput, _ clockError: Double) -> any ChipModel
  /// The registers of this chip.
  public let registers: @Sendable () -> [RegisterRow]
  /// Related parts that otolith does not support and that this one can replace, especially those at
  /// the same addresses.
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

/// Returns the values of a portable table as an array.
func values(_ table: (Int) -> Double?) -> [Double] {
  var values: [Double] = []
  while let value = table(values.count) { values.append(value) }
  return values
}
