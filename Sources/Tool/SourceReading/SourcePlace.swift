// SPDX-License-Identifier: Apache-2.0
import Boards
import Otolith
package import Runtime

extension MotionSource {
  /// The name of the source in messages; for a board in this process, the path of its file.
  package var place: String { kind.board?.file ?? name }
}
