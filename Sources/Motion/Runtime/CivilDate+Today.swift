// SPDX-License-Identifier: Apache-2.0
internal import Foundation
public import Fusion
internal import Quantities

extension CivilDate {
  /// The current date in UTC on this machine's clock, which starts in 1970 if it has no battery.
  public static var today: CivilDate {
    CivilDate(secondsSince1970: Int64(saturating: Date().timeIntervalSince1970.rounded(.down)))
  }
}
