// SPDX-License-Identifier: Apache-2.0
internal import History
package import Otolith

/// A recorder that stores acceleration on the disk, 50 samples per second, and keeps it for three
/// days.
///
/// A request is stored on the disk too. If the program ends early, the next program that creates a
/// recorder continues the request. All recorders of a process share one writer, and only one
/// process writes at a time. Samples from a faster board are averaged, those from a slower board
/// are recorded unchanged. Failures, for instance a full disk, are logged, and recording continues
/// once the cause is gone.
open class CMSensorRecorder: NSObject {
  private let controller: RecorderController

  public override init() {
    controller = RecorderController(.shared, folder: nil)
    super.init()
    controller.resume()
  }

  /// Creates a recorder for the board of `hub` that stores samples in `folder` instead of the
  /// user's folder.
  package init(hub: MotionHub, folder: String) {
    controller = RecorderController(hub, folder: folder)
    super.init()
    controller.resume()
  }

  /// Returns true if the board has an accelerometer and there is a writable folder.
  open class func isAccelerometerRecordingAvailable() -> Bool {
    RecorderController(.shared, folder: nil).isAvailable
  }

  open class func authorizationStatus() -> CMAuthorizationStatus { currentAuthorization() }

  /// Returns true if `authorizationStatus()` is `authorized`. This is the older method for that
  /// test.
  @available(*, deprecated, message: "use authorizationStatus()")
  open class func isAuthorizedForRecording() -> Bool { authorizationStatus() == .authorized }

  /// Records for `duration` seconds from now on, at most twelve hours. During a recording, a
  /// request that ends later extends it, and one that ends earlier has no effect. Returns
  /// immediately; samples can be read several seconds later.
  open func recordAccelerometer(forDuration duration: TimeInterval) {
    controller.record(for: duration)
  }

  /// Returns the data recorded after `fromDate` and not after `toDate`; `nil` if there are no data.
  /// For an interval longer than twelve hours the first twelve are returned: start the next query
  /// at the `startDate` of the last element.
  ///
  /// Dates are those of the clock at the time of each measurement. If the clock was set back
  /// between two measurements, the list contains the samples of both passes, in the order of
  /// recording.
  open func accelerometerData(from fromDate: Date, to toDate: Date) -> CMSensorDataList? {
    controller.askAccess()
    let longest = RecordingRequest.longest.seconds
    guard fromDate < toDate, let store = controller.store,
      let samples = try? store.samples(after: fromDate, through: min(toDate, fromDate + longest))
    else { return nil }
    var iterator = samples.makeIterator()
    return iterator.next() == nil ? nil : CMSensorDataList(samples)
  }
}
