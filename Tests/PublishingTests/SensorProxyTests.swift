// SPDX-License-Identifier: Apache-2.0
import Publishing
import Testing

@Suite struct SensorProxyTests {
  private let path = "/net/hadess/SensorProxy"

  private func call(
    _ member: String, by client: String = ":1.5", interface: String = "net.hadess.SensorProxy",
    _ texts: String...
  ) -> BusMessage {
    BusMessage(
      sender: client, path: path, interface: interface, member: member, texts: texts)
  }

  @Test func `a sensor is claimed until its last client releases it or is gone`() {
    var proxy = SensorProxy(available: [.accelerometer, .light])
    var said: BusAnswer?
    #expect(proxy.claimed.isEmpty)
    said = proxy.answer(call("ClaimAccelerometer"))
    #expect(said == .values([]))
    // A second claim has no further effect.
    said = proxy.answer(call("ClaimAccelerometer"))
    #expect(said == .values([]))
    said = proxy.answer(call("ClaimAccelerometer", by: ":1.6"))
    #expect(said == .values([]))
    said = proxy.answer(call("ClaimLight", by: ":1.6"))
    #expect(said == .values([]))
    // A missing sensor can be claimed, which starts nothing.
    said = proxy.answer(call("ClaimProximity"))
    #expect(said == .values([]))
    #expect(proxy.claimed == [.accelerometer, .light])
    said = proxy.answer(call("ReleaseAccelerometer"))
    #expect(said == .values([]))
    #expect(proxy.claimed == [.accelerometer, .light])
    let gone = BusMessage(
      isCall: false, sender: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
      interface: "org.freedesktop.DBus", member: "NameOwnerChanged", texts: [":1.6", ":1.6", ""])
    said = proxy.answer(gone)
    #expect(said == nil)
    #expect(proxy.claimed.isEmpty)
  }

  @Test func `changes go to the clients that claim them, and only once`() {
    var proxy = SensorProxy(available: [.accelerometer])
    var signals: [SensorProxy.Signal]
    signals = proxy.set(orientation: "normal")
    #expect(signals.isEmpty)
    _ = proxy.answer(call("ClaimAccelerometer"))
    signals = proxy.set(orientation: "normal")
    #expect(signals.isEmpty)
    signals = proxy.set(orientation: "left-up")
    #expect(
      signals == [
        .init(
          client: ":1.5", path: path,
          values: [
            .text("net.hadess.SensorProxy"),
            .properties([.init("AccelerometerOrientation", .text("left-up"))]), .texts([]),
          ])
      ])
  }

  @Test func `properties are those of the interface`() {
    var proxy = SensorProxy(available: [.light])
    var said: BusAnswer?
    _ = proxy.set(light: 120)
    let properties = "org.freedesktop.DBus.Properties"
    said = proxy.answer(call("GetAll", interface: properties, "net.hadess.SensorProxy"))
    #expect(
      said
        == .values([
          .properties([
            .init("HasAccelerometer", .flag(false)),
            .init("AccelerometerOrientation", .text("undefined")),
            .init("HasAmbientLight", .flag(true)), .init("LightLevelUnit", .text("lux")),
            .init("LightLevel", .number(120)), .init("HasProximity", .flag(false)),
            .init("ProximityNear", .flag(false)),
          ])
        ]))
    said = proxy.answer(
      call("Get", interface: properties, "net.hadess.SensorProxy", "LightLevel"))
    #expect(said == .values([.variant(.number(120))]))
    said = proxy.answer(call("Get", interface: properties, "net.hadess.SensorProxy", "Nothing"))
    #expect(
      said
        == .error(
          "org.freedesktop.DBus.Error.UnknownProperty", "there is no property 'Nothing' here"))
    said = proxy.answer(call("Explode"))
    #expect(
      said
        == .error("org.freedesktop.DBus.Error.UnknownMethod", "there is no method 'Explode' here"))
  }
}
