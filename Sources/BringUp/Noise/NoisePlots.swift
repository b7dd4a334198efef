// SPDX-License-Identifier: Apache-2.0
public import Plots
internal import Quantities
internal import SignalAnalysis

extension ChipNoise.ChannelResult {
  /// The Allan deviation of all axes with its 68 % confidence, and what white noise as in the data
  /// sheet would have.
  public func allanPlot(title: String) -> Plot {
    // The unit of a deviation, which for a gyroscope is that of its bias instability: degrees an
    // hour.
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

  /// The noise density over frequency of all axes, with the frequencies of the strongest lines.
  public func spectrumPlot(title: String) -> Plot {
    let quantity = units.density
    var series = zip(axisNames, axes).enumerated().map { index, axis in
      PlotSeries(
        axis.0,
        axis.1.spectrum.density.indices.dropFirst().map {
          PlotPoint(
            axis.1.spectrum.frequency($0),
            axis.1.spectrum.density[$0].squareRoot() * quantity.factor)
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
      let index = Int((peak.peak.frequency / axis.spectrum.resolution).rounded())
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

  /// Returns the histogram of all axes, each less its mean.
  public func histogramPlot(title: String) -> Plot {
    let quantity = units.deviation
    let series = zip(axisNames, axes).enumerated().map { index, axis in
      let histogram = axis.1.histogram
      return PlotSeries(
        axis.0,
        histogram.counts.enumerated().map { place, count in
          let value = histogram.start + (Double(place) + 0.5) * histogram.width - axis.1.mean
          return PlotPoint(value * quantity.factor, Double(count))
        }, style: .bars, colour: index)
    }
    return Plot(
      title: title, xAxis: PlotAxis("difference from the mean", unit: quantity.unit),
      yAxis: PlotAxis("samples"), series: series)
  }
}

extension ChipNoise {
  /// Allan deviation and spectrum of each channel, one channel a row.
  public var plots: [[Plot]] {
    channels.map { channel in
      [
        channel.allanPlot(title: "\(name), \(channel.units.sensor): Allan deviation"),
        channel.spectrumPlot(title: "\(name), \(channel.units.sensor): spectrum"),
      ]
    }
  }
}
