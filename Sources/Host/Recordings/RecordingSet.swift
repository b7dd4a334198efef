// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// A recording in one file, or in several files with a common clock, as phone apps write one file
/// per sensor. The rows of the set are in the order of their times.
package struct RecordingSet: Sendable {
  private var readers: [RecordingReader]
  /// The next row of each file of the set.
  private var heads: [Sample?] = []

  package init(
    paths: [String], names: [String]? = nil, order: RecordingReader.Order,
    _ conventions: RecordingConventions = RecordingConventions()
  ) throws(RecordingError) {
    readers = []
    let given = paths
    let paths = names ?? paths
    var conventions = conventions
    conventions.isOfSeveral = paths.count > 1
    if let path = paths.first,
      let name = conventions.columns.first(where: { name in !paths.contains { name.concerns($0) } })
    {
      throw RecordingError(
        .malformed, file: path, found: "no file \(Quoted.text(name.file ?? "")) for --columns",
        expected: "one of the recordings")
    }
    for (index, path) in paths.enumerated() {
      let reader = try RecordingReader(
        path: given[index], name: path, order: order, conventions)
      if let other = readers.first(where: { !$0.channels.isDisjoint(with: reader.channels) }) {
        throw RecordingError(
          .malformed, file: path, found: "has a quantity that \(other.file) has too",
          expected: "files of different sensors")
      }
      readers.append(reader)
    }
    if let path = paths.first,
      let name = conventions.columns.first(where: { name in
        name.file == nil && readers.allSatisfy { $0.absent.contains(name) }
      })
    {
      throw RecordingError(
        .malformed, file: path,
        found: "no column \(Quoted.text(name.theirs)) for --columns in any file",
        expected: "one of the headers' names")
    }
    if readers.count > 1 {
      for index in readers.indices { heads.append(try advance(index)) }
    }
  }

  /// The quantities that have columns in the recording.
  package var channels: ChannelSet {
    readers.reduce(into: ChannelSet()) { $0.formUnion($1.channels) }
  }

  /// The fraction of the recording that has been read, 0 to 1.
  package var share: Double { readers.map(\.share).min() ?? 1 }

  /// The time added to the timestamps of the recording's current section if there is one file
  /// (`RecordingReader.shift`); otherwise zero.
  package var shift: TimeSpan { readers.count == 1 ? readers[0].shift : .zero }

  /// The remarks about the headers of all files.
  package var notes: [RecordingWarning] {
    var notes = readers.flatMap(\.notes)
    let motion: [Channel] = [.acceleration, .rotationRate, .magneticField]
    let missing = motion.filter { !channels.contains($0) }.map { "\($0.row.name)" }
    if let phone = readers.lazy.compactMap(\.phone).first, !missing.isEmpty {
      let text = "\(phone.app): there is no " + missing.joined(separator: ", no ")
      let advice = phone.hasFileForEach ? "; the app has files of those: name them too" : ""
      notes.append(RecordingWarning(text: text + advice))
    }
    return notes
  }

  /// The warnings about the rows so far, one line each.
  package var warnings: [RecordingWarning] { readers.flatMap(\.warnings) }

  /// The remarks about rows that were out of order, one line for each file.
  package var remarks: [String] { readers.compactMap(\.remark) }

  /// Returns the next row of all files; `nil` after the last.
  package mutating func next() throws(RecordingError) -> Sample? {
    if readers.count == 1 { return try readers[0].next() }
    var earliest: (index: Int, sample: Sample)?
    for (index, head) in heads.enumerated() {
      guard let head else { continue }
      if let least = earliest, least.sample.timestamp <= head.timestamp { continue }
      earliest = (index, head)
    }
    guard let earliest else { return nil }
    heads[earliest.index] = try advance(earliest.index)
    return earliest.sample
  }

  private mutating func advance(_ index: Int) throws(RecordingError) -> Sample? {
    let sample = try readers[index].next()
    guard readers[index].stretches == 1 else {
      throw RecordingError(
        .malformed, file: readers[index].file,
        found: "time steps back by more than a second", expected: "one clock for all files",
        hint: "replay it alone")
    }
    return sample
  }
}
