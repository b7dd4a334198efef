// SPDX-License-Identifier: Apache-2.0
import CoreMotion

// Prints what comes first, motion or the reason why there is none; then today's step count.
let pedometer = CMPedometer()
let manager = CMMotionManager()
manager.deviceMotionUpdateInterval = 0.02
manager.startDeviceMotionUpdates(to: .main) { motion, error in
  manager.stopDeviceMotionUpdates()
  guard motion != nil else {
    print(error?.localizedDescription ?? "no motion")
    exit(1)
  }
  let midnight = Calendar.current.startOfDay(for: .now)
  pedometer.queryPedometerData(from: midnight, to: .now) { @Sendable data, error in
    let steps = data.map { "\($0.numberOfSteps) steps" }
    print("motion; \(steps ?? error?.localizedDescription ?? "no answer")")
    exit(0)
  }
}
RunLoop.main.run()
