// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Quantities
import Sensors

/// What a chip in a test feels. A test may change it at any time.
final class World: SensorInput {
  var held: ChipReading
  /// Changes a reading; gets its time and the number of readings including it.
  var changes: ((_ time: Timestamp, _ readings: Int, _ reading: inout ChipReading) -> Void)?
  /// The number of readings so far; a model takes one per sample.
  private(set) var readings = 0
  /// The times of the readings.
  private(set) var times: [Timestamp] = []
  /// Whether that is remembered: an array that grows is allocated.
  private let remembers: Bool

  init(_ held: ChipReading = ChipReading(), remembers: Bool = true) {
    self.held = held
    self.remembers = remembers
  }

  func reading(at time: Timestamp) -> ChipReading {
    readings += 1
    if remembers { times.append(time) }
    var reading = held
    changes?(time, readings, &reading)
    return reading
  }
}

extension ChipReading {
  /// What an inertial unit measures.
  static func inertial(_ force: Vector3, _ turn: Vector3, temperature: Double) -> ChipReading {
    var reading = ChipReading(channels: [.acceleration, .rotationRate, .temperature])
    reading.specificForce = force
    reading.rotationRate = turn
    reading.temperature = temperature
    return reading
  }
}
