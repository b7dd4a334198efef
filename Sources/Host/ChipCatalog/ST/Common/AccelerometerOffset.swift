// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Registers

extension RegisterFile {
  /// Returns the offset in g that the LSM6DS3TR-C and its successors subtract from the
  /// accelerometer's outputs: X_OFS_USR to Z_OFS_USR from `first` on, in steps of 2^-10 g, or of
  /// 2^-6 g if USR_OFF_W is set. Both data sheets give the weights (DocID030071 revision 3 and
  /// DS12140 revision 2, CTRL6_C). ST's header for the LSM6DSOX (`lsm6dsox_reg.h`) and AN5444 say
  /// that the offset is subtracted.
  func accelerometerOffset(_ first: UInt8, isCoarse: Bool) -> Vector3 {
    let step = isCoarse ? 1.0 / 64 : 1.0 / 1024
    func axis(_ index: UInt8) -> Double { Double(Int8(bitPattern: self[first + index])) * step }
    return Vector3(axis(0), axis(1), axis(2))
  }
}
