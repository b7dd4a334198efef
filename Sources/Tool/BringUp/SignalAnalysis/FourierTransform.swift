// SPDX-License-Identifier: Apache-2.0
internal import CMath

/// The discrete Fourier transform of complex numbers, computed in place (Cooley and Tukey, 1965).
/// Their number must be a power of two.
struct FourierTransform {
  let count: Int
  /// The cosines and sines of the angles from 0 to pi.
  private let cosines: [Double]
  private let sines: [Double]

  /// Creates a transform of `count` numbers, which must be a power of two.
  init(count: Int) {
    self.count = count
    let angles = (0..<count / 2).map { 2 * Double.pi * Double($0) / Double(count) }
    cosines = angles.map { cos($0) }
    sines = angles.map { sin($0) }
  }

  func transform(_ real: inout [Double], _ imaginary: inout [Double]) {
    var reversed = 0
    for index in 1..<max(count, 1) {
      var bit = count >> 1
      while reversed & bit != 0 {
        reversed ^= bit
        bit >>= 1
      }
      reversed |= bit
      if index < reversed {
        real.swapAt(index, reversed)
        imaginary.swapAt(index, reversed)
      }
    }
    var length = 2
    while length <= count {
      let half = length / 2
      let stride = count / length
      for start in Swift.stride(from: 0, to: count, by: length) {
        for offset in 0..<half {
          let c = cosines[offset * stride]
          let s = -sines[offset * stride]
          let low = start + offset
          let high = low + half
          let x = real[high] * c - imaginary[high] * s
          let y = real[high] * s + imaginary[high] * c
          real[high] = real[low] - x
          imaginary[high] = imaginary[low] - y
          real[low] += x
          imaginary[low] += y
        }
      }
      length *= 2
    }
  }
}
