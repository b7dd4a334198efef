// SPDX-License-Identifier: Apache-2.0
internal import Simulation
internal import Quantities

/// A noise figure: its key, and what its number means.
struct NoiseFigure: Sendable {
  let key: String
  let channel: Channel
  let figure: @Sendable (inout KnownNoise.Process, Double) -> Void
  /// The factor that converts a noise figure to the channel's unit and seconds.
  let factor: Double
  let limits: ClosedRange<Double>
  let noun: String
  let summary: String
  let example: String
}

extension BoardFormat {
  static let noise = BoardSection(
    name: "noise", title: "a noise",
    summary:
      "Noise of which the Allan deviation is known (docs/noise.md has the formula), the same on "
      + "every axis and chip; its white part follows the sample rate. Omitted terms are zero; "
      + "there is no bias.",
    keys: noiseFigures.map { figure in
      BoardKey(
        figure.key, .number(figure.limits), noun: figure.noun, figure.summary, fallback: "0",
        example: figure.example)
    })

  static let noiseFigures: [NoiseFigure] =
    figures(
      of: .rotationRate, "rotation-rate", "gyroscope", factor: .pi / 180,
      density: ("density-dps-rthz", "deg/s/sqrt(Hz)", 1, "0.005"),
      instability: ("instability-dph", "deg/h", 1 / 3600, "10"),
      randomWalk: ("random-walk-dph-rth", "deg/h/sqrt(h)", 1 / 3600 / 60, "5"))
    + figures(
      of: .acceleration, "acceleration", "accelerometer", factor: 1e-6,
      density: ("density-ug-rthz", "ug/sqrt(Hz)", 1, "400"),
      instability: ("instability-ug", "ug", 1, "50"),
      randomWalk: ("random-walk-ug-rth", "ug/sqrt(h)", 1 / 60, "30"))
    + figures(
      of: .magneticField, "magnetic-field", "magnetometer", factor: 1,
      density: ("density-ut-rthz", "uT/sqrt(Hz)", 1, "0.1"),
      instability: ("instability-ut", "uT", 1, "0.02"),
      randomWalk: ("random-walk-ut-rth", "uT/sqrt(h)", 1 / 60, "0.05"))
    // Temperature has no noise figure, because its simulated value follows the room temperature.
    + Channel.allCases.filter { !$0.isVector && $0 != .temperature }.flatMap(plainFigures)

  private static func plainFigures(of channel: Channel) -> [NoiseFigure] {
    let row = channel.row
    let unit = "\(row.noise.unit)"
    let key = "\(row.noise.key)".lowercased()
    return figures(
      of: channel, "\(row.key)", "\(row.sensor)", factor: 1 / row.noise.factor,
      density: ("density-\(key)-rthz", "\(unit)/sqrt(Hz)", 1, "0.3"),
      instability: ("instability-\(key)", unit, 1, "0.1"),
      randomWalk: ("random-walk-\(key)-rth", "\(unit)/sqrt(h)", 1 / 60, "30"))
  }

  /// A noise figure: the suffix of its key, its unit, the factor for its number, and an example.
  private typealias Row = (key: String, unit: String, factor: Double, example: String)

  private static func figures(
    of channel: Channel, _ name: String, _ sensor: String, factor: Double, density: Row,
    instability: Row, randomWalk: Row
  ) -> [NoiseFigure] {
    func figure(
      _ row: Row, _ summary: String,
      _ set: @escaping @Sendable (inout KnownNoise.Process, Double) -> Void
    ) -> NoiseFigure {
      NoiseFigure(
        key: "\(name)-\(row.key)", channel: channel, figure: set, factor: factor * row.factor,
        limits: 0...1_000_000, noun: "a number of \(row.unit)", summary: summary,
        example: row.example)
    }
    return [
      figure(density, "White noise of the \(sensor): its one-sided density, as in data sheets.") {
        $0.density = $1
      },
      figure(instability, "Flicker noise of the \(sensor): its bias instability.") {
        $0.instability = $1
      },
      figure(randomWalk, "The random walk of what the \(sensor) measures.") {
        $0.randomWalk = $1
      },
    ]
  }
}

extension BoardReader {
  /// Reads the noise of a simulated board: `true`, `false`, or a section with noise figures.
  mutating func noise(_ simulation: Fields) -> SimulatedNoise? {
    guard let field = simulation["noise"] else { return nil }
    guard case .mapping = field.value.content else {
      return flag(simulation, "noise").map { $0 ? .typical : .off }
    }
    guard
      let fields = fields(field.value, BoardFormat.noise, owner: "'noise'", at: field.keyPosition)
    else { return nil }
    var noise = KnownNoise([:])
    for figure in BoardFormat.noiseFigures {
      guard let value = number(fields, figure.key) else { continue }
      figure.figure(&noise.processes[figure.channel, default: .init()], value * figure.factor)
    }
    return .known(noise)
  }
}
