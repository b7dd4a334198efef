// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Quantities

extension ChipNoise.ChannelResult {
  /// Returns a plot of the Allan deviation of all axes with its 68 percent confidence interval. A
  /// line shows the data sheet's white noise.
  package func allanPlot(title: String) -> Plot {
    // Use the unit of the bias instability for the deviation; for a gyroscope, degrees per hour.
    let quantity = units.instability
    var series = zip(axisNames, axes).enumerated().map { index, axis in
      PlotSeries(
        axis.0,
        axis.1.allan.points.map { PlotPoint($0.averagingTime, $0.deviation * quantity.factor) },
        band: axis.1.allan.points.map {
          $0.lower * quantity.factor...$0.upper * quantity.factor
        }, colour: index)
    }
    if let density = dataSheetDensity, let points = axes.first?.allan.points {
      let walk = density / 2.0.squareRoot()
      series.append(
        PlotSeries(
          "data sheet",
          points.map {
            PlotPoint($0.averagingTime, walk / $0.averagingTime.squareRoot() * quantity.factor)
          }, style: .dashes, colour: 7))
    }
    return Plot(
      title: title, xAxis: PlotAxis("averaging time", unit: "s", scale: .logarithmic),
      yAxis: PlotAxis("Allan deviation", unit: quantity.unit, scale: .logarithmic), series: series)
  }

  /// Returns a plot of the noise density of all axes over frequency; the strongest spectral lines
  /// have labels.
  package func spectrumPlot(title: String) -> Plot {
    let quantity = units.density
    var series = zip(axisNames, axes).enumerated().map { index, axis in
      PlotSeries(
        axis.0,
        axis.1.spectrum.smoothed.map {
          PlotPoint($0.frequency, $0.density.squareRoot() * quantity.factor)
        }, colour: index)
    }
    if let density = dataSheetDensity, let spectrum = axes.first?.spectrum,
      spectrum.density.count > 1
    {
      series.append(
        PlotSeries(
          "data sheet",
          [1, spectrum.density.count - 1].map {
            PlotPoint(spectrum.frequency($0), density * quantity.factor)
          }, style: .dashes, colour: 7))
    }
    let labels = peaks.prefix(3).compactMap { peak -> PlotLabel? in
      guard let axis = zip(axisNames, axes).first(where: { $0.0 == peak.axis })?.1 else {
        return nil
      }
      let index = Int(saturating: peak.peak.frequency / axis.spectrum.resolution)
      guard axis.spectrum.density.indices.contains(index) else { return nil }
      return PlotLabel(
        PlotPoint(
          peak.peak.frequency, axis.spectrum.density[index].squareRoot() * quantity.factor),
        "\(NoiseText.number(peak.peak.frequency)) Hz")
    }
    return Plot(
      title: title, xAxis: PlotAxis("frequency", unit: "Hz", scale: .logarithmic),
      yAxis: PlotAxis("noise density", unit: quantity.unit, scale: .logarithmic), series: series,
      labels: labels)
  }
}

extension PowerSpectrum {
  /// The density over frequency for a plot, averaged over thirds of an octave except at spectral
  /// lines. The lowest frequencies are omitted, because subtracting the mean reduced their power.
  fileprivate var smoothed: [(frequency: Double, density: Double)] {
    let lines = Set(peaks().map { Int(saturating: $0.frequency / resolution) })
    var points: [(frequency: Double, density: Double)] = []
    var index = 2
    while index < density.count {
      let last = max(index, Int(saturating: (Double(index) * exp2(1 / 3)).rounded(.towardZero)))
      let band = index..<min(last + 1, density.count)
      if band.contains(where: lines.contains) {
        points += band.map { (frequency($0), density[$0]) }
      } else {
        let mean = density[band].reduce(0, +) / Double(band.count)
        points.append(((frequency(band.lowerBound) + frequency(band.upperBound - 1)) / 2, mean))
      }
      index = band.upperBound
    }
    return points
  }
}

extension Plot {
  /// The plot as SVG for a report. A width of 380 pixels keeps labels readable on a phone, where
  /// the page is scaled down.
  var svgOfReport: String { svg(width: 380, height: 290) }
}

extension ChipNoise {
  /// The plots of Allan deviation and spectrum, one row per channel.
  package var plots: [[Plot]] {
    channels.map { channel in
      [
        channel.allanPlot(title: "\(name), \(channel.units.sensor): Allan deviation"),
        channel.spectrumPlot(title: "\(name), \(channel.units.sensor): spectrum"),
      ]
    }
  }
}
