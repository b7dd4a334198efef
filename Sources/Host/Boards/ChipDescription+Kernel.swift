// SPDX-License-Identifier: Apache-2.0
package import ChipCatalog
package import KernelSensors
internal import Quantities
internal import Registers
internal import Sensors

extension ChipDescription {
  /// Creates the description of a sensor that the kernel reads. A part of the catalogue with the
  /// kernel's name has its noise and its tolerances.
  package init(_ sensor: KernelSensor) {
    let part = ChipCatalog.descriptions.meant(by: sensor.name)
    let channels = Channel.allCases.filter(sensor.measures.contains)
    self.init(
      name: "linux,\(sensor.name)", title: part?.title ?? sensor.name, family: "linux",
      summary: channels.map { "\($0.row.words)" }.joined(separator: ", "), wires: [],
      addresses: [], strap: nil, wireFormat: WireFormat(),
      channels: channels.map { Self.channel($0, sensor) }, rates: sensor.rates,
      acquisitions: [.polling],
      identity: IdentityDescription(register: 0, parts: [:], supported: []), interruptPins: 0,
      noise: part?.noise ?? [], tolerances: part?.tolerances ?? [])
  }

  private static func channel(_ channel: Channel, _ sensor: KernelSensor) -> ChannelDescription {
    let value = sensor.channels.first { $0.channel == channel }
    let ranges = (sensor.ranges[channel] ?? []).map(\.range)
    guard ranges.isEmpty, let bits = value?.element?.format.bits else {
      return ChannelDescription(channel, ranges: ranges)
    }
    // The bits of a hub's values say nothing about its range.
    return ChannelDescription(channel, resolution: bits <= 24 ? value?.scale : nil)
  }
}
