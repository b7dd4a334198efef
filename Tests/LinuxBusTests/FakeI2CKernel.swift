// SPDX-License-Identifier: Apache-2.0
import CLinux
import LinuxBus
import Synchronization

/// A simulated kernel: records its calls, fails on request, and fills each byte of a read with
/// register + offset.
final class FakeI2CKernel: I2CKernel {
  /// One system call with its arguments.
  enum Call: Equatable {
    case transfer([Message])
    case select(UInt8)
    case quick
    case readByte
    case writeByte(UInt8)
    case readByteData(UInt8)
    case writeByteData(UInt8, UInt8)
    case readWordData(UInt8)
    case writeWordData(UInt8, UInt16)
    case readBlock(UInt8, Int)
    case writeBlock(UInt8, [UInt8])
  }

  struct Message: Equatable {
    var address: UInt16
    var flags: UInt16
    var length: UInt16
    var sent: [UInt8]
  }

  struct State {
    var calls: [Call] = []
    /// The results of the next calls; if the list is empty, they succeed.
    var results: [Int32] = []
    var isPresent = true
    var shortBlocks = false
  }

  let state = Mutex(State())

  var calls: [Call] { state.withLock { $0.calls } }
  var isPresent: Bool { state.withLock { $0.isPresent } }

  init(failing results: [Int32] = []) { state.withLock { $0.results = results } }

  private func note(_ call: Call) -> Int32 {
    state.withLock {
      $0.calls.append(call)
      return $0.results.isEmpty ? 0 : $0.results.removeFirst()
    }
  }

  func transfer(_ messages: UnsafeMutableBufferPointer<i2c_msg>) -> Int32 {
    // The tested code keeps the messages and their buffers valid during the call.
    let noted = unsafe messages.map { message in
      let bytes = unsafe UnsafeBufferPointer(start: message.buf, count: Int(message.len))
      return unsafe Message(
        address: message.addr, flags: message.flags, length: message.len,
        sent: message.flags & 1 == 0 ? Array(bytes) : [])
    }
    let result = note(.transfer(noted))
    guard result >= 0, let last = unsafe messages.last, unsafe last.flags & 1 == 1 else {
      return result
    }
    let register = noted.first?.sent.first ?? 0
    for i in 0..<Int(unsafe last.len) {
      unsafe last.buf[i] = register &+ UInt8(truncatingIfNeeded: i)  // i < len
    }
    return result
  }

  func select(_ address: UInt8) -> Int32 { note(.select(address)) }
  func writeQuick() -> Int32 { note(.quick) }
  func readByte() -> Int32 { note(.readByte) }
  func writeByte(_ value: UInt8) -> Int32 { note(.writeByte(value)) }

  func readByteData(_ command: UInt8) -> Int32 {
    let result = note(.readByteData(command))
    return result < 0 ? result : Int32(command)
  }

  func writeByteData(_ command: UInt8, _ value: UInt8) -> Int32 {
    note(.writeByteData(command, value))
  }

  func readWordData(_ command: UInt8) -> Int32 {
    let result = note(.readWordData(command))
    return result < 0 ? result : Int32(command &+ 1) << 8 | Int32(command)
  }

  func writeWordData(_ command: UInt8, _ word: UInt16) -> Int32 {
    note(.writeWordData(command, word))
  }

  func readBlock(_ command: UInt8, _ bytes: UnsafeMutableBufferPointer<UInt8>) -> Int32 {
    let result = note(.readBlock(command, bytes.count))
    guard result >= 0 else { return result }
    for i in 0..<bytes.count {
      unsafe bytes[i] = command &+ UInt8(truncatingIfNeeded: i)  // i < count
    }
    return Int32(bytes.count) - (state.withLock { $0.shortBlocks } ? 1 : 0)
  }

  func writeBlock(_ command: UInt8, _ bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
    note(.writeBlock(command, unsafe Array(bytes)))  // valid for the call
  }
}
