// SPDX-License-Identifier: Apache-2.0

/// A quantity that a hub can stream, with the type of its elements, for example `.acceleration` or
/// `.motion`.
public struct StreamQuantity<Element: Sendable>: Sendable {
  enum Origin: Sendable {
    /// The samples with any of these channels.
    case samples(ChannelSet, @Sendable (Sample) -> Element)
    /// The separate samples of the chip with this name.
    case chip(String, @Sendable (Sample) -> Element)
    /// Motions, together with the declination at the source in radians.
    case motions(@Sendable (MotionSample, _ declination: Double) -> Element?)
  }

  /// The channels that the source must have.
  var needs: ChannelSet
  let origin: Origin
  /// Returns the reason why a source cannot provide the quantity although it has the channels;
  /// otherwise `nil`.
  var refusal: @Sendable (any MotionSource) -> SessionError? = { _ in nil }

  init(needs: ChannelSet, _ origin: Origin) {
    self.needs = needs
    self.origin = origin
  }

  /// Returns this quantity, limited to sources that also have `channels`.
  package func needing(_ channels: ChannelSet) -> StreamQuantity {
    var quantity = self
    quantity.needs.formUnion(channels)
    return quantity
  }

  /// Returns the demand for this quantity at `rate` Hz.
  func demand(at rate: Double) -> SampleDemand {
    switch origin {
    case .samples(let channels, _): SampleDemand(channels, at: rate)
    case .chip: .everything
    case .motions: SampleDemand([], motion: rate)
    }
  }
}

extension StreamQuantity where Element == VectorSample {
  /// Acceleration in g, including gravity. A device that lies flat and face up at rest measures (0,
  /// 0, -1).
  public static var acceleration: StreamQuantity { vector(.acceleration) { $0.acceleration } }

  /// The rotation rate in rad/s, including bias.
  public static var rotationRate: StreamQuantity { vector(.rotationRate) { $0.rotationRate } }

  /// The magnetic field in microtesla, including the device's own field.
  public static var magneticField: StreamQuantity { vector(.magneticField) { $0.magneticField } }

  private static func vector(
    _ channels: ChannelSet, _ value: @escaping @Sendable (Sample) -> Vector3
  ) -> StreamQuantity {
    StreamQuantity(
      needs: channels,
      .samples(channels) { sample in
        VectorSample(value(sample), timestamp: sample.timestamp, missing: sample.missing)
      })
  }
}

extension StreamQuantity where Element == Sample {
  /// The samples of `channels` from which motion is computed, as they arrive. The source must have
  /// all of these channels. Channels that several chips sample are combined; all other channels are
  /// as measured. A sample has several channels if a chip samples them together.
  public static func samples(of channels: ChannelSet) -> StreamQuantity {
    StreamQuantity(needs: channels, .samples(channels) { $0 })
  }
}

extension StreamQuantity where Element == MotionSample {
  /// All results of fusion, in all frames at once.
  public static var motion: StreamQuantity {
    StreamQuantity(needs: [], .motions { motion, _ in motion })
  }
}

extension StreamQuantity where Element == DeviceMotion {
  /// Motion in `frame`, computed from all sensors. North needs a magnetometer, and true north also
  /// needs a location.
  public static func deviceMotion(
    in frame: ReferenceFrame = .xArbitraryZVertical
  ) -> StreamQuantity {
    var needs: ChannelSet = [.acceleration, .rotationRate]
    if frame != .xArbitraryZVertical { needs.insert(.magneticField) }
    var quantity = StreamQuantity(
      needs: needs, .motions { DeviceMotion($0, in: frame, declination: $1) })
    if frame == .xTrueNorthZVertical {
      quantity.refusal = { $0.declination == nil ? .placeUnknown(source: $0.name) : nil }
    }
    return quantity
  }
}

extension MotionHub {
  /// Starts to deliver `quantity` to `receiver`, with `meter` for the statistics. Throws if the
  /// source lacks the quantity.
  func listen<Element>(
    _ receiver: any MotionReceiver, to quantity: StreamQuantity<Element>, _ meter: StreamMeter
  ) throws(SessionError) -> Listening {
    if let source, source.has(quantity.needs) {
      if let refusal = quantity.refusal(source) { throw refusal }
      meter.begin(source)
    }
    return try listen(receiver, needing: quantity.needs)
  }
}
