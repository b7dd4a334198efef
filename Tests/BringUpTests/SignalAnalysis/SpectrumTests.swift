// SPDX-License-Identifier: Apache-2.0
import Quantities
import BringUp
import Testing

#if canImport(Glibc)
  import Glibc
#endif

private func sine(_ count: Int, hertz: Double, rate: Double, amplitude: Double) -> [Double] {
  (0..<count).map { amplitude * sin(2 * .pi * hertz * Double($0) / rate) }
}

@Suite struct SpectrumTests {
  /// The variance 9 is spread over 100 Hz, which gives a density of 0.3.
  @Test func `white noise has the density of its variance over half the sample rate`() throws {
    let values = whiteNoise(16_384, seed: 11).map { 3 * $0 }
    let spectrum = PowerSpectrum(of: values, interval: 1 / 200.0, segment: 512)
    #expect(spectrum.segments == 63)
    #expect(abs(spectrum.resolution - 200 / 512.0) < 1e-12)
    let density = try #require(spectrum.noiseDensity(from: 1, to: 90))
    #expect(abs(density - 0.3) < 0.006)
    // By Parseval's theorem the integral of the spectrum is the variance.
    let power = spectrum.density.reduce(0, +) * spectrum.resolution
    #expect(abs(power - 9) < 0.2)
    #expect(spectrum.peaks().isEmpty)
  }

  /// The root mean square of a sine is its amplitude over sqrt(2), whether or not its frequency is
  /// one of the transform's.
  @Test(arguments: [50.0, 33.4, 7.77])
  func `a sine in noise is found with its frequency and strength`(hertz: Double) throws {
    let noise = whiteNoise(8192, seed: 5)
    let values = zip(noise, sine(8192, hertz: hertz, rate: 128, amplitude: 0.5)).map { $0 + $1 }
    let spectrum = PowerSpectrum(of: values, interval: 1 / 128.0)
    let peak = try #require(spectrum.peaks().first)
    #expect(abs(peak.frequency - hertz) < 0.03, "\(peak)")
    #expect(abs(peak.deviation / (0.5 / 2.0.squareRoot()) - 1) < 0.05, "\(peak)")
    #expect(spectrum.peaks().count == 1)
  }

  /// Computed by hand: a Hann window of 32 values has the sum 16, and its squares have the sum 12.
  /// For a constant of alternating sign the density at half the rate is 16^2 / (12 rate), on one
  /// side only.
  @Test func `of the fastest oscillation all is at half the sample rate`() {
    let values = (0..<32).map { $0 % 2 == 0 ? 1.0 : -1 }
    let spectrum = PowerSpectrum(of: values, interval: 1, segment: 32)
    #expect(abs(spectrum.density[16] - 256 / 12.0) < 1e-9)
    #expect(abs(spectrum.density[8]) < 1e-20)
    #expect(spectrum.frequency(16) == 0.5)
  }

  @Test func `forty spectra of noise have no line`() {
    let lines = (0..<40 as Range<UInt64>).reduce(0) { count, seed in
      count + PowerSpectrum(of: whiteNoise(1024, seed: 100 + seed), interval: 0.01).peaks().count
    }
    #expect(lines == 0)
  }

  @Test func `lines have causes`() {
    func cause(_ frequency: Double, rate: Double) -> PeakCause {
      PeakCause(frequency: frequency, resolution: 0.1, rate: rate)
    }
    #expect(cause(50.1, rate: 400) == .mains(50))
    #expect(cause(119.9, rate: 400) == .mains(120))
    // Aliases: 50 Hz at 80 samples per second appears as 30 Hz, 60 Hz at 104 as 44 Hz.
    #expect(cause(30, rate: 80) == .foldedMains(50))
    #expect(cause(44, rate: 104) == .foldedMains(60))
    #expect(cause(2, rate: 400) == .sway)
    #expect(cause(25, rate: 400) == .vibration(perMinute: 1500))
  }
}

@Suite struct SeriesTests {
  @Test func `the longest stretch without a gap is found`() throws {
    // Four samples, three missing, then six; the last interval is slightly long.
    let times = [0, 0.1, 0.2, 0.3, 0.7, 0.8, 0.9, 1.0, 1.1, 1.24]
    let stretch = try #require(UnbrokenStretch(times: times))
    #expect(stretch.range == 4..<10 && stretch.gaps == 1)
    #expect(abs(stretch.interval - 0.54 / 5) < 1e-12)
    // A time that goes back is also a gap.
    let back = try #require(UnbrokenStretch(times: [0, 1, 2, 3, 1.5, 2.5, 3.5]))
    #expect(back.range == 0..<4 && back.gaps == 1)
    #expect(UnbrokenStretch(times: [1]) == nil)
  }

  @Test func `a trend is the slope of the line, and noise makes none`() {
    let line = Trend(of: (0..<50).map { 3 - 0.5 * Double($0) }, interval: 0.1)
    #expect(abs(line.slope + 5) < 1e-12)
    // The standard deviation of the slope per sample is sigma sqrt(12 / (n (n^2 - 1))).
    let values = whiteNoise(1000, seed: 2)
    let mean = values.reduce(0, +) / 1000
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let noise = Trend(of: values, interval: 1)
    #expect(abs(noise.error / (squares / 999 * 12 / (1000 * 999_999)).squareRoot() - 1) < 1e-9)
    #expect(abs(noise.slope) < 4 * noise.error)
  }

  @Test func `noise below half a step of the converter is reported`() {
    let noise = whiteNoise(2000, seed: 9)
    let coarse = noise.map { (0.2 * $0).rounded() }
    #expect(NoiseAnalysis(of: coarse, interval: 1).isBelowStep)
    let fine = NoiseAnalysis(of: noise.map { (20 * $0).rounded() / 8 }, interval: 1)
    #expect(!fine.isBelowStep && fine.step == 0.125)
  }
}

@Suite struct NoiseUnitsTests {
  /// 0.005 deg/s/sqrt(Hz) one-sided is N = 0.005 / sqrt(2) deg/sqrt(s), 0.2121 deg/sqrt(h) (IEEE Std 952-1997, C.1.1:
  /// deg/sqrt(h) is deg/sqrt(s) times 60).
  @Test func `figures are given in the units of data sheets`() {
    let gyroscope = NoiseUnits.of(.rotationRate)
    let walk = 0.005 / 2.0.squareRoot() * .pi / 180
    #expect(abs(walk * (gyroscope.randomWalk?.factor ?? 0) - 0.212132) < 1e-6)
    // 1 rad/s is 206265 deg/h; K of 1 deg/h/sqrt(h) is 1 / 3600 / 60 deg/s/sqrt(s).
    #expect(abs(gyroscope.instability.factor - 206_264.806) < 0.001)
    #expect(abs(gyroscope.rateRandomWalk.factor * .pi / 180 - 216_000) < 1e-6)
    // 100 ug/sqrt(Hz) two-sided is 0.0588 m/s/sqrt(h).
    let accelerometer = NoiseUnits.of(.acceleration)
    #expect(abs(100e-6 * (accelerometer.randomWalk?.factor ?? 0) - 0.05884) < 1e-5)
    #expect(NoiseUnits.of(.pressure).density.factor == 1000)
    #expect(NoiseUnits.of(.magneticField).randomWalk == nil)
  }
}
