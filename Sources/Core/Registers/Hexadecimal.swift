// SPDX-License-Identifier: Apache-2.0

/// Returns `byte` as two hexadecimal digits, in the notation of data sheets: `6B`.
package func hexadecimal(_ byte: UInt8) -> String {
  let digits = String(byte, radix: 16, uppercase: true)
  return digits.count < 2 ? "0" + digits : digits
}
