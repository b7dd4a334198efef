// SPDX-License-Identifier: Apache-2.0
internal import Boards
public import Fusion
public import Quantities
public import Recognition
public import Registers
public import Runtime
public import Sampling

extension BoardSession: MotionSource {
  public var name: String { board.name }

  public var kind: MotionSourceKind { .board(board) }

  public var location: Location? { board.location }

  public var isMadeUp: Bool { board.isMadeUp }

  public var pedometer: PedometerSettings { board.pedometer }

  public var stepCounter: Int? {
    board.chips.firstIndex { $0.name == board.pedometer.chip }
  }

  public func name(ofChip index: Int) -> String {
    board.chips.indices.contains(index)
      ? board.chips[index].name : index == board.chips.count ? "senses" : board.name
  }

  public func channels(ofChip index: Int) -> ChannelSet {
    if board.chips.indices.contains(index) { return Self.channels(of: board.chips[index]) }
    return index == board.chips.count ? ChannelSet((board.simulation?.senses ?? [:]).keys) : []
  }

  public func sentence(for error: ChipError, ofChip index: Int) -> String {
    guard board.chips.indices.contains(index) else { return "\(error)" }
    let chip = board.chips[index]
    return chip.sentence(for: error, on: board.bus(chip.bus))
  }
}

extension BoardSession {
  /// The undisturbed magnetic field according to the World Magnetic Model; `nil` if the board file
  /// has no position.
  public var expectedField: GeomagneticField? { trueNorth?.expectedField }
}

extension MotionPipeline: SampleConsumer {}
