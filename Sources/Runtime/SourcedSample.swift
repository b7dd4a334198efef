// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// A sample and the chip of the board that it came from.
public struct SourcedSample: Equatable, Sendable, BitwiseCopyable {
  public var sample: Sample
  /// The chip's place in the board.
  public var source: Int32

  public init(_ sample: Sample, source: Int32) {
    self.sample = sample
    self.source = source
  }
}

/// Something that a chip of the board detected by itself.
public struct SourcedDetection: Equatable, Sendable, BitwiseCopyable {
  public var detection: Detection
  /// The chip's place in the board.
  public var source: Int32

  public init(_ detection: Detection, source: Int32) {
    self.detection = detection
    self.source = source
  }
}

/// The state of a chip of a board.
public enum ChipState: Equatable, Sendable {
  case starting
  case delivering
  case failed(ChipError)
}
