// SPDX-License-Identifier: Apache-2.0
import SourceReading
import CommandOutput
import Fusion
package import LinuxSystem
import Otolith
package import Publishing
import Recognition
package import Runtime

/// A server for the D-Bus clients of `net.hadess.SensorProxy`. The source runs while a client
/// claims a sensor.
package final class SensorProxyFollower {
  private let source: any MotionSource
  private let bus: BusConnection
  private var proxy: SensorProxy
  private var orientation = OrientationRecognizer()
  private var samples: RingReader<SourcedSample>
  private var motions: RingReader<MotionSample>
  private var claimed: Set<SensorProxy.Sensor> = []

  /// Connects to the D-Bus and requests the service name. Throws if one of these fails.
  package init(_ source: any MotionSource, bus address: String?) throws(PublishError) {
    self.source = source
    let channels = source.channels
    var available: Set<SensorProxy.Sensor> = []
    if channels.contains(.acceleration) { available.insert(.accelerometer) }
    if channels.contains(.illuminance) { available.insert(.light) }
    if channels.contains(.proximity) { available.insert(.proximity) }
    if channels.isSuperset(of: [.acceleration, .magneticField]) { available.insert(.compass) }
    proxy = SensorProxy(available: available)
    samples = source.pipeline.samples.reader()
    motions = source.pipeline.motions.reader()
    bus = try BusConnection(address: address)
    try bus.listen(
      "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
        + "member='NameOwnerChanged'")
    try bus.own(SensorProxy.name)
  }

  /// Serves until `wakeEvent` is signalled, or for `duration` seconds. Throws if the connection to
  /// D-Bus is lost.
  package func follow(until wakeEvent: WakeEvent, for duration: Double?) throws(PublishError) {
    var poller = Poller()
    poller.add(wakeEvent.fileDescriptor)
    poller.add(bus.fileDescriptor)
    let end = duration.map { Timestamp.now + TimeSpan(seconds: $0) } ?? .distantFuture
    var watch = ChipWatch(of: source)
    while wakeEvent.drain() == 0, Timestamp.now < end {
      try bus.serve { proxy.answer($0) }
      adapt()
      if !claimed.isEmpty {
        watch.report()
        take()
      }
      let pause = claimed.isEmpty ? end : min(end, .now + .milliseconds(50))
      _ = try? poller.wait(until: pause)
    }
  }

  /// Starts the chips if a client claims a sensor, and stops them when no client claims one any
  /// more.
  private func adapt() {
    let wanted = proxy.claimed
    guard wanted != claimed else { return }
    let wasRunning = !claimed.isEmpty
    claimed = wanted
    guard !wanted.isEmpty else {
      Terminal.complain("no client claims a sensor; the chips sleep")
      return source.stop()
    }
    Terminal.complain("claimed: \(wanted.map(\.word).sorted().joined(separator: ", "))")
    source.want(demand)
    guard !wasRunning else { return }
    do throws(SessionError) { try source.start() } catch {
      Terminal.complain("\(error)")
    }
  }

  private var demand: SampleDemand {
    var channels: ChannelSet = []
    if claimed.contains(.accelerometer) { channels.insert(.acceleration) }
    if claimed.contains(.light) { channels.insert(.illuminance) }
    if claimed.contains(.proximity) { channels.insert(.proximity) }
    guard claimed.contains(.compass) else { return SampleDemand(channels, at: 50) }
    return .everything
  }

  private func take() {
    var (light, heading): (Double?, Double?)
    while let sourced = samples.read() {
      let sample = sourced.sample
      if claimed.contains(.accelerometer), sample.channels.contains(.acceleration),
        let side = orientation.update(sample.acceleration, at: sample.timestamp),
        let word = side.edgeUp
      {
        send(proxy.set(orientation: word))
      }
      if sample.channels.contains(.illuminance) { light = sample.scalars[.illuminance] }
      if claimed.contains(.proximity), sample.channels.contains(.proximity) {
        send(proxy.set(isNear: sample.scalars[.proximity] > 0.5))
      }
    }
    while let motion = motions.read() {
      guard motion.contents.contains(.heading),
        let attitude = motion.attitude(
          in: .xMagneticNorthZVertical, declination: source.declination ?? 0)
      else { continue }
      heading = headingDegrees(of: attitude)
    }
    if claimed.contains(.light), let light { send(proxy.set(light: light)) }
    if claimed.contains(.compass), let heading { send(proxy.set(heading: heading)) }
  }

  private func send(_ signals: [SensorProxy.Signal]) {
    for signal in signals {
      bus.signal(
        signal.path, "org.freedesktop.DBus.Properties", "PropertiesChanged", signal.values,
        to: signal.client)
    }
  }
}

extension DeviceOrientation {
  /// The edge that points up, in the words of iio-sensor-proxy; `nil` if the device lies flat.
  fileprivate var edgeUp: String? {
    switch self {
    case .portrait: "normal"
    case .portraitUpsideDown: "bottom-up"
    // In `landscapeLeft` the left edge is down, so the right edge is up.
    case .landscapeLeft: "right-up"
    case .landscapeRight: "left-up"
    case .faceUp, .faceDown, .unknown: nil
    }
  }
}
