// SPDX-License-Identifier: Apache-2.0
internal import Foundation
public import Fusion
internal import Quantities

extension CivilDate {
  /// The present day, UTC, as this machine's clock has it: one without a battery begins in 1970.
  public static var today: CivilDate {
    CivilDate(secondsSince1970: Int64(saturating: Date().timeIntervalSince1970.rounded(.down)))
  }
}
