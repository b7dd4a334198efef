// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Quantities
import Registers
import Sensors
import Boards
import Testing

/// The values that every driver in the catalogue delivers in a known world.
@Suite(TallyTrait()) struct ValueTests {
  /// Returns half a count: from the catalogue, or of a 16-bit converter whose sensitivity is up to
  /// a fifth coarser than full scale over 32768.
  static func halfCount(_ channel: Channel, _ way: Way, _ range: Double) -> Double {
    guard let row = way.row.description.channels.first(where: { $0.channel == channel }) else {
      return 0
    }
    return row.resolution(at: range) * (row.resolution == nil ? 0.61 : 0.51)
  }

  /// Tests every pair of ranges at some rate and every rate at some range, so that the number of
  /// runs stays small.
  @Test(arguments: Way.all)
  func `values are right at every rate and every range`(_ way: Way) throws {
    var runs = 0
    for settings in Self.sweep(way) {
      let rig = Rig(way.row, speed: 1_000_000)
      let chosen: SensorSettings
      do { chosen = try rig.driver.configure(settings) } catch {
        // A low-power mode may not have this rate.
        #expect(way.power == .low && error == .unsupportedSetting)
        continue
      }
      let place: Comment = "\(settings.rate) Hz, \(settings.accelerationRange) g"
      _ = try rig.start(settings)
      #expect(chosen.rate >= settings.rate * 0.999 || way.power == .low, place)
      let period = TimeSpan(seconds: 1 / chosen.rate)
      rig.run(
        for: .seconds(1) + max(period * 24, chosen.batchInterval * 3),
        until: { rig.collector.count >= 16 })
      #expect(rig.collector.count >= 16, place)
      #expect(rig.collector.errors.isEmpty, place)
      #expect(rig.driver.health.missing == 0, place)
      guard let sample = rig.collector.samples.last else { continue }
      Self.expect(sample, rig.input.held, chosen, way, place)
      let (first, last) = (rig.collector.samples[0], sample)
      let span = (last.timestamp - first.timestamp).seconds
      let measured = Double(rig.collector.samples.count - 1) / span
      #expect(abs(measured / chosen.rate - 1) < 0.2, place)
      runs += 1
    }
    #expect(runs > 0)
    Tally.add(way, runs)
  }

  private static func sweep(_ way: Way) -> [SensorSettings] {
    let description = way.row.description
    func ranges(_ channel: Channel) -> [Double] {
      description.channels.first { $0.channel == channel }?.ranges ?? []
    }
    var all: [SensorSettings] = []
    let (forces, turns, fields) = (
      ranges(.acceleration), ranges(.rotationRate), ranges(.magneticField)
    )
    for force in forces.isEmpty ? [4] : forces {
      for turn in turns.isEmpty ? [10] : turns {
        for field in fields.isEmpty ? [400] : fields {
          var settings = way.settings()
          settings.accelerationRange = force
          settings.rotationRateRange = turn
          settings.magneticFieldRange = field
          all.append(settings)
        }
      }
    }
    let rates = description.rates
    // For scalar channels a range may need a slow rate, because it depends on the available time.
    for channel in Channel.singles {
      for range in ranges(channel) {
        var settings = way.settings(rate: rates.last { $0 > 1 })
        settings[range: channel] = range
        all.append(settings)
      }
    }
    // The MPU's divider has 256 rates, of which two dozen are tested.
    let stride = max(1, rates.count / 24)
    for index in rates.indices where index % stride == 0 || index == rates.count - 1 {
      // Rates of 1 Hz and below show nothing that 10 Hz does not.
      guard rates[index] > 1 else { continue }
      var settings = way.settings()
      settings.rate = rates[index]
      all.append(settings)
    }
    return all
  }

  static func expect(
    _ sample: Sample, _ held: ChipReading, _ settings: SensorSettings, _ way: Way,
    _ place: Comment? = nil
  ) {
    let channels = sample.channels
    if channels.contains(.acceleration) {
      let error = largest(-sample.acceleration - held.specificForce)
      #expect(error <= halfCount(.acceleration, way, settings.accelerationRange), place)
    }
    if channels.contains(.rotationRate) {
      let error = largest(sample.rotationRate - held.rotationRate)
      #expect(error <= halfCount(.rotationRate, way, settings.rotationRateRange), place)
    }
    if channels.contains(.magneticField) {
      let error = largest(sample.magneticField - held.magneticField)
      #expect(error <= halfCount(.magneticField, way, settings.magneticFieldRange), place)
    }
    if channels.contains(.pressure) { #expect(abs(sample.pressure - held.pressure) < 0.002, place) }
    if channels.contains(.temperature) {
      let error = abs(sample.temperature - held.temperature)
      // The compensation of a barometer rounds to a hundredth.
      #expect(error <= max(halfCount(.temperature, way, 0), 0.01), place)
    }
    if channels.contains(.humidity) { #expect(abs(sample.humidity - held.humidity) < 0.05, place) }
    for channel in Channel.singles where channels.contains(channel) {
      let error = abs(sample.scalars[channel] - held.scalars[channel])
      #expect(error <= halfCount(channel, way, settings[range: channel] ?? 0), place)
    }
    #expect(!channels.isEmpty, place)
  }

  static func largest(_ vector: Vector3) -> Double {
    max(abs(vector.x), abs(vector.y), abs(vector.z))
  }

  /// Sweeps values from below the range to above it: inside they are correct to one count, outside
  /// they stay at the end.
  @Test(arguments: Way.normal)
  func `values are right within the range and held at its end outside`(_ way: Way) throws {
    let rig = Rig(way.row)
    let chosen = try rig.start(way.settings())
    rig.run(for: .seconds(2), until: { rig.collector.count > 0 })
    // Not 0: codes that are 0 on all axes are no measurement (InvalidReadingTests).
    let steps = [-1.5, -1.2, -0.99, -0.5, -0.1, -0.001, 0.001, 0.1, 0.5, 0.99, 1.2, 1.5]
    for step in steps {
      let held = Self.world(step, chosen, way)
      rig.input.held = held
      let before = rig.collector.count
      // Skip samples from before the change; some chips' temperature is read ten times per second.
      let span = TimeSpan(seconds: 6 / chosen.rate) + chosen.batchInterval * 3 + .milliseconds(220)
      rig.run(for: span)
      #expect(rig.collector.count > before)
      let sample = try #require(rig.collector.samples.last)
      let place: Comment = "\(step) of full scale"
      if abs(step) < 1 {
        Self.expect(sample, held, chosen, way, place)
      } else {
        Self.expectHeldAtEnd(
          sample, held, step, chosen, way.row.description.countSizes(with: chosen), place)
      }
    }
  }

  private static func world(_ step: Double, _ settings: SensorSettings, _ way: Way) -> ChipReading {
    var held = ChipReading()
    let mixed = Vector3(step, -step, step / 2)
    held.specificForce = mixed * settings.accelerationRange
    held.rotationRate = mixed * settings.rotationRateRange
    // An AK8963 measures as long as the sum of the axes' magnitudes stays below its range
    // (MS1356-E-02 section 6.4.3.6).
    let isSumLimited = way.row.description.family == "AK8963"
    held.magneticField = mixed * settings.magneticFieldRange * (isSumLimited ? 0.4 : 1)
    let inside = max(-1, min(1, step))
    held.temperature = 22.5 + 40 * inside
    held.pressure = 70 + 35 * inside
    held.humidity = 50 + 45 * inside
    for channel in Channel.singles { held.scalars[channel] = channel.top * (0.5 + 0.45 * inside) }
    return held
  }

  /// A value one count beyond 16 bits is not read as the opposite end. A value that
  /// differs from the true one by more than a count is the last code times the catalogue's size of
  /// a count; a driver may turn the sign of an axis.
  private static func expectHeldAtEnd(
    _ sample: Sample, _ held: ChipReading, _ step: Double, _ settings: SensorSettings,
    _ sizes: CountSizes,
    _ place: Comment
  ) {
    func check(_ x: Double, _ y: Double, _ range: Double, _ size: Double, _ held: Vector3) {
      for value in [x, -y] {
        #expect((value > 0) == (step > 0) && abs(value) > range * 0.95, place)
      }
      for (value, truth) in [(x, held.x), (y, held.y)] where abs(value - truth) > size {
        let code = value / size
        #expect(
          [32767, -32767, sizes.lowestCode, -sizes.lowestCode].contains { abs(code - $0) < 1e-6 },
          "\(place), code \(code)")
      }
    }
    if sample.channels.contains(.acceleration) {
      let value = sample.acceleration
      check(-value.x, -value.y, settings.accelerationRange, sizes.acceleration, held.specificForce)
    }
    if sample.channels.contains(.rotationRate) {
      let value = sample.rotationRate
      check(value.x, value.y, settings.rotationRateRange, sizes.rotationRate, held.rotationRate)
    }
    if sample.channels.contains(.magneticField) {
      let value = sample.magneticField
      check(value.x, value.y, settings.magneticFieldRange, sizes.magneticField, held.magneticField)
    }
  }
}
