// SPDX-License-Identifier: Apache-2.0
import CoreMotion

extension CMSensorDataList: Sequence {
  public typealias Iterator = NSFastEnumerationIterator

  public func makeIterator() -> NSFastEnumerationIterator { NSFastEnumerationIterator(self) }
}

final class NightRecorder {
  let recorder = CMSensorRecorder()

  func record() {
    guard CMSensorRecorder.isAccelerometerRecordingAvailable(),
      CMSensorRecorder.isAuthorizedForRecording(),
      CMSensorRecorder.authorizationStatus() == .authorized
    else { return }
    recorder.recordAccelerometer(forDuration: 12 * 60 * 60)
  }

  func night() -> [Double] {
    var result: [Double] = []
    guard
      let list = recorder.accelerometerData(from: Date(timeIntervalSinceNow: -43200), to: Date())
    else { return [] }
    for case let data as CMRecordedAccelerometerData in list {
      result.append(data.acceleration.x)
      print(data.identifier, data.startDate, data.timestamp)
    }
    for item in list {
      guard let data = item as? CMRecordedAccelerometerData else { continue }
      result.append(data.acceleration.z)
    }
    return result + list.compactMap { ($0 as? CMRecordedAccelerometerData)?.acceleration.y }
  }

  func byHand(_ list: CMSensorDataList) -> Int {
    var iterator = NSFastEnumerationIterator(list as NSFastEnumeration)
    var count = 0
    while iterator.next() != nil { count += 1 }
    return count
  }

  var none: CMSensorDataList { CMSensorDataList() }
}

class FakeRecorded: CMRecordedAccelerometerData {
  override var identifier: UInt64 { 7 }
  override var startDate: Date { .distantPast }
}

class FakeRecorder: CMSensorRecorder {
  override class func isAccelerometerRecordingAvailable() -> Bool { true }
  override func recordAccelerometer(forDuration duration: TimeInterval) {}
  override func accelerometerData(from fromDate: Date, to toDate: Date) -> CMSensorDataList? { nil }
}
