// SPDX-License-Identifier: Apache-2.0
public import Fusion
public import Runtime
internal import LinuxSystem
internal import Logging
public import Quantities
public import Registers
internal import Synchronization

/// The board of the service. The service's process owns the board, and this process receives all
/// samples and motions.
///
/// A thread copies the contents of the service's rings into this process's pipeline, reads the
/// messages about chips, and reconnects if the service ends. Until then samples stop with one
/// error, as they do for an unplugged board.
public final class ServiceSource: MotionSource {
  public let name: String
  public var kind: MotionSourceKind { .service }
  public let channels: ChannelSet
  public let isMadeUp: Bool
  public let location: Location?
  public let trueNorth: TrueNorth?
  public let stepCounter: Int?
  public let pipeline: MotionPipeline
  private let rates: [Double?]
  private let link: ServiceLink
  /// The time of the next status request, and the chips in the last status.
  private let asked = Mutex<(next: Timestamp, chips: [ServiceStatus.Chip])>((.zero, []))

  /// Creates the source that is served at `path`. Throws if the service does not exist or rejects
  /// this program.
  public init(path: String) throws(SessionError) {
    let connection: ServiceConnection
    do throws(ServiceFailure) { connection = try ServiceConnection(path) } catch {
      throw .service(error)
    }
    let source = connection.source
    name = source.name
    channels = source.channels
    isMadeUp = source.isMadeUp
    location = source.location
    rates = source.rates
    stepCounter = source.chips.firstIndex(where: \.countsSteps)
    trueNorth = TrueNorth(at: source.location, on: .today)
    pipeline = MotionPipeline(of: source.chips.map { PipelineChip($0.channels, uses: $0.uses) })
    do throws(ResourceError) { link = try ServiceLink(connection, pipeline) } catch {
      throw .resource(error)
    }
  }

  deinit { link.end() }

  public func rate(of channel: Channel) -> Double? { rates[Int(channel.rawValue)] }

  public var report: [ChipReport] {
    guard case .report(var report)? = try? link.ask(.report) else { return [] }
    let chips = askStatus()
    for index in report.indices where chips.indices.contains(index) {
      report[index].losses = chips[index].losses
    }
    for index in report.indices {
      report[index].conditions = pipeline.conditions(ofChip: index)
    }
    return report
  }

  /// Requests the service's status, because the report does not contain the faults, the lost
  /// readings and the conditions of channels. Sets the faults, and returns the status of each chip.
  /// A status costs the service twenty times as much as a report, so it is requested at most four
  /// times per second.
  private func askStatus() -> [ServiceStatus.Chip] {
    let now = monotonicNow()
    let (isDue, known) = asked.withLock { asked in
      let isDue = asked.next <= now
      if isDue { asked.next = now + .milliseconds(250) }
      return (isDue, asked.chips)
    }
    guard isDue, case .status(let json)? = try? link.ask(.status),
      let status = ServiceStatus(json: json)
    else { return known }
    if let faults = status.faultTimes { pipeline.setServedFaults(faults) }
    asked.withLock { $0.chips = status.chips }
    return status.chips
  }

  public var calibration: CalibrationState {
    guard case .calibration(let calibration)? = try? link.ask(.calibration) else {
      return pipeline.calibration
    }
    return calibration
  }

  /// Sends a query about movement, and waits for the answer. Throws if the service is not running
  /// or refuses the query.
  package func ask(_ question: ServiceQuestion) throws(SessionError) -> ServiceAnswer {
    do throws(ServiceFailure) {
      let answer = try link.askAboutMovement(question)
      if case .refused(let refusal) = answer { throw ServiceFailure(refusal) }
      return answer
    } catch { throw .service(error) }
  }

  public func start() throws(SessionError) {
    do throws(ServiceFailure) { try link.start() } catch { throw .service(error) }
  }

  public func want(_ demand: SampleDemand) { link.want(demand) }

  public func flush(until deadline: Timestamp) async -> Bool {
    // Use a separate thread: a task that blocks in system calls would occupy a thread of the
    // concurrency pool.
    await withCheckedContinuation { continuation in
      do throws(ResourceError) {
        _ = try startThread(name: "otolith flush") { [link] in
          continuation.resume(returning: link.flush(until: deadline))
        }
      } catch { continuation.resume(returning: false) }
    }
  }

  public func stop() { link.stop() }

  public func name(ofChip index: Int) -> String {
    let chips = link.source.chips
    return chips.indices.contains(index) ? chips[index].name : name
  }

  public func channels(ofChip index: Int) -> ChannelSet {
    let chips = link.source.chips
    return chips.indices.contains(index) ? chips[index].channels : []
  }

  public func sentence(for error: ChipError, ofChip index: Int) -> String {
    link.sentence(ofChip: index) ?? "\(error)"
  }
}
