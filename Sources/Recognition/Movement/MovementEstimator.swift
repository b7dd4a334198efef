// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// Turns samples, as they come from a board or a recording, into steps, floors and activities: the same code on every clock.
public struct MovementEstimator: Equatable, Sendable {
  public struct Params: Equatable, Sendable {
    /// Of who carries the device, metres. Default 1.7.
    public var height = 1.7

    public init() {}
  }

  public let params: Params
  /// What the source samples.
  public let channels: ChannelSet
  public private(set) var movement = Movement()
  private var stepRecognizer = StepRecognizer()
  private var hasBegun = false

  /// An estimator for a source of these channels.
  public init(channels: ChannelSet, params: Params = Params()) {
    self.channels = channels
    self.params = params
  }

  /// Whether the source has what steps are counted by.
  public var countsSteps: Bool { channels.contains(.acceleration) }

  /// Whether the source has what floors are counted by.
  public var countsFloors: Bool { channels.contains(.pressure) }

  /// Takes the next sample of any source, in the order of their times.
  public mutating func update(_ sample: Sample) {
    if !hasBegun {
      hasBegun = true
      movement = Movement(timestamp: sample.timestamp)
    }
    movement.timestamp = max(movement.timestamp, sample.timestamp)
    if sample.channels.contains(.acceleration) {
      stepRecognizer.update(sample.acceleration, at: sample.timestamp)
      while stepRecognizer.next() != nil { movement.steps += 1 }
    }
  }
}
