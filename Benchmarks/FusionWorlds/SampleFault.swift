// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Quantities

/// What goes wrong with the samples of a chip, in any world; called as on the command line.
enum SampleFault: String, CaseIterable {
  /// The gyroscope warms up by 10 to 25 kelvins: half a degree/s comes to each axis, within minutes.
  case warmUp = "warm-up"
  /// The accelerometer ends at 2 g.
  case ends2g = "ends-2g"
  /// The gyroscope ends at 250 degrees/s.
  case ends250 = "ends-250"
  /// One rotation rate of 1000 is off by 20 rad/s in one axis.
  case glitches
  /// For a second out of 20 the gyroscope repeats its last value.
  case gyroHangs = "gyro-hangs"
  /// For a second out of 20 the accelerometer repeats its last value.
  case accelerometerHangs = "acc-hangs"
  /// For a second out of 20 there are no rotation rates.
  case gaps
  /// A count is 1 degree/s, 1/64 g, 1 microtesla.
  case coarse
  /// Time stamps are off by up to 2 ms.
  case jitter

  /// Changes samples in order of time.
  func spoil(_ samples: inout [SimulatedSample], _ draws: inout Draws) {
    switch self {
    case .warmUp:
      let change = 0.5 * degree * Vector3(draws.sign(), draws.sign(), draws.sign())
      each(of: &samples) { $0.rotationRate? += (1 - exp(-$0.time / 120)) * change }
    case .ends2g:
      each(of: &samples) { $0.acceleration = $0.acceleration.map { min(max($0, -2), 2) } }
    case .ends250:
      let end = 250 * degree
      each(of: &samples) { $0.rotationRate = $0.rotationRate?.map { min(max($0, -end), end) } }
    case .glitches:
      each(of: &samples) { sample in
        guard draws.uniform(0, 1) < 0.001 else { return }
        let size = 20 * draws.sign()
        switch draws.uniform(0, 3) {
        case ..<1: sample.rotationRate?.x += size
        case ..<2: sample.rotationRate?.y += size
        default: sample.rotationRate?.z += size
        }
      }
    case .gyroHangs: hold(\.rotationRate, of: &samples)
    case .accelerometerHangs: hold(\.acceleration, of: &samples)
    case .gaps: each(of: &samples) { if Self.fails(at: $0.time) { $0.rotationRate = nil } }
    case .coarse:
      each(of: &samples) {
        $0.rotationRate = $0.rotationRate?.map { ($0 / degree).rounded() * degree }
        $0.acceleration = $0.acceleration.map { ($0 * 64).rounded() / 64 }
        $0.magneticField = $0.magneticField.map { $0.rounded() }
      }
    case .jitter: each(of: &samples) { $0.time += draws.uniform(-0.002, 0.002) }
    }
  }

  private func each(
    of samples: inout [SimulatedSample], _ body: (inout SimulatedSample) -> Void
  ) {
    for k in samples.indices { body(&samples[k]) }
  }

  /// Repeats the last value while a sensor fails.
  private func hold<Value>(
    _ value: WritableKeyPath<SimulatedSample, Value>, of samples: inout [SimulatedSample]
  ) {
    for k in samples.indices.dropFirst() where Self.fails(at: samples[k].time) {
      samples[k][keyPath: value] = samples[k - 1][keyPath: value]
    }
  }

  private static func fails(at time: Double) -> Bool {
    time.truncatingRemainder(dividingBy: 20) >= 19
  }
}

extension Vector3 {
  fileprivate func map(_ change: (Double) -> Double) -> Vector3 {
    Vector3(change(x), change(y), change(z))
  }
}
