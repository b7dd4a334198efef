// SPDX-License-Identifier: Apache-2.0
import SourceReading
import MotionPublisher
import CommandOutput
import BoardCommands
import ArgumentParser
import Foundation
import Otolith
import Publishing
import Runtime

struct Publish: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "publish",
    abstract: "Publish motion, readings and events to an MQTT broker, with Home Assistant "
      + "discovery.",
    discussion: """
      Motion is published to TOPIC/motion, readings to TOPIC/pressure and so on, events to \
      TOPIC/event/shake, orientation, step, fall and door; TOPIC/status is 'online' or 'offline', \
      retained. Each message has a timestamp and is delivered at least once; while the broker is \
      unreachable, messages are stored on disk. A summary at the end gives the numbers of messages \
      delivered, stored and dropped. Exit status: 69 if no message was delivered.

      The board appears in Home Assistant automatically. This command needs libmosquitto \
      (Debian: libmosquitto1).

        otolith publish mqtt://broker.local/home/desk
        otolith publish mqtts://broker.local/home/desk --login-file login --ca-file ca.pem
        otolith publish mqtt://localhost/door --door --rate motion=0 --rate temperature=0.1
      """)

  @Argument(
    help: ArgumentHelp("mqtt://host/topic, or mqtts:// for TLS.", valueName: "address"))
  var address: String

  @OptionGroup var place: BoardOptions

  @OptionGroup var only: OnlyOption

  @Option(
    help: ArgumentHelp(
      "Messages per second for motion or a channel; 0 turns it off. Can be repeated. (default: "
        + "motion=10, 1 for scalar channels)", valueName: "motion=10"), transform: RateOption.read)
  var rate: [RateOption] = []

  @Flag(
    help: "The board is mounted on a door that is closed now: publish when it opens and closes.")
  var door = false

  @Flag(help: "Do not create or remove entities in Home Assistant.")
  var noDiscovery = false

  @Option(
    help: ArgumentHelp("The topic prefix for Home Assistant's discovery.", valueName: "topic"))
  var discoveryPrefix = "homeassistant"

  @Option(help: "The reference frame of the attitude.")
  var referenceFrame = FrameOption.xArbitraryZVertical

  @OptionGroup(title: "The broker") var broker: BrokerOptions

  @OptionGroup(title: "While the broker is unreachable") var spool: SpoolOptions

  @OptionGroup var end: DurationOption

  func validate() throws {
    do throws(PublishError) { _ = try MQTTAddress(address) } catch {
      throw ValidationError(error.description)
    }
    if let fault = MQTTAddress.fault(ofTopic: discoveryPrefix) {
      throw ValidationError("--discovery-prefix '\(discoveryPrefix)': \(fault)")
    }
  }

  func run() throws {
    signal(SIGPIPE, SIG_IGN)
    let destination: MQTTAddress
    do throws(PublishError) { destination = try MQTTAddress(address) } catch {
      throw Failure(error)
    }
    let login = try broker.login(destination)
    let source = try place.choose(to: true, only: only)
    if let refusal = source.refusal(of: referenceFrame) { throw refusal }
    if door, !source.has([.acceleration, .rotationRate]) {
      throw Failure(
        "--door needs a gyroscope and an accelerometer, and \(source.place) has not both",
        Failure.usage)
    }
    let discovery = discovery(of: source, on: destination)
    let mqtt: MQTTPublisher
    do throws(PublishError) {
      mqtt = try MQTTPublisher(
        destination, name: "otolith-\(Publisher.session)", login: login,
        presence: presence(discovery, on: destination),
        folder: spool.folder(destination), limit: spool.limit)
    } catch { throw Failure(error) }
    let signals = try EndSignals()
    defer { signals.cancel() }
    let publisher = Publisher(
      source, mqtt, topic: destination.topic, rates: rate.map { ($0.channel, $0.rate) },
      frame: referenceFrame, isDoor: door,
      duration: end.seconds, discovery: discovery)
    do throws(PublishError) { try mqtt.start() } catch { throw Failure(error) }
    do throws(SessionError) { try source.start() } catch { throw Failure(error) }
    publisher.follow(until: signals.wakeEvent)
    source.stop()
    publisher.finish()
    Terminal.complain(Terminal.startOfLine + publisher.summary)
    if let failure = publisher.failure ?? publisher.fruitlessEnd(destination) { throw failure }
  }

  /// Returns the description of the board for Home Assistant; `nil` if discovery is off.
  private func discovery(of source: any MotionSource, on address: MQTTAddress) -> Discovery? {
    guard !noDiscovery else { return nil }
    let host = ProcessInfo.processInfo.hostName
    let chips = source.report.map(\.chip)
    var discovery = Discovery(
      topic: address.topic, identifier: Discovery.word("otolith_\(host)_\(address.topic)"),
      name: source.name, model: chips.isEmpty ? "otolith" : chips.joined(separator: ", "),
      version: Release.version)
    discovery.prefix = discoveryPrefix
    return discovery
  }

  private func presence(_ discovery: Discovery?, on address: MQTTAddress) -> MQTTPublisher.Presence
  {
    func status(_ word: String) -> Message {
      Message(topic: address.topic + "/status", payload: Array(word.utf8), isRetained: true)
    }
    return MQTTPublisher.Presence(
      births: [status("online")], will: status("offline"), discovery: discovery)
  }
}
