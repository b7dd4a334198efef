// SPDX-License-Identifier: Apache-2.0
internal import Fusion
package import Runtime

extension ServiceStatus {
  /// Stores the faults that fusion has detected.
  package mutating func take(_ times: FaultTimes) {
    faults = SensorFaultRow.rows(of: times.occurred).map { row in
      let record = times.record(of: row.fault)
      return Fault(
        name: row.name, sensor: row.sensor, isPresent: times.noted.contains(row.fault),
        time: record.seconds, count: record.count)
    }
    isCoasting = times.isCoasting
    coastingTime = times.coasting.seconds
    motionTime = times.total
  }

  /// The faults that fusion has detected, as far as this program knows their names; `nil` if the
  /// service sends no faults.
  var faultTimes: FaultTimes? {
    guard let faults else { return nil }
    var noted: SensorFaults = []
    var known: [(fault: SensorFaults, record: FaultTimes.Record)] = []
    for fault in faults {
      guard let found = SensorFaultRow.fault(named: fault.name) else { continue }
      if fault.isPresent { noted.insert(found) }
      known.append((found, FaultTimes.Record(seconds: fault.time, count: fault.count)))
    }
    return FaultTimes(
      known, noted: noted, isCoasting: isCoasting ?? false,
      coasting: FaultTimes.Record(seconds: coastingTime ?? 0, count: coastingTime ?? 0 > 0 ? 1 : 0),
      total: motionTime ?? 0)
  }
}
