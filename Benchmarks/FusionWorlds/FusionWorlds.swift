// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Fusion
internal import Quantities
internal import MotionSources
internal import Sensors

/// Simulates a chip in a world and writes what the fusion engine makes of it:
/// `FusionWorlds WORLD[+FAULT...] CHIP SEED OUTDIR`
///
/// Into the folder `OUTDIR` go rows of little-endian doubles. `samples`: seconds, rotation rate
/// (rad/s, NaN where there is none), acceleration (g, Core Motion's sign), magnetic field
/// (microtesla), device axes. `truth`, `ours`, `declared`: seconds, then w, x, y, z from device to
/// north, west, up; of the engine with its defaults, and with what a board file says: the carrier
/// of the world, and through the chip's name the delays and the errors of its data sheet.
@main
struct FusionWorlds {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 5,
      let (world, faults) = world(named: arguments[1]),
      let chip = ChipErrors(named: arguments[2]),
      let seed = UInt64(arguments[3])
    else {
      let worlds = World.allCases.map(\.rawValue).joined(separator: "|")
      let faults = SampleFault.allCases.map(\.rawValue).joined(separator: "|")
      FileHandle.standardError.write(
        Data("usage: FusionWorlds \(worlds)[+\(faults)...] CHIP SEED OUTDIR\n".utf8))
      exit(64)  // EX_USAGE
    }
    let folder = URL(fileURLWithPath: arguments[4])
    var simulated = SimulatedSamples(world: world, chip: chip, seed: seed)
    let samples = simulated.make(faults)
    var inputs = Rows()
    var truth = Rows()
    for sample in samples {
      inputs.append(sample.time)
      inputs.append(sample.rotationRate ?? Vector3(.nan, .nan, .nan))
      inputs.append(sample.acceleration)
      inputs.append(sample.magneticField)
      truth.append(sample.time)
      truth.append(sample.truth)
    }
    try inputs.write(to: folder.appendingPathComponent("samples"))
    try truth.write(to: folder.appendingPathComponent("truth"))
    try attitudes(samples, FusionEngine.Params())
      .write(to: folder.appendingPathComponent("ours"))
    var declared = FusionEngine.Params(carrier: world.carrier)
    declared.gyroDelay = chip.delays.rotationRate
    declared.accelerationDelay = chip.delays.acceleration
    declared.magneticDelay = chip.delays.magneticField
    declared.expect(chip.gyroscope)
    // What is simulated is left by a calibration (`ChipErrors.accelerometerRest`).
    declared.expectCalibratedAccelerometer()
    try attitudes(samples, declared)
      .write(to: folder.appendingPathComponent("declared"))
  }

  /// Reads a world and the faults behind it.
  private static func world(named name: String) -> (World, [SampleFault])? {
    let parts = name.split(separator: "+")
    guard let first = parts.first, let world = World(rawValue: String(first)) else { return nil }
    let faults = parts.dropFirst().compactMap { SampleFault(rawValue: String($0)) }
    return faults.count == parts.count - 1 ? (world, faults) : nil
  }

  /// Runs the engine over all samples.
  private static func attitudes(
    _ samples: [SimulatedSample], _ params: FusionEngine.Params
  ) -> Rows {
    var engine = FusionEngine(params)
    var rows = Rows()
    for sample in samples {
      let time = Timestamp(nanoseconds: Int64((sample.time * 1e9).rounded()))
      if let rate = sample.rotationRate { engine.update(rotationRate: rate, at: time) }
      engine.update(acceleration: sample.acceleration, at: time)
      engine.update(magneticField: sample.magneticField, at: time)
      rows.append(sample.time)
      rows.append(engine.attitude9)
    }
    return rows
  }
}

/// Doubles on their way to a file, little-endian.
private struct Rows {
  private var bytes: [UInt8] = []

  mutating func append(_ value: Double) {
    for byte in 0..<8 {
      bytes.append(UInt8(truncatingIfNeeded: value.bitPattern >> UInt64(8 * byte)))
    }
  }

  mutating func append(_ vector: Vector3) {
    append(vector.x)
    append(vector.y)
    append(vector.z)
  }

  mutating func append(_ q: Quaternion) {
    append(q.w)
    append(q.x)
    append(q.y)
    append(q.z)
  }

  func write(to url: URL) throws { try Data(bytes).write(to: url) }
}
