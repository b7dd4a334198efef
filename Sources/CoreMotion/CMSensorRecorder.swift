// SPDX-License-Identifier: Apache-2.0
internal import History
package import Otolith

/// A recorder of acceleration to the disk, 50 samples a second, kept for three days.
///
/// A request is kept on the disk, too: after a program has ended, the next one that makes a
/// recorder goes on with it until its end. All recorders of a process share one writer, and one
/// process at a time writes; samples of a faster board are averaged, those of a slower one recorded
/// as they are. Failures, a full disk for instance, are logged, and recording goes on when they are
/// over.
open class CMSensorRecorder: NSObject {
  private let desk: RecorderDesk

  public override init() {
    desk = RecorderDesk(.shared, folder: nil)
    super.init()
    desk.resume()
  }

  /// Creates a recorder of another board, into another folder than the user's.
  package init(hub: MotionHub, folder: String) {
    desk = RecorderDesk(hub, folder: folder)
    super.init()
    desk.resume()
  }

  /// Returns true where the board has an accelerometer and there is a writable place.
  open class func isAccelerometerRecordingAvailable() -> Bool {
    RecorderDesk(.shared, folder: nil).isAvailable
  }

  open class func authorizationStatus() -> CMAuthorizationStatus { currentAuthorization() }

  /// Returns true where `authorizationStatus()` is `authorized`: the older way to ask.
  @available(*, deprecated, message: "use authorizationStatus()")
  open class func isAuthorizedForRecording() -> Bool { authorizationStatus() == .authorized }

  /// Records for `duration` seconds from now on, at most twelve hours. While something is recorded,
  /// a request that ends later extends it, and one that ends earlier changes nothing. Returns at
  /// once; data come some seconds later.
  open func recordAccelerometer(forDuration duration: TimeInterval) { desk.record(for: duration) }

  /// Returns the data recorded after `fromDate` and not after `toDate`; `nil` where there are none.
  /// Of an interval of more than twelve hours the first twelve are given: the `startDate` of the
  /// last element is where the next query goes on.
  ///
  /// Dates are those of the clock when a sample was measured. Where it was set back meanwhile, the
  /// samples of both times are in the list, in the order of recording.
  open func accelerometerData(from fromDate: Date, to toDate: Date) -> CMSensorDataList? {
    desk.askAccess()
    let longest = RecordingRequest.longest.seconds
    guard fromDate < toDate, let store = desk.store,
      let samples = try? store.samples(after: fromDate, through: min(toDate, fromDate + longest))
    else { return nil }
    var iterator = samples.makeIterator()
    return iterator.next() == nil ? nil : CMSensorDataList(samples)
  }
}
