// SPDX-License-Identifier: Apache-2.0
#if Host || History || Tool
  public import Boards
#endif
public import Quantities

/// The kind of a motion source.
public enum MotionSourceKind: Sendable {
  #if Host || History || Tool
    /// A board that this process runs.
    case board(Board)
  #endif
  /// A recording that is being played, with the current position and the total length.
  case recording(position: TimeSpan, length: TimeSpan)
  /// The board of the otolith service.
  case service
  /// A script, or a source that the program itself defines.
  case other

  #if Host || History || Tool
    /// The board that this process runs; `nil` for the other kinds.
    public var board: Board? {
      if case .board(let board) = self { board } else { nil }
    }
  #endif

  public var isRecording: Bool {
    if case .recording = self { true } else { false }
  }

  public var isService: Bool {
    if case .service = self { true } else { false }
  }
}
