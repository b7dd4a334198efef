// SPDX-License-Identifier: Apache-2.0
internal import Foundation
public import Fusion
internal import Quantities

extension CivilDate {
  /// The current date in UTC according to the machine's clock. A clock without a battery starts in
  /// 1970.
  public static var today: CivilDate {
    CivilDate(secondsSince1970: Int64(saturating: Date().timeIntervalSince1970.rounded(.down)))
  }
}
