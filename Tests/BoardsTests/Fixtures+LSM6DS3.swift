// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Quantities
import Registers
import Sensors

extension Fixtures {
  static let lsm6ds3 = ChipDescription(
    name: "st,lsm6ds3", title: "LSM6DS3", summary: "accelerometer and gyroscope",
    wires: [.i2c, .spi], addresses: [0x6A, 0x6B], wireFormat: WireFormat(),
    channels: [
      ChannelDescription(.acceleration, ranges: [2, 4, 8, 16]),
      ChannelDescription(
        .rotationRate, ranges: [125, 245, 500, 1000, 2000].map { $0 * degree }),
      ChannelDescription(.temperature),
    ],
    rates: [1660, 833, 416, 208, 104, 52, 26, 12.5], acquisitions: [.fifo, .dataReady, .polling],
    identity: IdentityDescription(register: 0x0F, parts: [0x69: "LSM6DS3"], supported: [0x69]))

  /// Every chip of the boards that are shipped; the texts of the snapshots name those of `catalogue`.
  static let shippedCatalogue = catalogue + [lsm6ds3]
}
