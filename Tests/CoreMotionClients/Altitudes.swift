// SPDX-License-Identifier: Apache-2.0
import CoreMotion

final class Climb {
  private let altimeter = CMAltimeter()
  private(set) var metres = 0.0
  private(set) var hectopascals = 0.0

  func start() {
    guard CMAltimeter.isRelativeAltitudeAvailable() else { return }
    switch CMAltimeter.authorizationStatus() {
    case .notDetermined, .authorized: break
    case .restricted, .denied: return
    @unknown default: return
    }
    altimeter.startRelativeAltitudeUpdates(to: OperationQueue.main) { [weak self] (data, error) in
      guard let data = data, error == nil else { return }
      self?.metres = data.relativeAltitude.doubleValue
      self?.hectopascals = Double(truncating: data.pressure) * 10
    }
    if CMAltimeter.isAbsoluteAltitudeAvailable() {
      let handler: CMAbsoluteAltitudeHandler = { data, _ in
        guard let data else { return }
        print(data.altitude, data.accuracy, data.precision, data.timestamp)
      }
      altimeter.startAbsoluteAltitudeUpdates(to: .main, withHandler: handler)
    }
  }

  func stop() {
    altimeter.stopRelativeAltitudeUpdates()
    altimeter.stopAbsoluteAltitudeUpdates()
  }
}

class FakeAltitude: CMAltitudeData {
  override var relativeAltitude: NSNumber { 3.0 }
  override var pressure: NSNumber { NSNumber(value: 101.3) }
}

class FakeAbsoluteAltitude: CMAbsoluteAltitudeData {
  override var altitude: Double { 432 }
  override var accuracy: Double { 5 }
  override var precision: Double { 0.5 }
}

class FakeAltimeter: CMAltimeter {
  override class func isRelativeAltitudeAvailable() -> Bool { true }
  override class func authorizationStatus() -> CMAuthorizationStatus { .authorized }
  override func startRelativeAltitudeUpdates(
    to queue: OperationQueue, withHandler handler: @escaping CMAltitudeHandler
  ) {
    handler(FakeAltitude(), nil)
  }
  override func stopRelativeAltitudeUpdates() {}
}

func doubles() -> [NSObject] { [FakeAltitude(), FakeAbsoluteAltitude(), FakeAltimeter()] }
