// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Quantities
import Registers
import Sensors

/// A chip of 16-bit registers with command codes, the low byte first, after the data sheet of the
/// VCNL4040 (Vishay document 84274, "Register function" and tables 1 to 15). The chip is made up
/// for tests and measures nothing.
struct WordMap: RegisterMap {
  enum IntegrationTime: UInt8, FieldValue, CaseIterable { case ms80, ms160, ms320, ms640 }

  struct AmbientConfiguration: Sendable {
    let integrationTime = WideBits<IntegrationTime>(6...7)
    let persistence = WideBits<UInt8>(2...3)
    let interruptEnable = WideBit(1)
    let shutDown = WideBit(0)
  }

  /// PS_CONF1 is the low byte and PS_CONF2 the high byte.
  struct ProximityConfiguration: Sendable {
    let highResolution = WideBit(11)
    let interrupt = WideBits<UInt8>(8...9)
    let duty = WideBits<UInt8>(6...7)
    let persistence = WideBits<UInt8>(4...5)
    let integrationTime = WideBits<UInt8>(1...3)
    let shutDown = WideBit(0)
  }

  struct Identity: Sendable {
    let address = WideBits<UInt8>(12...13)
    let version = WideBits<UInt8>(8...11)
    let device = WideBits<UInt8>(0...7)
  }

  let ambientConfiguration = WideRegister(
    0x00, .lowFirst, ReadWrite.self, reset: 0x0001, AmbientConfiguration())
  let proximityConfiguration = WideRegister(
    0x03, .lowFirst, ReadWrite.self, reset: 0x0001, ProximityConfiguration())
  let proximityHigh = WideRegister(0x07, .lowFirst, ReadWrite.self, reset: 0x0000)
  let proximity = WideRegister(0x08, .lowFirst, ReadOnly.self, reset: nil)
  let identity = WideRegister(0x0C, .lowFirst, ReadOnly.self, reset: 0x0186, Identity())
  init() {}
}

/// The common part of the models, which measure nothing and have no pins.
class QuietModel: ChipModel {
  func advance(to time: Timestamp) {}
  func read(_ register: UInt8) -> UInt8 { 0xFF }
  func write(_ value: UInt8, to register: UInt8) {}
  func readWord(_ register: UInt8) -> UInt16 { UInt16(read(register)) }
  func writeWord(_ word: UInt16, to register: UInt8) {}
  func successor(of register: UInt8) -> UInt8 { register &+ 1 }
  func takeEdges(of pin: UInt8) -> EdgeQueue { EdgeQueue() }
  func nextEdge(of pin: UInt8) -> Timestamp? { nil }
  func powerCycle() {}
  var samplesTaken: UInt64 { 0 }
}

final class WordModel: QuietModel {
  private(set) var file = RegisterFile(WordMap())

  override func readWord(_ register: UInt8) -> UInt16 { file[word: register] }

  override func writeWord(_ word: UInt16, to register: UInt8) { file.store(word, at: register) }

  /// A command code has one word: the data sheet has no read that continues with the next code.
  override func successor(of register: UInt8) -> UInt8 { register }

  override func powerCycle() { file.reset() }
}
