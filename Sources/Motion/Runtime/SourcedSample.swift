// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// A sample with the index of the chip that took it.
public struct SourcedSample: Equatable, Sendable, BitwiseCopyable {
  public var sample: Sample
  /// The index of the chip in the board.
  public var source: Int32

  public init(_ sample: Sample, source: Int32) {
    self.sample = sample
    self.source = source
  }
}

/// A detection with the index of the chip that made it.
public struct SourcedDetection: Equatable, Sendable, BitwiseCopyable {
  public var detection: Detection
  /// The index of the chip in the board.
  public var source: Int32

  public init(_ detection: Detection, source: Int32) {
    self.detection = detection
    self.source = source
  }
}

/// The state of one chip of a board.
public enum ChipState: Equatable, Sendable {
  case starting
  case delivering
  case failed(ChipError)
}
