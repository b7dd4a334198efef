// SPDX-License-Identifier: Apache-2.0
public import Registers

/// A driver that is an object: noncopyable values cannot be elements of an array. Used from one
/// thread. It is a `SensorDriver` and means what that says; what changes a driver stands here again
/// since a reference does not change when its object does.
public protocol ChipDriver: AnyObject, SensorDriver {
  func configure(_ settings: SensorSettings) throws(ChipError) -> SensorSettings
  func start()
  func startSelfTest() throws(ChipError)
  func stop() throws(ChipError)
  func step(_ event: Event, into batch: inout RawBatch) throws(ChipError) -> Wake
}
