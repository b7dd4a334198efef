// SPDX-License-Identifier: Apache-2.0
package import CommandOutput
import Boards
import Foundation
import Fusion
import LinuxSystem
import Otolith
import Recognition
import MotionSources
package import Runtime
import Sensors
package import MotionViews

/// A reader that transfers a source's values into a `MonitorModel`. The drawing thread calls the
/// reader for each frame. This is often enough, because the rings hold 4 s of samples at 1 kHz.
package struct SourceReader: ~Copyable {
  package var model: MonitorModel
  private let source: any MotionSource
  private let watch: SourceWatch
  private let frames: [FrameOption]
  private var frame: FrameOption
  private var origin: YawOrigin
  private var samples: RingReader<SourcedSample>
  /// The chips' own samples of combined channels, and those that motion does not use; empty if
  /// there are none. An optional would have a first value, which Swift 6.2 destroys twice.
  private var chipSamples: [RingReader<SourcedSample>]
  private var motions: RingReader<MotionSample>
  private var detections: RingReader<SourcedDetection>
  private var movement: MovementEstimator
  private var activity: String
  /// The chips' sample and error counts at the start, which must be subtracted because the chips of
  /// a service may have run for a long time.
  private var before: [ChipReport]
  private var states: [ChipState]
  private var counts: [UInt64]
  private var unprinted: [String]
  /// The number of changes of chip states at the time when the notes were last updated.
  private var noted: UInt64

  package init(
    _ source: any MotionSource, sentence: String, frame: FrameOption
  ) throws(Failure) {
    // Create the source watch before setting any property, because Swift 6.2 destroys a partially
    // initialised noncopyable value twice if its initialiser throws.
    let watch: SourceWatch
    do throws(ResourceError) { watch = try SourceWatch(source) } catch {
      throw Failure(.resource(error))
    }
    self.watch = watch
    self.source = source
    (origin, activity, before, states, unprinted, noted) = (YawOrigin(), "", [], [], [], .max)
    self.frame = frame
    frames = FrameOption.allCases.filter { source.refusal(of: $0) == nil }
    let pipeline = source.pipeline
    samples = pipeline.samples.reader()
    chipSamples = pipeline.chipSamples().map { [$0] } ?? []
    motions = pipeline.motions.reader()
    detections = pipeline.detections.reader()
    movement = MovementEstimator(
      channels: source.channels, hasStepCounter: source.stepCounter != nil,
      params: MovementEstimator.Params(height: source.pedometer.height))
    let chips = pipeline.chips.indices.map { index in
      let rates = Channel.allCases.filter {
        source.channels(ofChip: index).contains(ChannelSet($0))
      }.compactMap { source.rate(of: $0) }
      return MonitorScene.Chip(
        name: URL(filePath: source.name(ofChip: index)).lastPathComponent,
        kind: source.kind.isRecording ? "recording" : "", configuredRate: rates.max())
    }
    counts = [UInt64](repeating: 0, count: chips.count)
    model = MonitorModel(
      MonitorScene(
        board: source.name, reason: sentence, channels: source.channels, frame: frame.rawValue,
        isNorth: frame.isNorth, chips: chips))
    model.scene.origin = MonitorScene.Origin(of: source)
  }

  deinit { watch.end() }

  /// The latest report on each chip; empty before the first answer.
  package var report: [ChipReport] { watch.reading?.report ?? [] }

  package mutating func follow() {
    // Reading this property copies a service's newest motions. Otherwise the service link copies
    // motions only four times per second, unless a reader waits for them.
    _ = source.pipeline.motionsMeasured
    for index in chipSamples.indices {
      while let sample = chipSamples[index].read() {
        if isSeparate(Int(sample.source)) {
          model.addSample(ofChip: Int(sample.source), at: sample.sample.timestamp)
        }
      }
    }
    while let sample = samples.read() {
      // A combined sample comes from several chips, so do not count it for one of them.
      if !isSeparate(Int(sample.source)) {
        model.addSample(ofChip: Int(sample.source), at: sample.sample.timestamp)
      }
      model.addReadings(sample.sample)
      movement.update(sample.sample)
    }
    while let motion = motions.read() {
      let turned = origin.turned(motion)
      model.add(turned)
      if motion.timestamp >= .zero { show(turned) }
    }
    while let detection = detections.read() { note(detection) }
    model.scene.playback = MonitorScene.Playback(of: source)
    followChips()
    followMovement()
  }

  /// True if the samples of motion do not show the chip's rate: motion combines it with other
  /// chips, or does not use it.
  private func isSeparate(_ chip: Int) -> Bool {
    source.pipeline.channelsUsed(ofChip: chip).isEmpty
      || !source.pipeline.combinedChannels(ofChip: chip).isEmpty
  }

  /// Updates the parts of the scene that depend on the newest motion and the frame.
  private mutating func show(_ motion: MotionSample) {
    model.scene.attitude = motion.attitude(
      in: frame.frame, declination: source.declination ?? 0)
  }

  private mutating func note(_ detection: SourcedDetection) {
    let value = detection.detection
    if value.kind == .step {
      if Int(detection.source) == source.stepCounter {
        movement.update(stepCount: value.detail, at: value.timestamp)
      }
      return
    }
    let name = source.name(ofChip: Int(detection.source))
    say(.detection, "\(name): \(value.text)")
  }

  /// Updates the chips' states and counters, and adds an event for each change.
  private mutating func followChips() {
    let reading = watch.reading
    if before.isEmpty, let reading { before = reading.report }
    let chips = source.pipeline.chips
    followNotes()
    followFaults()
    var said: Set<String> = []
    for index in chips.indices where model.scene.chips.indices.contains(index) {
      var chip = model.scene.chips[index]
      switch chips[index] {
      case .starting: chip.state = .starting
      case .delivering: chip.state = .delivering
      case .failed(let error):
        chip.state = .failed(source.failure(error, ofChip: index, chips))
      }
      if let reading, reading.report.indices.contains(index) {
        let report = reading.report[index]
        let old = before.indices.contains(index) ? before[index] : report
        (chip.kind, chip.configuredRate) = (report.chip, report.rate > 0 ? report.rate : nil)
        chip.lost = Self.difference(report.health.missing, old.health.missing)
        chip.late = Self.difference(report.late, old.late)
        chip.clipped = report.losses.since(old.losses).clippedCount
        chip.busErrors = Self.difference(report.health.busErrors, old.health.busErrors)
        chip.restarts = Self.difference(report.health.restarts, old.health.restarts)
        // A chip without samples, such as one that only detects events, is counted by its driver.
        let received = report.health.received
        if isSeparate(index), received != counts[index] {
          let new = Int(clamping: Self.difference(received, counts[index]))
          model.addSamples(new, ofChip: index, at: .now)
          counts[index] = received
        }
      }
      if states.indices.contains(index) {
        report(chip, from: states[index], to: chips[index], &said)
      }
      model.scene.chips[index] = chip
    }
    states = chips
    guard let calibration = reading?.calibration else { return }
    let gyroscope = calibration.gyroscopeMatrix
    model.scene.calibration = MonitorScene.Calibration(
      gyroBiasSigma: calibration.gyroBiasSigma,
      gyroScale: gyroscope.map {
        Vector3($0.matrix.m11 - 1, $0.matrix.m22 - 1, $0.matrix.m33 - 1)
      },
      gyroScaleSigma: gyroscope.map { max($0.sigma.m11, $0.sigma.m22, $0.sigma.m33) } ?? 0,
      magneticDelay: calibration.magneticDelay?.delay,
      magneticDelaySigma: calibration.magneticDelay?.sigma ?? 0,
      magnetic: calibration.magnetic.level,
      coverage: calibration.magnetic.coverage)
  }

  /// Updates the notes of each chip, and adds an event for each new note.
  private mutating func followNotes() {
    let changes = source.pipeline.chipChanges
    guard changes != noted else { return }
    noted = changes
    // Notes about unused chips were already printed with the board's name, so omit them here.
    let printed = source.unusedNotes
    for index in model.scene.chips.indices where source.pipeline.chips.indices.contains(index) {
      let notes = source.notes(ofChip: index)
      for note in notes where !model.scene.chips[index].notes.contains(note) {
        say(.note, note, .warning)
        if !printed.contains(note) { unprinted.append(note) }
      }
      model.scene.chips[index].notes = notes
    }
  }

  /// Updates the sensor faults that fusion has detected.
  private mutating func followFaults() {
    let times = source.pipeline.faults
    model.scene.coastingSeconds = times.coasting.seconds
    let chips = model.scene.chips.indices.map { source.pipeline.channelsUsed(ofChip: $0) }
    model.scene.faults = SensorFaultRow.rows(of: times.occurred.union(SensorFaultRow.known))
      .compactMap { row in
        guard let chip = chips.firstIndex(where: { $0.contains(row.channel) }) else { return nil }
        let record = times.record(of: row.fault)
        return MonitorScene.SensorFault(
          name: row.name, sensor: row.sensor, chip: model.scene.chips[chip].name,
          isPresent: times.noted.contains(row.fault), seconds: record.seconds,
          count: record.count, text: row.sentence)
      }
    for index in model.scene.chips.indices {
      let name = model.scene.chips[index].name
      model.scene.chips[index].isFaulty = model.scene.faults.contains {
        $0.isPresent && $0.chip == name
      }
    }
  }

  /// Returns the notes added since the last call, for output other than the event list.
  package mutating func takeNotes() -> [String] {
    defer { unprinted = [] }
    return unprinted
  }

  /// Adds an event for a change of a chip's state. The event is not added if the same message, for
  /// instance that the service ended, was already added for another chip at this time.
  private mutating func report(
    _ chip: MonitorScene.Chip, from old: ChipState, to new: ChipState, _ said: inout Set<String>
  ) {
    switch (old, new) {
    case (.failed, .delivering): say(.chip, "\(chip.name): delivers samples again", .good)
    case (.starting, .delivering): say(.chip, "\(chip.name): delivers", .good)
    case (let old, .failed) where !old.isFailed:
      if case .failed(let sentence) = chip.state, said.insert(sentence).inserted {
        say(.chip, sentence, .bad)
      }
    default: break
    }
  }

  private mutating func followMovement() {
    guard movement.countsSteps else { return }
    let text = movement.movement.activity.activities.text
    if text != activity, !activity.isEmpty { say(.activity, "activity: \(text)") }
    activity = text
    model.scene.movement = movement.movement
    model.scene.countsFloors = movement.countsFloors
    model.scene.relativeAltitude = movement.relativeAltitude
  }

  package mutating func say(
    _ kind: MonitorScene.Event.Kind, _ text: String, _ style: TextStyle = .plain
  ) {
    model.add(MonitorScene.Event(kind, text, style: style))
  }

  /// Performs the action of a key on the source. Keys that do not affect the source are ignored.
  package mutating func press(_ key: MonitorKey) {
    switch key {
    case .nextFrame where !model.isFrozen:
      let index = frames.firstIndex(of: frame) ?? 0
      frame = frames[(index + 1) % frames.count]
      (model.scene.frame, model.scene.isNorth) = (frame.rawValue, frame.isNorth)
      if let motion = model.scene.motion { show(motion) }
    case .resetYaw where !model.isFrozen: origin = YawOrigin()
    default: break
    }
    model.press(key)
  }

  private static func difference(_ new: UInt64, _ old: UInt64) -> UInt64 {
    // A service that has restarted its board counts from zero again, so the new count is itself the
    // difference.
    new >= old ? new - old : new
  }
}

extension ChipState {
  fileprivate var isFailed: Bool { if case .failed = self { true } else { false } }
}

extension Detection {
  /// A short description of the detection, for users.
  fileprivate var text: String {
    let name =
      switch kind {
      case .step: "step"
      case .singleTap: "tap"
      case .doubleTap: "double tap"
      case .freeFall: "free fall"
      case .tilt: "tilt"
      case .motion: "motion"
      case .noMotion: "no motion"
      case .significantMotion: "significant motion"
      case .orientation: "another side is up"
      case .flat: detail == 1 ? "lies flat" : "no longer flat"
      }
    let axes = [1: "x", 2: "y", 3: "z"]
    guard kind != .flat, let axis = axes[abs(Int(detail))] else { return name }
    return "\(name), \(detail < 0 ? "-" : "+")\(axis)"
  }
}

extension MonitorScene.Origin {
  package init(of source: any MotionSource) {
    switch source.kind {
    case .recording: self = .recording
    case .board(let board) where board.buses.contains(where: \.isTrace): self = .trace
    case .board, .service, .other: self = source.isMadeUp ? .simulated : .live
    }
  }
}

extension MonitorScene.Playback {
  fileprivate init?(of source: any MotionSource) {
    guard case .recording(let position, let length) = source.kind else { return nil }
    self.init(position: position.seconds, length: length.seconds)
  }
}
