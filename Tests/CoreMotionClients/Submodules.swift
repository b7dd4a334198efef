// SPDX-License-Identifier: Apache-2.0

// As many programs import it: by the header that declares what they use.
import CoreMotion.CMMotionManager
import CoreMotion.CMPedometer

func submodules() -> (CMMotionManager, CMPedometer) { (CMMotionManager(), CMPedometer()) }
