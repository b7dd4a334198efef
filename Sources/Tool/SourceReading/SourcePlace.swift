// SPDX-License-Identifier: Apache-2.0
import Boards
import Otolith
package import Runtime

extension MotionSource {
  /// The name of the source in messages: the file for a board in this process.
  package var place: String { kind.board?.file ?? name }
}
