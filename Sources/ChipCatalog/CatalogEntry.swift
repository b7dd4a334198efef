// SPDX-License-Identifier: Apache-2.0
public import Sensors

/// A kind of chip: what is known of it, its driver and its model.
public struct CatalogEntry: Sendable {
  public let description: ChipDescription
  /// Makes the driver.
  public let driver: @Sendable (consuming HostConnection) -> any ChipDriver
  /// Makes a model in its surroundings, with an oscillator that is off by so many parts.
  public let model:
    @Sendable (_ surroundings: any Surroundings, _ clockError: Double) -> any ChipModel
  /// The registers of this row.
  public let registers: @Sendable () -> [RegisterRow]
  /// Parts that otolith does not drive and whose place this one can take; those that answer at its
  /// addresses above all.
  public let strangers: [KnownChip]

  init(
    description: ChipDescription,
    driver: @escaping @Sendable (consuming HostConnection) -> any ChipDriver,
    model: @escaping @Sendable (any Surroundings, Double) -> any ChipModel,
    registers: @escaping @Sendable () -> [RegisterRow], strangers: [KnownChip] = []
  ) {
    self.description = description
    self.driver = driver
    self.model = model
    self.registers = registers
    self.strangers = strangers
  }
}

/// A portable table as an array.
func values(_ table: (Int) -> Double?) -> [Double] {
  var values: [Double] = []
  while let value = table(values.count) { values.append(value) }
  return values
}
