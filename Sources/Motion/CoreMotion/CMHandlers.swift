// SPDX-License-Identifier: Apache-2.0

/// Receives an acceleration, or `nil` and an error of `CMErrorDomain`, on the queue given at the
/// start.
public typealias CMAccelerometerHandler = (CMAccelerometerData?, (any Error)?) -> Void
/// Receives a rotation rate, or `nil` and an error of `CMErrorDomain`, on the queue given at the
/// start.
public typealias CMGyroHandler = (CMGyroData?, (any Error)?) -> Void
/// Receives a magnetic field, or `nil` and an error of `CMErrorDomain`, on the queue given at the
/// start.
public typealias CMMagnetometerHandler = (CMMagnetometerData?, (any Error)?) -> Void
/// Receives a motion, or `nil` and an error of `CMErrorDomain`, on the queue given at the start.
public typealias CMDeviceMotionHandler = (CMDeviceMotion?, (any Error)?) -> Void
