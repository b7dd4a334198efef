// SPDX-License-Identifier: Apache-2.0
package import LinuxBus
package import LinuxSystem
package import Quantities
package import Registers
package import Sensors
internal import SystemPackage

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// A driver for a sensor that a driver of the kernel reads.
///
/// Samples come from the sensor's buffer, with the kernel's time stamps. A sensor without a buffer,
/// or without a trigger that fills it, is polled through its files. A step delivers one sample,
/// because the kernel's time stamps of several need not be evenly spaced.
package final class KernelSensorDriver: ChipDriver {
  /// The way in which samples are read.
  package enum Reading: Equatable, Sendable {
    case buffer
    case files
  }

  private enum State {
    case asleep
    case starting
    case running
  }

  package let sensor: KernelSensor
  package private(set) var reading: Reading
  package private(set) var health = Health()
  private var files: SensorFiles
  private var reader: ScanReader
  private var settings = SensorSettings()
  private var state = State.asleep
  private var values: [ScanValue] = []
  private var layout = ScanLayout([])
  private var stamp: (place: Int, format: ScanFormat)?
  private var clock: ForeignClock?
  /// True if the kernel's driver gives the samples no time: a sample's time is then its arrival, so
  /// that the kernel must not collect samples before it reports them.
  private var isUntimed = false
  private var period = TimeSpan.zero
  /// True if the sensor's rate is known, so that losses can be counted.
  private var isPeriodKnown = false
  /// The time of the newest sample since the start.
  private var last: Timestamp?
  /// The time since which the buffer has been empty.
  private var emptySince: Timestamp?
  private var nextPoll = Timestamp.zero
  /// True if the range was changed and no value has been read since. The first value may still have
  /// the old range.
  private var isRangeNew = false
  /// The open files of `values`, in the same order, while files are polled.
  private var opened: [ValueFile] = []
  private let time: () -> Timestamp

  /// Opens the sensor's device node. Only one program at a time can have it open.
  package convenience init(_ sensor: KernelSensor) throws(OpenError) {
    // A sensor without a buffer has no node; an empty descriptor takes its place.
    let node = sensor.node ?? "/dev/null"
    let descriptor = try OwnedDescriptor(
      opening: node, as: .kernelSensor, .readOnly, [.nonBlocking])
    self.init(sensor, descriptor, time: monotonicNow)
  }

  /// Creates the driver of a sensor whose node is open; `time` is CLOCK_MONOTONIC.
  package init(
    _ sensor: KernelSensor, _ descriptor: consuming OwnedDescriptor, time: @escaping () -> Timestamp
  ) {
    self.sensor = sensor
    self.time = time
    files = SensorFiles(sensor.folder)
    reader = ScanReader(descriptor)
    reading = sensor.hasScans ? .buffer : .files
  }

  /// The descriptor that becomes readable when the buffer has samples; `nil` if there is no buffer.
  package var fileDescriptor: Int32? { sensor.node == nil ? nil : reader.fileDescriptor }

  // MARK: What it is

  package var channels: ChannelSet { sensor.measures }

  package func range(of channel: Channel, at index: Int) -> Scalar? {
    let ranges = sensor.ranges[channel] ?? []
    return ranges.indices.contains(index) ? ranges[index].range : nil
  }

  package func rate(at index: Int) -> Scalar? {
    sensor.rates.indices.contains(index) ? sensor.rates[index] : nil
  }

  package var now: Timestamp { time() }

  package var identity: UInt8? { nil }

  package func configure(_ settings: SensorSettings) throws(ChipError) -> SensorSettings {
    guard settings.rate > 0, settings.rate.isFinite else { throw .unsupportedSetting }
    var chosen = settings
    chosen.acquisition = .polling
    if let rate = sensor.rates.last(where: { $0 >= settings.rate * 0.999 }) ?? sensor.rates.first {
      chosen.rate = rate
    }
    for channel in Channel.allCases {
      guard let wanted = settings[range: channel], let ranges = sensor.ranges[channel] else {
        continue
      }
      guard wanted > 0, wanted.isFinite else { throw .unsupportedSetting }
      let range = ranges.first { $0.range >= wanted * 0.995 } ?? ranges.last
      chosen[range: channel] = range.map(\.range)
    }
    self.settings = chosen
    return chosen
  }

  // MARK: Running

  package func start() { state = .starting }

  package func startSelfTest() throws(ChipError) { throw .unsupportedSetting }

  package func stop() throws(ChipError) {
    let wasAsleep = state == .asleep
    state = .asleep
    if !wasAsleep { try disable() }
  }

  /// Disables the buffer and discards what it holds: a buffer that is not empty stays readable.
  private func disable() throws(ChipError) {
    guard sensor.node != nil else { return }
    try write("0", .enable, "buffer/enable")
    reader.discard()
  }

  /// Discards the samples in the buffer while none are wanted, so that the node does not stay
  /// readable. Returns true if they are wanted.
  package func wantsSamples() -> Bool {
    if state == .running, reading == .buffer { return true }
    if sensor.node != nil { reader.discard() }
    return false
  }

  package func step(_ event: Event, into batch: inout RawBatch) throws(ChipError) -> NextStep {
    switch state {
    case .asleep: return .never
    case .starting:
      do throws(ChipError) { try begin() } catch {
        health.busErrors += 1
        throw error
      }
      state = .running
      return reading == .buffer ? .onInterrupt(until: now + wait) : .at(now)
    case .running:
      do throws(ChipError) {
        return reading == .buffer ? try readScan(into: &batch) : try poll(into: &batch)
      } catch {
        health.busErrors += 1
        health.restarts += 1
        state = .starting
        throw error
      }
    }
  }

  /// The time after which a sample is overdue: some periods, and the time that the kernel collects
  /// samples before it reports them.
  private var wait: TimeSpan {
    max(period * 5 + settings.batchInterval * 2, .milliseconds(500))
  }

  private func write(_ text: String, _ attribute: KernelAttribute, _ file: String)
    throws(ChipError)
  {
    let errno = Sysfs.write(text, to: "\(sensor.folder)/\(file)")
    guard errno == 0 else { throw error(errno, attribute) }
  }

  /// Returns the error of a system call; `adapterGone` if the sensor no longer exists.
  private func error(_ errno: Int32, _ attribute: KernelAttribute) -> ChipError {
    let isGone = !Sysfs.exists(sensor.folder)
    return isGone ? .bus(.adapterGone, register: attribute.rawValue) : attribute.error(errno)
  }

  /// Sets the sensor up, from a state in which another program may have left it.
  private func begin() throws(ChipError) {
    (last, emptySince, clock, isRangeNew) = (nil, nil, nil, false)
    try disable()
    for (channel, ranges) in sensor.ranges {
      guard let wanted = settings[range: channel],
        let range = ranges.first(where: { $0.range >= wanted * 0.999 })
      else { continue }
      for file in files.scaleFiles(sensor.channels.filter { $0.channel == channel }) {
        guard files.line(file) != range.text else { continue }
        try write(range.text, .scale, file)
        isRangeNew = true
      }
    }
    let rateFiles = files.rateFiles(sensor.channels)
    if sensor.rates.count > 1, let text = files.text(ofRate: settings.rate, rateFiles) {
      for file in rateFiles { try write(text, .rate, file) }
    } else if sensor.rates.isEmpty {
      // A driver without a list takes any rate, or keeps its own.
      for file in rateFiles { _ = Sysfs.write("\(settings.rate)", to: "\(sensor.folder)/\(file)") }
    }
    // Another program may have changed what is not set here.
    let channels = KernelQuantity.all.flatMap(files.channels).filter { channel in
      sensor.channels.contains { $0.name == channel.name }
    }
    guard channels.count == sensor.channels.count else { throw KernelAttribute.scale.error(EINVAL) }
    isPeriodKnown = rateFiles.contains { files.number($0).map { $0 > 0 } == true }
    let rate = rateFiles.compactMap(files.number).filter { $0 > 0 }.min() ?? settings.rate
    period = TimeSpan(seconds: 1 / max(rate, 0.001))
    guard reading == .buffer else { return try useFiles(channels) }
    try enable(channels, files.timestamp)
    switch files.trigger(rate: rate) {
    case .set: break
    case .named(let name): try write(name, .trigger, "trigger/current_trigger")
    case .timer(let name):
      try write(name, .trigger, "trigger/current_trigger")
      period = TimeSpan(seconds: 1 / max(rate, 0.001))
      isPeriodKnown = true
    case .missing:
      // Nothing would fill the buffer.
      guard sensor.hasFiles else { throw KernelAttribute.trigger.error(ENOENT) }
      reading = .files
      return try useFiles(channels)
    }
    if files.has("current_timestamp_clock"),
      Sysfs.write("monotonic\n", to: "\(sensor.folder)/current_timestamp_clock") != 0,
      files.line("current_timestamp_clock") != "monotonic"
    {
      clock = ForeignClock()
    }
    let most = 512
    let batch =
      isUntimed
      ? 1 : min(most, max(1, Int(saturating: (settings.batchInterval.seconds * rate).rounded())))
    // Two seconds of samples, for a reader that is late.
    try write(
      "\(max(Int(saturating: min(rate, 20_000) * 2), 4 * batch, 16))", .length, "buffer/length")
    if files.hasWatermark { try write("\(batch)", .watermark, "buffer/watermark") }
    reader.discard()
    try write("1", .enable, "buffer/enable")
  }

  /// Lets the scans contain exactly the values of `channels` and the time stamp.
  private func enable(_ channels: [KernelChannel], _ timestamp: ScanElement?) throws(ChipError) {
    let wanted = channels.compactMap(\.element) + (timestamp.map { [$0] } ?? [])
    // First those that are not wanted: a driver may know only certain combinations.
    for isWanted in [false, true] {
      for name in files.elementNames where wanted.contains(where: { $0.name == name }) == isWanted {
        try write(isWanted ? "1" : "0", .elements, "\(files.scanFolder)/\(name)_en")
      }
    }
    layout = ScanLayout(wanted)
    stamp = timestamp.flatMap { element in
      layout.offsets[element.name].map { ($0, element.format) }
    }
    values = channels.compactMap { channel in
      guard let element = channel.element, let place = layout.offsets[element.name] else {
        return nil
      }
      return ScanValue(channel, place, element.format, isHub: sensor.isHub)
    }
    guard !values.isEmpty, layout.size <= RawBatch.capacity else { throw .unsupportedSetting }
  }

  // MARK: The buffer

  private func readScan(into batch: inout RawBatch) throws(ChipError) -> NextStep {
    if !reader.has(layout.size) {
      let errno = reader.fill()
      guard errno == 0 else { throw error(errno, .node) }
    }
    let now = now
    guard reader.has(layout.size) else {
      let since = emptySince ?? now
      emptySince = since
      // A chip always samples, unless its interrupt was lost.
      if !sensor.reportsChanges, now - since > wait * 4 {
        health.missedInterrupts += 1
        // Without any sample the interrupt is probably not wired, so poll from now on.
        if health.received == 0, sensor.hasFiles { reading = .files }
        throw ChipError.bus(.timeout, register: KernelAttribute.node.rawValue)
      }
      return .onInterrupt(until: now + wait)
    }
    emptySince = nil
    var stamped = Int64(0)
    let (size, stamp) = (layout.size, stamp)
    reader.take(size) { bytes in
      for place in 0..<size { batch.bytes[place] = bytes[place] }
      if let stamp { stamped = stamp.format.value(bytes, at: stamp.place) }
    }
    if stamp != nil, stamped == 0, !isUntimed {
      isUntimed = true
      state = .starting
      return .at(now)
    }
    batch.frameSize = size
    finish(&batch, at: stamp == nil || isUntimed ? now : time(of: stamped, now))
    // A time before the reader's own `now`, so that it does not wait between two scans.
    return reader.has(size) ? .at(.zero) : .onInterrupt(until: now + wait)
  }

  private func time(of stamp: Int64, _ now: Timestamp) -> Timestamp {
    // A hub may have its own clock. Of others a time in the future, or long ago, shows that.
    let age = (now - Timestamp(nanoseconds: stamp)).seconds
    if clock == nil, sensor.isHub || age < -0.005 || age > 10 { clock = ForeignClock() }
    let time = clock?.time(of: stamp, arrivingAt: now) ?? Timestamp(nanoseconds: stamp)
    guard let last, time <= last else { return time }
    return last + TimeSpan(nanoseconds: 1)
  }

  /// Completes a batch of one frame that was taken at `time`.
  private func finish(_ batch: inout RawBatch, at time: Timestamp) {
    batch.frames = 1
    batch.newest = time
    batch.period = period
    if let last, period > .zero {
      let steps = ((time - last).seconds / period.seconds).rounded()
      // What is not reported has not changed, and arrivals are too uneven to be counted.
      if isPeriodKnown, !sensor.reportsChanges, !isUntimed, stamp != nil, steps >= 2,
        steps < 1_000_000
      {
        batch.missing = UInt32(saturating: steps - 1)
        health.missing += UInt64(batch.missing)
      }
    }
    last = time
    health.received += 1
  }

  // MARK: The files

  private func useFiles(_ channels: [KernelChannel]) throws(ChipError) {
    let readable = channels.filter { $0.file != nil }
    values = readable.enumerated().map { index, channel in
      ScanValue(channel, 8 * index, nil, isHub: sensor.isHub)
    }
    guard !values.isEmpty else { throw .unsupportedSetting }
    opened = []
    for value in values {
      do { opened.append(try ValueFile("\(sensor.folder)/\(value.file ?? "")")) } catch {
        throw self.error(error.errno, .value)
      }
    }
    stamp = nil
    // Each value is a read of the chip, so faster polls would only read values again.
    period = max(period, TimeSpan(seconds: 1 / max(settings.rate, 0.001)), .milliseconds(5))
    nextPoll = now
  }

  private func poll(into batch: inout RawBatch) throws(ChipError) -> NextStep {
    let begin = now
    batch.frameSize = 8 * values.count
    for (index, file) in opened.enumerated() {
      do throws(SystemError) {
        let bits = try file.read().bitPattern
        for place in 0..<8 {
          batch.bytes[8 * index + place] = UInt8(truncatingIfNeeded: bits >> UInt64(8 * place))
        }
      } catch { throw self.error(error.errno, .value) }
    }
    let end = now
    nextPoll = max(nextPoll + period, end)
    guard !isRangeNew else {
      isRangeNew = false
      return .at(nextPoll)
    }
    // The chip was read between the two.
    finish(&batch, at: begin + (end - begin) / 2)
    return .at(nextPoll)
  }

  // MARK: Decoding

  package func decode(_ batch: borrowing RawBatch, frame: Int) -> ChipReading {
    var reading = ChipReading(channels: [])
    let bytes = batch.bytes.span
    let start = frame * batch.frameSize
    for value in values {
      var vector = reading[value.channel]
      let number = value.number(bytes, start)
      switch value.axis {
      case 0: vector.x = number
      case 1: vector.y = number
      default: vector.z = number
      }
      reading[value.channel] = vector
      reading.channels.insert(ChannelSet(value.channel))
    }
    return reading
  }
}

/// A value in a frame, with what makes a channel's value of it.
private struct ScanValue {
  let channel: Channel
  let axis: Int
  let file: String?
  private let place: Int
  /// The value's format in a scan; `nil` for a number that was read from a file.
  private let format: ScanFormat?
  private let scale: Double
  private let offset: Double

  init(_ channel: KernelChannel, _ place: Int, _ format: ScanFormat?, isHub: Bool) {
    self.channel = channel.channel
    axis = channel.axis
    file = channel.file
    self.place = place
    self.format = format
    offset = channel.offset
    // A hub reports gravity, and a chip specific force.
    scale = isHub && channel.channel == .acceleration ? -channel.scale : channel.scale
  }

  @inline(__always)
  func number(_ bytes: Span<UInt8>, _ start: Int) -> Scalar {
    if let format {
      return Scalar((Double(format.value(bytes, at: start + place)) + offset) * scale)
    }
    var bits: UInt64 = 0
    for byte in 0..<8 { bits |= UInt64(bytes[start + place + byte]) << UInt64(8 * byte) }
    return Scalar((Double(bitPattern: bits) + offset) * scale)
  }
}
