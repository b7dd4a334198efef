// SPDX-License-Identifier: Apache-2.0
public import Registers

/// A driver as an object, because noncopyable values cannot be elements of an array. Only one
/// thread uses the object. The requirements are the same as in `SensorDriver`. The mutating
/// requirements are declared again, because a call on a reference does not mutate the reference.
public protocol ChipDriver: AnyObject, SensorDriver {
  func configure(_ settings: SensorSettings) throws(ChipError) -> SensorSettings
  func start()
  func startSelfTest() throws(ChipError)
  func stop() throws(ChipError)
  func step(_ event: Event, into batch: inout RawBatch) throws(ChipError) -> NextStep
}
