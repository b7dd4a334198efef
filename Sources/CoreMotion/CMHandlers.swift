// SPDX-License-Identifier: Apache-2.0

/// Takes an acceleration, or `nil` and an error of `CMErrorDomain`, on the queue that was given
/// with it.
public typealias CMAccelerometerHandler = (CMAccelerometerData?, (any Error)?) -> Void
/// Takes a rotation rate, or `nil` and an error of `CMErrorDomain`, on the queue that was given
/// with it.
public typealias CMGyroHandler = (CMGyroData?, (any Error)?) -> Void
/// Takes a magnetic field, or `nil` and an error of `CMErrorDomain`, on the queue that was given
/// with it.
public typealias CMMagnetometerHandler = (CMMagnetometerData?, (any Error)?) -> Void
/// Takes a motion, or `nil` and an error of `CMErrorDomain`, on the queue that was given with it.
public typealias CMDeviceMotionHandler = (CMDeviceMotion?, (any Error)?) -> Void
