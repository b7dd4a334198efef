// SPDX-License-Identifier: Apache-2.0
import MotionPublisher
import CommandOutput
import BoardCommands
import ArgumentParser
import Foundation
import Otolith
import Publishing
import Runtime

struct SensorProxyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sensor-proxy",
    abstract:
      "Provide net.hadess.SensorProxy on D-Bus (screen rotation in GNOME, KDE, Phosh).",
    discussion: """
      Replaces iio-sensor-proxy for otolith's boards: orientation, light, proximity and compass. \
      The chips run only while a client has claimed a sensor; a client that exits releases its \
      sensors.

      It owns the name on the system bus; otolith-sensor-proxy.conf in /usr/share/dbus-1/system.d \
      permits this to root and to the user otolith-proxy. iio-sensor-proxy owns the same name: \
      stop it first. Needs libsystemd, which is part of Debian. 'monitor-sensor' shows what \
      clients receive.

        otolith sensor-proxy --board /etc/otolith/board.yaml
      """)

  @OptionGroup var place: BoardOptions

  @Option(
    help: ArgumentHelp(
      "A bus other than the system bus, such as unix:path=/run/user/1000/bus.",
      valueName: "address"))
  var bus: String?

  @OptionGroup var end: DurationOption

  func run() throws {
    signal(SIGPIPE, SIG_IGN)
    let source = try place.choose(to: true)
    let proxy: SensorProxyFollower
    do throws(PublishError) { proxy = try SensorProxyFollower(source, bus: bus) } catch {
      if case .refused(let text) = error {
        throw Failure(
          "\(text); systemctl stop iio-sensor-proxy, where it runs", Failure.unavailable)
      }
      throw Failure(error)
    }
    let signals = try EndSignals()
    defer { signals.cancel() }
    defer { source.stop() }
    do throws(PublishError) { try proxy.follow(until: signals.wakeEvent, for: end.seconds) } catch {
      throw Failure(error)
    }
  }
}
