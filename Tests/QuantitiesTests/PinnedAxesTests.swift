// SPDX-License-Identifier: Apache-2.0
import Quantities
import Testing

/// Counts of samples at the end of a sensor's range.
@Suite struct PinnedAxesTests {
  /// An MPU-6050 at 250 degrees/s has 131 counts per degree/s (RM-MPU-6000A-00 section 4.19).
  private static let size = Double.pi / 180 / 131

  private func ends(_ axes: PinnedAxes) -> [PinnedAxes.End] {
    (0..<PinnedAxes.places).compactMap { axes.end(at: $0) }
  }

  @Test func `with a known size of a count one sample at the last code counts`() {
    var sizes = CountSizes()
    sizes.rotationRate = Self.size
    var axes = PinnedAxes(sizes)
    for code in [0, 32766, -32767, 32767, 100, -32768, -32768] {
      axes.add(Vector3(0, 0, Double(code) * Self.size), of: .rotationRate)
    }
    #expect(
      ends(axes) == [
        PinnedAxes.End(channel: .rotationRate, axis: 2, value: 32767 * Self.size, count: 1),
        PinnedAxes.End(channel: .rotationRate, axis: 2, value: -32768 * Self.size, count: 2),
      ])
  }

  @Test func `an axis always at its end is recognised while another axis changes`() {
    var (axes, hung) = (PinnedAxes(), PinnedAxes())
    for index in 0..<2000 {
      axes.add(Vector3(0.001 * Double(index % 7), 0, 4.363), of: .rotationRate)
      hung.add(Vector3(0.001, 0, 4.363), of: .rotationRate)
    }
    #expect(ends(axes).map(\.count) == [2000])
    #expect(ends(axes).first?.axis == 2)
    #expect(ends(hung).isEmpty)
  }
}
