// SPDX-License-Identifier: Apache-2.0
import CoreMotion
import Foundation
import MotionServer
import Otolith
import ServedSources
import Service
import Testing

/// Returns a pedometer of `hub` started at `start`, and the data that it delivers.
func live(_ hub: MotionHub, from start: Date) -> (CMPedometer, Collected<CountedWalk>) {
  let pedometer = CMPedometer(hub: hub)
  let got = Collected<CountedWalk>()
  pedometer.startUpdates(from: start) { got.add($0?.counted, $1) }
  return (pedometer, got)
}

/// Returns the steps of an interval, from a query to a pedometer of `hub`.
func steps(_ hub: MotionHub, _ start: Date, _ end: Date) -> Int? {
  let got = Collected<Int>()
  CMPedometer(hub: hub).queryPedometerData(from: start, to: end) {
    got.add($0?.numberOfSteps.intValue, $1)
  }
  #expect(Rig.eventually { got.calls == 1 })
  return got.values.first
}

extension Walker {
  /// Returns a service of this walker's board, which counts in the walker's hub.
  func served(at path: String) throws -> Served {
    try Served(source, path: path, movement: PedometerStore(hub).answers)
  }

  /// Returns the hub of a program that uses this service.
  func program(at path: String) throws -> MotionHub {
    let program = MotionHub()
    try program.use(ServiceSource(path: path))
    program.movement.setting = hub.movement.setting
    return program
  }
}
