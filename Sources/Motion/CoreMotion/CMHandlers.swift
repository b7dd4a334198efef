// SPDX-License-Identifier: Apache-2.0

/// A handler that receives an acceleration, or `nil` and an error of `CMErrorDomain`, on the queue
/// given at the start.
public typealias CMAccelerometerHandler = (CMAccelerometerData?, (any Error)?) -> Void
/// A handler that receives a rotation rate, or `nil` and an error of `CMErrorDomain`, on the queue
/// given at the start.
public typealias CMGyroHandler = (CMGyroData?, (any Error)?) -> Void
/// A handler that receives a magnetic field, or `nil` and an error of `CMErrorDomain`, on the queue
/// given at the start.
public typealias CMMagnetometerHandler = (CMMagnetometerData?, (any Error)?) -> Void
/// A handler that receives a motion, or `nil` and an error of `CMErrorDomain`, on the queue given
/// at the start.
public typealias CMDeviceMotionHandler = (CMDeviceMotion?, (any Error)?) -> Void
