// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// A device in the hand of a passenger.
struct PassengerMotion: WorldMotion {
  let vehicle: VehicleMotion
  let hand: HandMotion

  private func course(at time: Double) -> Quaternion {
    Quaternion(angle: vehicle.course(at: time), axis: Vector3(0, 0, 1))
  }

  func attitude(at time: Double) -> Quaternion { course(at: time) * hand.attitude(at: time) }

  func acceleration(at time: Double) -> Vector3 {
    vehicle.acceleration(at: time)
      + secondDerivative(of: { course(at: $0).rotate(hand.place(at: $0)) }, at: time)
  }

  func place(at time: Double) -> Vector3 { vehicle.place(at: time) }
}
