// SPDX-License-Identifier: Apache-2.0
import CoreMotion

final class StepTracker {
  private let pedometer = CMPedometer()
  private var events: [CMPedometerEventType] = []
  var onUpdate: ((Int, Double) -> Void)?

  static var canCount: Bool {
    CMPedometer.isStepCountingAvailable() && CMPedometer.isDistanceAvailable()
      && CMPedometer.isFloorCountingAvailable() && CMPedometer.isPaceAvailable()
      && CMPedometer.isCadenceAvailable() && CMPedometer.isPedometerEventTrackingAvailable()
  }

  func start() {
    switch CMPedometer.authorizationStatus() {
    case .denied, .restricted: return
    case .notDetermined, .authorized: break
    @unknown default: break
    }
    pedometer.startUpdates(from: Calendar.current.startOfDay(for: Date())) {
      [weak self] data, error in
      guard let data = data, error == nil else { return }
      let steps = data.numberOfSteps.intValue
      let metres = data.distance?.doubleValue ?? 0
      self?.onUpdate?(steps, metres)
    }
    pedometer.startEventUpdates { event, error in
      if let event = event, event.type == .pause { print("paused at \(event.date)") }
    }
  }

  func stop() {
    pedometer.stopUpdates()
    pedometer.stopEventUpdates()
  }

  func yesterday(completion: @escaping (Result<Summary, any Error>) -> Void) {
    let calendar = Calendar.current
    let end = calendar.startOfDay(for: Date())
    guard let start = calendar.date(byAdding: .day, value: -1, to: end) else { return }
    pedometer.queryPedometerData(from: start, to: end) { (data: CMPedometerData?, error: Error?) in
      if let error = error {
        completion(.failure(error))
      } else if let data = data {
        completion(.success(Summary(data)))
      }
    }
  }
}

struct Summary {
  let steps: Int
  let distance: Double?
  let floors: Int
  let pace: String
  let cadence: NSNumber?
  let interval: DateInterval

  init(_ data: CMPedometerData) {
    steps = Int(truncating: data.numberOfSteps)
    distance = data.distance.map { Double(truncating: $0) }
    floors = (data.floorsAscended?.intValue ?? 0) - (data.floorsDescended?.intValue ?? 0)
    if let pace = data.currentPace ?? data.averageActivePace {
      self.pace = String(format: "%.2f s/m", pace.doubleValue)
    } else {
      pace = "-"
    }
    cadence = data.currentCadence
    interval = DateInterval(start: data.startDate, end: data.endDate)
  }
}

/// A program with the class from before iOS 8.
final class OldCounter {
  let counter = CMStepCounter()

  func run() {
    guard CMStepCounter.isStepCountingAvailable() else { return }
    let handler: CMStepUpdateHandler = { steps, date, error in print(steps, date, error as Any) }
    counter.startStepCountingUpdates(to: .main, updateOn: 5, withHandler: handler)
    counter.queryStepCountStarting(
      from: Date(timeIntervalSinceNow: -3600), to: Date(), to: OperationQueue.main
    ) { (numberOfSteps, error) in
      if error == nil { print("\(numberOfSteps) steps") }
    }
    counter.stopStepCountingUpdates()
  }
}

func empty() -> (CMPedometerData, CMPedometerEvent, CMStepQueryHandler) {
  (CMPedometerData(), CMPedometerEvent(), { _, _ in })
}

func stored(_ data: CMPedometerData) throws -> Data {
  precondition(CMPedometerData.supportsSecureCoding && CMPedometerEvent.supportsSecureCoding)
  return try NSKeyedArchiver.archivedData(withRootObject: data, requiringSecureCoding: true)
}
