// SPDX-License-Identifier: Apache-2.0
internal import Registers
public import ChipCatalog
public import Quantities

/// A model of a chip together with the faults that affect it. The bus sees only the effects of the
/// faults.
public final class FaultyModel: ChipModel {
  private let base: any ChipModel
  private let identityRegister: UInt8
  private let wire: FaultWire
  private var faults: [FaultTiming]
  private var now: Timestamp
  /// The end of a supply failure, until which the chip does not respond.
  private var silentUntil = Timestamp.zero
  /// The number of FIFO overruns that still have to be simulated.
  private var overrunsDue = 0
  private var lastRead = Timestamp.zero

  /// The kind of bus, which determines what a host reads from a chip that does not respond.
  public enum FaultWire: Sendable {
    /// The host gets no acknowledgement.
    case i2c
    /// No chip drives the SPI data line, so the host reads all ones.
    case spi
  }

  /// Applies to `base` the faults that affect this chip. The faults' times are relative to
  /// `origin`.
  public init(
    _ base: any ChipModel, faults: [Fault], identityRegister: UInt8, on wire: FaultWire,
    origin: Timestamp, seed: UInt64
  ) {
    self.base = base
    self.identityRegister = identityRegister
    self.wire = wire
    now = origin
    self.faults = faults.enumerated().map { index, fault in
      FaultTiming(fault, origin: origin, seed: seed &+ UInt64(index) &* 7919)
    }
  }

  // MARK: Time

  public func advance(to time: Timestamp) {
    now = time
    for index in faults.indices {
      let kind = faults[index].fault.kind
      guard kind == .brownOut || kind == .fifoOverflow else { continue }
      while let moment = faults[index].begin(until: time) {
        if kind == .fifoOverflow {
          overrunsDue += 1
          continue
        }
        base.advance(to: moment)
        base.powerCycle()
        silentUntil = max(silentUntil, moment + (faults[index].fault.duration ?? .zero))
      }
    }
    base.advance(to: time)
    // The simulated overrun comes while the host does not read, never between two transfers of
    // one read.
    if overrunsDue > 0, time - lastRead > .milliseconds(2) {
      base.overrunQueue()
      overrunsDue = 0
    }
  }

  // MARK: Transactions

  /// Returns the error for the transaction that starts now; `nil` if it succeeds.
  func failure(at now: Timestamp) -> BusError? {
    if isSilent, wire == .i2c { return .noAcknowledge }
    for index in faults.indices {
      switch faults[index].fault.kind {
      case .noAcknowledge where wire == .i2c && faults[index].strikes(at: now):
        return .noAcknowledge
      case .timeout:
        if faults[index].strikes(at: now) { return .timeout }
      default: break
      }
    }
    return nil
  }

  /// Changes bytes that were read, as the active faults of the chip require.
  func distort(_ bytes: inout MutableSpan<UInt8>) {
    if isSilent { for index in bytes.indices { bytes[index] = 0xFF } }
    for index in faults.indices where faults[index].fault.kind == .bitFlip {
      guard bytes.count > 0, faults[index].strikes(at: now) else { continue }
      bytes[faults[index].number(below: bytes.count)] ^= 1 << UInt8(faults[index].number(below: 8))
    }
  }

  private var isSilent: Bool { now < silentUntil }

  // MARK: Registers

  public func read(_ register: UInt8) -> UInt8 {
    lastRead = now
    let value = base.read(register)
    guard register == identityRegister, base.bank == 0 else { return value }
    for index in faults.indices
    where faults[index].fault.kind == .wrongChip && faults[index].holds(at: now) {
      return faults[index].fault.identity
    }
    return value
  }

  public func write(_ value: UInt8, to register: UInt8) {
    if !isSilent { base.write(value, to: register) }
  }

  public func readWord(_ register: UInt8) -> UInt16 {
    lastRead = now
    let word = base.readWord(register)
    guard register == identityRegister else { return word }
    for index in faults.indices
    where faults[index].fault.kind == .wrongChip && faults[index].holds(at: now) {
      return UInt16(faults[index].fault.identity)
    }
    return word
  }

  public func writeWord(_ word: UInt16, to register: UInt8) {
    if !isSilent { base.writeWord(word, to: register) }
  }

  public func successor(of register: UInt8) -> UInt8 { base.successor(of: register) }

  public var listensToSPI: Bool { base.listensToSPI }

  public var needsIncrementBit: Bool { base.needsIncrementBit }

  public var needsRepeatedStart: Bool { base.needsRepeatedStart }

  public func deselect() { base.deselect() }

  // MARK: Interrupts

  /// Returns the chip's pin that is wired instead of `pin`.
  private func wired(_ pin: UInt8) -> UInt8 { holds(.wrongPin) ? 3 &- pin : pin }

  /// Returns true if a fault of this kind is active.
  private func holds(_ kind: FaultKind) -> Bool {
    for index in faults.indices
    where faults[index].fault.kind == kind && faults[index].holds(at: now) {
      return true
    }
    return false
  }

  public func takeEdges(of pin: UInt8) -> EdgeQueue {
    let came = base.takeEdges(of: wired(pin))
    var edges = EdgeQueue()
    for _ in 0..<came.count {
      var copies = 1
      for index in faults.indices {
        switch faults[index].fault.kind {
        case .lostInterrupt where faults[index].strikes(at: came.newest): copies = 0
        case .doubledInterrupt where faults[index].strikes(at: came.newest): copies *= 2
        case .stuckInterrupt where faults[index].holds(at: came.newest): copies = 0
        default: break
        }
      }
      for _ in 0..<copies { edges.append(came.newest) }
    }
    return edges
  }

  public func nextEdge(of pin: UInt8) -> Timestamp? { base.nextEdge(of: wired(pin)) }

  public var isActiveLow: Bool { base.isActiveLow != holds(.invertedInterrupt) }

  // MARK: The chip itself

  public func powerCycle() { base.powerCycle() }

  public func overrunQueue() { base.overrunQueue() }

  public var samplesTaken: UInt64 { base.samplesTaken }

  public var passesThrough: Bool { base.passesThrough }

  public func builtIn(at address: UInt8, sensing input: (any SensorInput)?) -> (any ChipModel)? {
    base.builtIn(at: address, sensing: input)
  }

  public var bank: UInt8 { base.bank }
}
