// SPDX-License-Identifier: Apache-2.0
public import Buses
public import ChipCatalog
public import Quantities

/// A chip's port that tells a recorder of everything that goes through it. Used from one thread.
public final class RecordingPort: ChipPort {
  private let base: any ChipPort
  let recorder: TraceRecorder
  let chip: UInt16
  /// The port takes the bytes out of the caller's hands before the lock: what is borrowed cannot enter a closure. Used from
  /// one thread, and the recorder does not know this port: two accesses never overlap.
  @safe @exclusivity(unchecked) private var scratch: [UInt8] = []

  /// The port `base` of the chip called `name`.
  public init(_ base: any ChipPort, of name: String, to recorder: TraceRecorder) {
    self.base = base
    self.recorder = recorder
    chip = recorder.number(of: name)
    // The longest queue of a known chip has 8 KiB and is read in pieces; one that is longer allocates once.
    scratch.reserveCapacity(4096)
  }

  /// The moment, without a line in the trace.
  var unrecordedNow: Timestamp { base.now }

  public var now: Timestamp {
    let now = base.now
    recorder.addClock(chip, at: now)
    return now
  }

  public var longestRead: Int { base.longestRead }

  public var isSPI: Bool { base.isSPI }

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

  /// Says that the chip's bus was opened, and records what `registers` hold. Reading goes on where some do not answer, and
  /// ends where three in a row do not: nobody is there.
  public func begin(_ opened: TracedChip, called name: String, registers: [UInt8]) {
    recorder.add(opened, called: name, at: base.now)
    var failures = 0
    for register in registers where failures < 3 {
      var byte: InlineArray<1, UInt8> = [0]
      var span = byte.mutableSpan
      do throws(BusError) {
        try read(&span, from: register)
        failures = 0
      } catch { failures += 1 }
    }
  }

  /// Says that so many edges of the chip's interrupt line were taken.
  public func addEdges(_ count: Int, newest: Timestamp) {
    recorder.addEdges(chip, count, newest: newest, at: base.now)
  }
}
