// SPDX-License-Identifier: Apache-2.0
package import Otolith
package import Recordings
package import Runtime

/// The newest values of the channels that are sampled but are not part of motion, such as pressure.
package struct AuxiliaryReadings {
  /// The channels in their declared order; empty if the source samples none of them.
  package let channels: [Channel]
  private var values = ScalarValues()
  private var known: ChannelSet = []

  package init(of channels: ChannelSet) {
    self.channels = Channel.allCases.filter { channels.contains($0) && $0.row.isAuxiliary }
  }

  package mutating func update(_ sample: Sample) {
    for channel in channels where sample.channels.contains(channel) {
      values[channel] = sample.scalars[channel]
      known.insert(ChannelSet(channel))
    }
  }

  /// The value of `channel`; `nil` before the first sample.
  package subscript(_ channel: Channel) -> Double? {
    known.contains(channel) ? values[channel] : nil
  }

  package func add(to row: inout MotionRow) {
    row.auxiliary = values
    row.auxiliaryChannels = known
  }
}

/// A reader for the channels of a live source that are not part of motion. It reads them up to the
/// time of each motion.
package struct AuxiliaryReader {
  package private(set) var newest: AuxiliaryReadings
  private var samples: RingReader<SourcedSample>
  /// Samples that have been read but are newer than the latest motion.
  private var waiting: [Sample] = []

  package init(_ source: any MotionSource) {
    newest = AuxiliaryReadings(of: source.channels)
    samples = source.pipeline.samples.reader()
  }

  /// Reads the samples with times up to `time`.
  package mutating func follow(until time: Timestamp) {
    guard !newest.channels.isEmpty else { return }
    let wanted = ChannelSet(newest.channels)
    while let sourced = samples.read() {
      if !sourced.sample.channels.isDisjoint(with: wanted) { waiting.append(sourced.sample) }
    }
    waiting.removeAll { sample in
      guard sample.timestamp <= time else { return false }
      newest.update(sample)
      return true
    }
  }
}
