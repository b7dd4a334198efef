// SPDX-License-Identifier: Apache-2.0
#if Host || History || Tool
  public import Boards
  internal import MotionSources

  extension MotionHub {
    /// Uses `board` from now on, instead of the board that the environment names. If the source has
    /// already been requested, throws `SourceInUse` and changes nothing.
    public func use(_ board: Board) throws(SourceInUse) { try use(BoardSession(board)) }
  }
#endif
