// SPDX-License-Identifier: Apache-2.0

// Many programs import the submodule that declares what they use.
import CoreMotion.CMMotionManager
import CoreMotion.CMPedometer

func submodules() -> (CMMotionManager, CMPedometer) { (CMMotionManager(), CMPedometer()) }
