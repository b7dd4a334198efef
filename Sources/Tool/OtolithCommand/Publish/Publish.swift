// SPDX-License-Identifier: Apache-2.0
import BoardCommands
import ArgumentParser
import Foundation
import LinuxSystem
import Otolith
import Publishing
import Runtime

struct Publish: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "publish",
    abstract: "Publish motion, readings and events to an MQTT broker; Home Assistant finds them.",
    discussion: """
      Motion goes to TOPIC/motion, what a sensor reads to TOPIC/pressure and so on, what happens to \
      TOPIC/event/shake, orientation, step, fall and door; TOPIC/status is 'online' or 'offline', \
      retained. A message is delivered once at least, with its time; while the broker is away it \
      waits on disk. A line at the end counts what became of all: arrived, waiting, dropped. A run \
      of which nothing arrived ends with status 69.

      With JSON the board appears in Home Assistant by itself. MQTT goes through libmosquitto \
      (Debian: libmosquitto1), which nothing else needs.

        otolith publish mqtt://broker.local/home/desk
        otolith publish mqtts://broker.local/home/desk --login-file login --ca-file ca.pem
        otolith publish mqtt://localhost/door --door --rate motion=0 --rate temperature=0.1
      """)

  @Argument(
    help: ArgumentHelp("mqtt://host/topic, or mqtts:// for TLS.", valueName: "address"))
  var address: String

  @OptionGroup var place: BoardOptions

  @Option(
    help: ArgumentHelp(
      "Messages a second, for motion or a channel; 0: none. Can be repeated. (default: motion=10, "
        + "1 for what is no vector)", valueName: "motion=10"), transform: RateOption.read)
  var rate: [RateOption] = []

  @Flag(help: "The board hangs on a door, which is closed now: publish when it opens and closes.")
  var door = false

  @Flag(help: "Offer Home Assistant no entities, and remove none.")
  var noDiscovery = false

  @Option(help: ArgumentHelp("Where Home Assistant listens.", valueName: "topic"))
  var discoveryPrefix = "homeassistant"

  @Option(help: "The frame that attitude is given in.")
  var referenceFrame = FrameOption.xArbitraryZVertical

  @OptionGroup(title: "The broker") var broker: BrokerOptions

  @OptionGroup(title: "While it is away") var spool: SpoolOptions

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
    let source = try place.choose(to: true)
    if let refusal = source.refusal(of: referenceFrame) { throw refusal }
    if door, !source.has([.acceleration, .rotationRate]) {
      throw Failure(
        "--door needs a gyroscope and an accelerometer, and \(source.place) has not both",
        Failure.usage)
    }
    let discovery = discovery(of: source, on: destination)
    let courier: MQTTPublisher
    do throws(PublishError) {
      courier = try MQTTPublisher(
        destination, name: "otolith-\(Publisher.session)", login: login,
        presence: presence(discovery, on: destination),
        folder: spool.folder(destination), limit: spool.limit)
    } catch { throw Failure(error) }
    let bell: WakeEvent
    do throws(ResourceError) { bell = try WakeEvent() } catch { throw Failure(.resource(error)) }
    let signals = try EndSignals { bell.ring() }
    defer { signals.cancel() }
    let publisher = Publisher(
      source, courier, topic: destination.topic, rates: rate, frame: referenceFrame, isDoor: door,
      duration: end.seconds, discovery: discovery)
    do throws(PublishError) { try courier.start() } catch { throw Failure(error) }
    do throws(SessionError) { try source.start() } catch { throw Failure(error) }
    publisher.follow(until: bell)
    source.stop()
    publisher.finish()
    Terminal.complain(Terminal.startOfLine + publisher.summary)
    if let failure = publisher.failure ?? publisher.fruitlessEnd(destination) { throw failure }
  }

  /// Returns the board for Home Assistant.
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

extension Failure {
  init(_ error: PublishError) {
    let status =
      switch error {
      case .noLibrary, .unreachable: Self.unavailable
      case .address: Self.usage
      case .refused: Self.noPermission
      case .file: Self.cannotCreate
      }
    self.init(error.description, status)
  }
}
