// SPDX-License-Identifier: Apache-2.0
public import ChipCatalog
public import Quantities
public import Registers

/// A port to a chip that records every transfer. The port may be used only from one thread.
public final class RecordingPort: ChipPort {
  private let base: any ChipPort
  let recorder: TraceRecorder
  let chip: UInt16
  /// The bytes are copied here before the lock is taken, because a closure cannot capture a
  /// borrowed span. Exclusivity checks are off because accesses cannot overlap: only one thread
  /// uses the port, and the recorder has no reference to it.
  @safe @exclusivity(unchecked) private var scratch: [UInt8] = []

  /// Creates a port that records the transfers of `base` for the chip called `name`.
  public init(_ base: any ChipPort, of name: String, to recorder: TraceRecorder) {
    self.base = base
    self.recorder = recorder
    chip = recorder.number(of: name)
    // Most reads fit into this buffer, because a long FIFO (up to 8 KiB in known chips) is read in
    // parts. A longer read allocates memory once.
    scratch.reserveCapacity(4096)
  }

  /// The current time on the chip's bus. Reading this time adds no entry to the trace.
  var unrecordedNow: Timestamp { base.now }

  public var now: Timestamp {
    let now = base.now
    recorder.addClock(chip, at: now)
    return now
  }

  public var longestRead: Int { base.longestRead }

  public var longestWrite: Int { base.longestWrite }

  public var isSPI: Bool { base.isSPI }

  public var firmware: [UInt8] { base.firmware }

  public func read(_ bytes: inout MutableSpan<UInt8>, from register: UInt8) throws(BusError) {
    let begin = base.now
    scratch.removeAll(keepingCapacity: true)
    do throws(BusError) { try base.read(&bytes, from: register) } catch {
      recorder.addRead(
        chip, register, bytes.count, scratch, error, from: begin, to: base.now)
      throw error
    }
    let end = base.now
    for index in bytes.indices { scratch.append(bytes[index]) }
    recorder.addRead(chip, register, bytes.count, scratch, nil, from: begin, to: end)
  }

  public func write(_ value: UInt8, to register: UInt8) throws(BusError) {
    let begin = base.now
    do throws(BusError) { try base.write(value, to: register) } catch {
      recorder.addWrite(chip, register, value, error, from: begin, to: base.now)
      throw error
    }
    recorder.addWrite(chip, register, value, nil, from: begin, to: base.now)
  }

  public func write(_ bytes: Span<UInt8>, to register: UInt8) throws(BusError) {
    let begin = base.now
    scratch.removeAll(keepingCapacity: true)
    for index in bytes.indices { scratch.append(bytes[index]) }
    do throws(BusError) { try base.write(bytes, to: register) } catch {
      recorder.addWrite(chip, register, scratch, error, from: begin, to: base.now)
      throw error
    }
    recorder.addWrite(chip, register, scratch, nil, from: begin, to: base.now)
  }

  /// Records that the chip's bus was opened. The reads that follow, until the driver starts, record
  /// the contents of the chip's registers.
  public func begin(_ opened: TracedChip, called name: String) {
    recorder.add(opened, called: name, at: base.now)
  }

  /// Records that `count` edges of the chip's interrupt line were taken.
  public func addEdges(_ count: Int, newest: Timestamp) {
    recorder.addEdges(chip, count, newest: newest, at: base.now)
  }
}
