// SPDX-License-Identifier: Apache-2.0
internal import Foundation
public import Fusion
internal import Quantities

extension CivilDate {
  /// The current date in UTC, by this machine's clock: without a battery the clock starts in 1970.
  public static var today: CivilDate {
    CivilDate(secondsSince1970: Int64(saturating: Date().timeIntervalSince1970.rounded(.down)))
  }
}
