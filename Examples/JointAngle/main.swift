// SPDX-License-Identifier: Apache-2.0

// The angle of a knee: one IMU on the thigh and one on the shank, both on one board, each with its
// y axis along the axis of the knee. `uses: []` in the board file keeps the shank's chip out of the
// board's own motion. Begin with a straight leg. With --script no board is needed: the knee bends
// by 60 degrees and back every two seconds.

import Foundation
import Otolith
import Runtime
import Synchronization
import Terminal

let script = ScriptedSource([.acceleration, .rotationRate], chips: ["thigh", "shank"])
let isScripted = CommandLine.arguments.contains("--script")
let hub = MotionHub()
if isScripted { try hub.use(script) }

/// The newest attitude of each limb, and the time of the newest in seconds since the first.
struct Leg {
  var thigh = Quaternion.identity
  var shank = Quaternion.identity
  var first: Double?
  var time: Double?
}
let leg = Mutex(Leg())

@Sendable func follow(_ limb: String) async {
  do {
    for try await motion in hub.attitudes(of: limb) where motion.contents.contains(.attitude) {
      let time = motion.timestamp.seconds
      leg.withLock { leg in
        if limb == "thigh" { leg.thigh = motion.attitude6 } else { leg.shank = motion.attitude6 }
        leg.first = leg.first ?? time
        leg.time = time
      }
    }
  } catch {
    Terminal.giveUp("A knee needs chips called thigh and shank: \(error)")
  }
}

/// Plays a leg: the thigh swings by 20 degrees, and the knee bends.
@Sendable func play() async {
  /// Returns what the chip of a limb measures that is pitched by `angle` and turns at `rate`.
  func sample(_ time: Timestamp, angle: Double, rate: Double) -> Sample {
    var sample = Sample(timestamp: time, channels: [.acceleration, .rotationRate])
    sample.acceleration = Vector3(sin(angle), 0, -cos(angle))
    sample.rotationRate = Vector3(0, rate, 0)
    return sample
  }
  let degree = Double.pi / 180
  while !script.isRunning { try? await Task.sleep(for: .milliseconds(5)) }
  let start = Timestamp.now
  for step in 0... {
    let t = Double(step) / 100
    let time = start + .milliseconds(Int64(step) * 10)
    let thigh = (20 * degree * sin(.pi * t), 20 * degree * .pi * cos(.pi * t))
    let knee = (30 * degree * (1 - cos(.pi * t)), 30 * degree * .pi * sin(.pi * t))
    script.send(sample(time, angle: thigh.0, rate: thigh.1), from: "thigh")
    script.send(sample(time, angle: thigh.0 + knee.0, rate: thigh.1 + knee.1), from: "shank")
    let wait = (time - Timestamp.now).seconds
    if wait > 0 { try? await Task.sleep(for: .seconds(wait)) }
  }
}

for limb in ["thigh", "shank"] { Task { await follow(limb) } }
if isScripted { Task { await play() } }

Terminal.run(framesPerSecond: 10) {
  let now = leg.withLock { $0 }
  guard let first = now.first, let time = now.time else { return }
  // The turn of the shank as seen from the thigh, about their common y axis.
  let bend = now.thigh.conjugate * now.shank
  let angle = 2 * atan2(bend.y, bend.w) * 180 / .pi
  Terminal.show(String(format: "%7.2f s   knee %6.1f degrees", time - first, angle))
}
