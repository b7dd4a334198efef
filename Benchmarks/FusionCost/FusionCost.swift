// SPDX-License-Identifier: Apache-2.0
internal import CAllocationCounter
internal import Foundation
internal import Fusion
internal import Quantities

/// Measures what an update of the fusion engine costs: `FusionCost SAMPLES AXES PASSES`
///
/// `SAMPLES` holds rows of ten little-endian doubles: seconds, then in device axes rotation rate
/// (rad/s), acceleration (g, Core Motion's sign) and magnetic field (microtesla). Each of `PASSES`
/// takes all of them through a new engine, with `AXES` 9 all three streams, with 6 the first two.
/// Prints the nanoseconds of processor time of one update in each pass, then the allocations of all
/// passes, then the last attitude.
@main
struct FusionCost {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let axes = Int(arguments[2]), axes == 6 || axes == 9,
      let passes = Int(arguments[3]), passes > 0
    else {
      FileHandle.standardError.write(Data("usage: FusionCost SAMPLES 6|9 PASSES\n".utf8))
      exit(64)  // EX_USAGE
    }
    let samples = try Recording(contentsOf: URL(fileURLWithPath: arguments[1])).samples
    guard !samples.isEmpty else {
      FileHandle.standardError.write(Data("FusionCost: no samples in \(arguments[1])\n".utf8))
      exit(65)  // EX_DATAERR
    }
    // Written once before the clock runs: memory that the kernel first hands out costs more.
    var outputs = [Output](repeating: Output(), count: samples.count)
    var times = [Double](repeating: 0, count: passes)
    let allocationsBefore = otolith_allocations_of_process()
    for pass in 0..<passes {
      let start = processorTime()
      if axes == 9 {
        Self.nineAxes(samples, into: &outputs)
      } else {
        Self.sixAxes(samples, into: &outputs)
      }
      times[pass] = (processorTime() - start) / Double(samples.count)
    }
    let allocations = otolith_allocations_of_process() - allocationsBefore
    print("ns:", times.map { String(format: "%.2f", $0) }.joined(separator: " "))
    print("allocations:", allocations)
    let last = outputs[samples.count - 1]
    let q = axes == 9 ? last.attitude9 : last.attitude6
    print("attitude:", q.w, q.x, q.y, q.z)
  }

  /// The values that VQF's `updateBatch` gives for each sample, so that both do the same.
  struct Output {
    var attitude9 = Quaternion.identity
    var attitude6 = Quaternion.identity
    var bias = Vector3.zero
    var biasSigma = 0.0
    var isAtRest = false
    var isDisturbed = false
  }

  @inline(never)
  static func nineAxes(_ samples: [MotionInput], into outputs: inout [Output]) {
    var engine = FusionEngine()
    for k in samples.indices {
      let sample = samples[k]
      engine.update(rotationRate: sample.rotationRate, at: sample.time)
      engine.update(acceleration: sample.acceleration, at: sample.time)
      engine.update(magneticField: sample.magneticField, at: sample.time)
      outputs[k] = Output(
        attitude9: engine.attitude9, attitude6: engine.attitude6, bias: engine.gyroBias,
        biasSigma: engine.gyroBiasSigma, isAtRest: engine.isAtRest,
        isDisturbed: engine.isMagneticallyDisturbed)
    }
  }

  @inline(never)
  static func sixAxes(_ samples: [MotionInput], into outputs: inout [Output]) {
    var engine = FusionEngine()
    for k in samples.indices {
      let sample = samples[k]
      engine.update(rotationRate: sample.rotationRate, at: sample.time)
      engine.update(acceleration: sample.acceleration, at: sample.time)
      outputs[k].attitude6 = engine.attitude6
      outputs[k].bias = engine.gyroBias
      outputs[k].biasSigma = engine.gyroBiasSigma
      outputs[k].isAtRest = engine.isAtRest
    }
  }
}

/// Nanoseconds of processor time of this thread: another process that takes the processor away is
/// not in it.
private func processorTime() -> Double {
  var time = timespec()
  // The pointer is used within the call.
  unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}
